/* The judge of moves, against host/prober, against brute force, and against the rules.
 *
 *     test-judge KOLEM-TABLE           positions of every game with a table
 *     test-judge KOLEM-TABLE short     of the smallest only, as under sanitizers
 */
#include "study/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "check.h"
#include "host/files.h"
#include "host/prober.h"
#include "host/table_store.h"
#include "memory.h"
#include "rules/hidden.h"
#include "variants.h"

static char folder[] = "/tmp/nonet-judge-XXXXXX";
static const char *kolem_table;
static bool is_short;

/* ---- Games with their provers ---- */

static struct solved {
    struct nonet_options options;
    struct prober *prober;
} solved[16];
static int solved_count;

static const struct prober_limits prober_limits = {
    .solve = {.threads = 2, .memory = 1 << 30}, .memory = 1 << 26, .seconds = 60};

static void open_prober(struct solved *new) {
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    new->prober = prober_open(&new->options, &prober_limits, &why);
    CHECK(new->prober != NULL, "%s: %s", variant_name(&new->options), reason);
}

/* One variant of every game that has a table, and all of the smallest. */
static int open_tables(void **unused) {
    (void)unused;
    static const char *const names[] = {"trix",
                                        "trix:camps=corner,goal=filled",
                                        "trix:camps=side,goal=three",
                                        "kudosu",
                                        "quadrangle:rectangles=any",
                                        "mix3:rectangles=any",
                                        "chasm:players=2",
                                        "kolem:steps=8"};
    if (mkdtemp(folder) == NULL || setenv("NONET_TABLES", folder, 1) != 0 ||
        setenv("XDG_CACHE_HOME", folder, 1) != 0)
        return -1;
    char command[2 * TABLE_PATH];
    snprintf(command, sizeof command, "cp '%s' %s", kolem_table, folder);
    if (system(command) != 0)
        return -1;
    for (int i = 0; i < (is_short ? 3 : 8); i++) {
        struct solved *new = &solved[solved_count++];
        new->options = options_of(names[i]);
        open_prober(new);
    }
    return 0;
}

static int close_tables(void **unused) {
    (void)unused;
    for (int i = 0; i < solved_count; i++)
        prober_close(solved[i].prober);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static struct judge *judge;
static struct judge_verdict verdict, other;

static int open_judge(void **unused) {
    (void)unused;
    judge = judge_open();
    return judge == NULL;
}

static int close_judge(void **unused) {
    (void)unused;
    judge_close(judge);
    return 0;
}

/* ---- Positions ---- */

/* Random moves; false if the game ended. */
static bool wander(struct nonet_session *session, int plies, struct nonet_random *random) {
    struct nonet_message why;
    for (; plies > 0 && nonet_session_turn(session) != 0; plies--) {
        uint64_t index = nonet_random_next(random) % nonet_session_count(session);
        CHECK(nonet_session_play(session, nonet_session_nth(session, index), &why), "illegal");
    }
    return nonet_session_turn(session) != 0;
}

static const char *where(const struct nonet_session *session) {
    static char line[NONET_POSITION_TEXT + 128];
    struct nonet_text text = NONET_TEXT_IN(line);
    const struct nonet_options *options = nonet_session_options(session);
    nonet_options_write(options, &text);
    nonet_text_char(&text, ' ');
    options->game->write(options, nonet_session_state(session), &text);
    return line;
}

static enum judge_status judged(const struct nonet_session *session,
                                const struct judge_limits *limits) {
    assert_true(judge_begin(judge, session, limits));
    enum judge_status status = judge_advance(judge, UINT64_MAX);
    judge_verdict(judge, &verdict);
    return status;
}

static const struct judge_move *find(const struct judge_verdict *in, nonet_move move) {
    for (int i = 0; i < in->count; i++)
        if (in->moves[i].move == move)
            return &in->moves[i];
    fail_msg("a move is missing");
    return NULL;
}

static bool same_value(const struct nonet_value *a, const struct nonet_value *b) {
    if (a->outcome != b->outcome || a->has_margin != b->has_margin)
        return false;
    if (a->has_margin)
        return a->margin == b->margin;
    return a->outcome == NONET_DRAW || a->distance == b->distance;
}

/* Every move has the value that the prober gives it, and better moves come first. */
static void compare_with_prober(struct prober *prober, const struct nonet_session *session) {
    static struct prober_move moves[NONET_MAX_MOVES];
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    int count = prober_moves(prober, nonet_session_state(session), moves, &why);
    CHECK(count == verdict.count, "%s: %d moves, not %d %s", where(session), verdict.count, count,
          reason);
    for (int i = 0; i < count; i++) {
        const struct judge_move *move = find(&verdict, moves[i].move);
        CHECK(move->judged && move->opinion.known == NONET_PROVEN &&
                  same_value(&move->opinion.value, &moves[i].proof.value),
              "%s: %s is %d in %d, not %d in %d", where(session), moves[i].text,
              move->opinion.value.outcome, move->opinion.value.distance,
              moves[i].proof.value.outcome, moves[i].proof.value.distance);
        if (verdict.moves[0].opinion.chances[0] + verdict.moves[0].opinion.chances[1] == 0)
            CHECK(same_value(&verdict.moves[i].opinion.value, &moves[i].proof.value),
                  "%s: not in order", where(session));
    }
}

/* ---- Tables ---- */

static void agrees_with_prober(void **unused) {
    (void)unused;
    struct nonet_random random = {1};
    for (int i = 0; i < solved_count; i++) {
        const struct judge_limits limits = {.table = prober_table(solved[i].prober)};
        struct nonet_session *session = nonet_session_new(&solved[i].options);
        for (int n = 0; n < 150; n++) {
            while (nonet_session_undo(session))
                ;
            if (!wander(session, (int)nonet_random_below(&random, 40), &random))
                continue;
            /* Without the way there, so that no repetition counts. */
            struct nonet_session *here = nonet_session_new(&solved[i].options);
            struct nonet_message why;
            char line[NONET_POSITION_TEXT];
            struct nonet_text text = NONET_TEXT_IN(line);
            solved[i].options.game->write(&solved[i].options, nonet_session_state(session), &text);
            if (nonet_session_read(here, line, &why)) {
                assert_int_equal(judged(here, &limits), JUDGE_SETTLED);
                compare_with_prober(solved[i].prober, here);
                for (int k = 0; k < verdict.count; k++)
                    CHECK(judge_keeps(&verdict, &verdict.moves[k]) ==
                              (verdict.moves[k].opinion.value.outcome ==
                               verdict.moves[0].opinion.value.outcome),
                          "%s", where(here));
            }
            nonet_session_free(here);
        }
        nonet_session_free(session);
    }
}

/* Best play by both leads to the end in as many plies as the value says, and to its result. A drawn
 * line comes back to a position, or is as long as lines can be. */
static void lines_lead_to_the_end(void **unused) {
    (void)unused;
    struct nonet_random random = {2};
    for (int i = 0; i < solved_count; i++) {
        const struct judge_limits limits = {.table = prober_table(solved[i].prober)};
        for (int n = 0; n < 60; n++) {
            struct nonet_session *session = nonet_session_new(&solved[i].options);
            if (wander(session, (int)nonet_random_below(&random, 12), &random)) {
                judged(session, &limits);
                struct nonet_value value = verdict.moves[0].opinion.value;
                int mover = verdict.turn, length = verdict.line_length;
                assert_true(verdict.line[0] == verdict.moves[0].move && length >= 1);
                struct nonet_message why;
                for (int k = 0; k < length; k++)
                    CHECK(nonet_session_play(session, verdict.line[k], &why), "%s", where(session));
                bool over = nonet_session_turn(session) == 0;
                if (over) {
                    struct nonet_result result;
                    nonet_session_result(session, &result);
                    bool won = result.winners == 1u << (mover - 1);
                    bool lost = !(result.winners >> (mover - 1) & 1);
                    CHECK(value.outcome == (won    ? NONET_WIN
                                            : lost ? NONET_LOSS
                                                   : NONET_DRAW),
                          "%s", where(session));
                } else {
                    CHECK(value.outcome == NONET_DRAW, "%s", where(session));
                }
                if (value.outcome != NONET_DRAW && !value.has_margin)
                    CHECK(length == value.distance, "%s", where(session));
            }
            nonet_session_free(session);
        }
    }
}

static bool is_symmetric(const struct nonet_options *options, const void *a, const void *b) {
    const struct nonet_game *game = options->game;
    for (int i = 0; i < (game->symmetries != NULL ? game->symmetries(options) : 1); i++) {
        struct nonet_state turned = {0};
        if (i == 0)
            memcpy(&turned, a, game->state_size);
        else
            game->turn_state(options, i, a, &turned);
        if (memcmp(&turned, b, game->state_size) == 0)
            return true;
    }
    return false;
}

/* Two moves are twins if some symmetry makes one position after them of the other. */
static void twins_are_symmetric(void **unused) {
    (void)unused;
    struct nonet_random random = {3};
    int pairs = 0;
    for (int i = 0; i < solved_count; i++) {
        const struct nonet_options *options = &solved[i].options;
        const struct judge_limits limits = {.table = prober_table(solved[i].prober)};
        for (int n = 0; n < 25; n++) {
            struct nonet_session *session = nonet_session_new(options);
            if (wander(session, n % 8, &random)) {
                judged(session, &limits);
                static struct nonet_state after[NONET_MAX_MOVES];
                for (int a = 0; a < verdict.count; a++) {
                    memcpy(&after[a], nonet_session_state(session), options->game->state_size);
                    options->game->play(options, &after[a], NULL, verdict.moves[a].move);
                    int twin = 0;
                    while (!is_symmetric(options, &after[twin], &after[a]))
                        twin++;
                    CHECK(verdict.moves[a].twin == twin, "%s: move %d has twin %d, not %d",
                          where(session), a, verdict.moves[a].twin, twin);
                    CHECK(same_value(&verdict.moves[a].opinion.value,
                                     &verdict.moves[twin].opinion.value),
                          "%s", where(session));
                    pairs += twin != a;
                }
            }
            nonet_session_free(session);
        }
    }
    CHECK(pairs > (is_short ? 10 : 100), "only %d twins were met", pairs);
}

/* ---- A table that comes in pieces ---- */

/* Bytes that are not here until they have been asked for, and then brought. */
struct pieces {
    struct memory whole;
    unsigned char *here; /* for each byte: 0 not here, 1 asked for, 2 here */
    int asked;           /* pieces, since they were brought last */
};

static bool fetch_piece(void *context, uint64_t offset, void *bytes, size_t size) {
    struct pieces *pieces = context;
    bool all = offset + size <= pieces->whole.size;
    for (size_t i = 0; all && i < size; i++)
        all = pieces->here[offset + i] == 2;
    if (all)
        return fetch(&pieces->whole, offset, bytes, size);
    for (size_t i = 0; i < size && offset + i < pieces->whole.size; i++)
        pieces->here[offset + i] |= 1;
    pieces->asked++;
    return false;
}

static void bring(struct pieces *pieces) {
    for (size_t i = 0; i < pieces->whole.size; i++)
        pieces->here[i] = pieces->here[i] != 0 ? 2 : 0;
    pieces->asked = 0;
}

static struct pieces read_pieces(const struct nonet_options *options) {
    char path[TABLE_PATH], reason[256];
    struct nonet_text text = NONET_TEXT_IN(path), why = NONET_TEXT_IN(reason);
    nonet_text_format(&text, "%s/", folder);
    table_file_name(options, &text);
    struct pieces pieces = {0};
    pieces.whole.bytes = (unsigned char *)files_read(path, 1 << 24, &pieces.whole.size, &why);
    CHECK(pieces.whole.bytes != NULL, "%s: %s", path, reason);
    pieces.here = calloc(1, pieces.whole.size);
    return pieces;
}

static void waits_for_bytes(void **unused) {
    (void)unused;
    const struct solved *one = &solved[0];
    struct nonet_random random = {4};
    struct pieces pieces = read_pieces(&one->options);
    struct nonet_table *table = NULL;
    struct nonet_message why;
    int rounds = 0;
    while (table == NULL && rounds++ < 4) {
        table = nonet_table_open(&one->options, fetch_piece, &pieces, pieces.whole.size, &why);
        bring(&pieces);
    }
    assert_non_null(table);
    int waited = 0;
    for (int n = 0; n < 40; n++) {
        struct nonet_session *session = nonet_session_new(&one->options);
        if (wander(session, n % 10, &random)) {
            struct judge_limits limits = {.table = prober_table(one->prober), .no_line = true};
            assert_int_equal(judged(session, &limits), JUDGE_SETTLED);
            other = verdict;
            limits.table = table;
            if (judged(session, &limits) == JUDGE_WAITING) {
                CHECK(pieces.asked > 0, "it waits for nothing");
                /* As long as nothing comes, it waits; what it has is right. */
                assert_int_equal(judge_advance(judge, UINT64_MAX), JUDGE_WAITING);
                bring(&pieces);
                waited++;
                /* One pass asks for all that is needed. */
                assert_int_equal(judge_advance(judge, UINT64_MAX), JUDGE_SETTLED);
                judge_verdict(judge, &verdict);
            }
            assert_int_equal(verdict.line_length, 1);
            assert_int_equal(verdict.count, other.count);
            for (int i = 0; i < verdict.count; i++)
                CHECK(
                    verdict.moves[i].judged && verdict.moves[i].move == other.moves[i].move &&
                        same_value(&verdict.moves[i].opinion.value, &other.moves[i].opinion.value),
                    "%s", where(session));
        }
        nonet_session_free(session);
    }
    CHECK(waited > 3, "it waited only %d times", waited);
    nonet_table_close(table);
    free(pieces.whole.bytes);
    free(pieces.here);
}

/* A damaged block is told, and the search goes on without the table. */
static void damage_is_told(void **unused) {
    (void)unused;
    const struct solved *one = &solved[0];
    struct pieces pieces = read_pieces(&one->options);
    struct nonet_message why;
    struct nonet_table *table =
        nonet_table_open(&one->options, fetch, &pieces.whole, pieces.whole.size, &why);
    assert_non_null(table);
    /* All blocks, but not the index at the end, which is read already. */
    for (size_t i = 400; i < pieces.whole.size; i++)
        pieces.whole.bytes[i] ^= 0x55;
    struct nonet_session *session = nonet_session_new(&one->options);
    const struct judge_limits limits = {.table = table, .nodes = 3000};
    assert_int_equal(judged(session, &limits), JUDGE_SETTLED);
    assert_true(judge_table_failed(judge, &why));
    assert_non_null(why.phrase);
    CHECK(verdict.depth > 0 && verdict.moves[0].judged, "the search took over");
    const struct judge_limits good = {.table = prober_table(one->prober)};
    judged(session, &good);
    assert_false(judge_table_failed(judge, &why));
    nonet_session_free(session);
    nonet_table_close(table);
    free(pieces.whole.bytes);
    free(pieces.here);
}

/* ---- Proofs by search ---- */

/* Near the end of a game the search alone finds what the table says. */
static void search_proves_what_tables_say(void **unused) {
    (void)unused;
    struct nonet_random random = {5};
    const struct judge_limits limits = {.proof_nodes = 300000, .nodes = 2000};
    int compared = 0;
    for (int i = 0; i < solved_count; i++) {
        if (solved[i].options.game->facts & NONET_REPETITION_DRAWS)
            continue; /* such games have no last moves */
        for (int n = 0; n < 12; n++) {
            struct nonet_session *session = nonet_session_new(&solved[i].options);
            struct nonet_session *lead = nonet_session_new(&solved[i].options);
            wander(lead, 1000, &random);
            struct nonet_message why;
            for (int k = 0; k < nonet_session_ply(lead) - 5; k++)
                nonet_session_play(session, nonet_session_move(lead, k), &why);
            assert_int_equal(judged(session, &limits), JUDGE_SETTLED);
            compare_with_prober(solved[i].prober, session);
            compared++;
            nonet_session_free(lead);
            nonet_session_free(session);
        }
    }
    assert_true(is_short || compared > 30);
}

/* Small frames of Ksar are proven from the first move on, in any portions. */
static void small_frames(void **unused) {
    (void)unused;
    static const char *const names[] = {"ksar:frame=3x4", "ksar:frame=4x4", "ksar:frame=3x5"};
    struct nonet_random random = {6};
    for (int i = 0; i < 3; i++) {
        struct solved frame = {.options = options_of(names[i])};
        open_prober(&frame);
        const struct judge_limits limits = {.proof_nodes = 3000000, .nodes = 20000};
        for (int n = 0; n < 4; n++) {
            struct nonet_session *session = nonet_session_new(&frame.options);
            if (wander(session, n, &random)) {
                assert_true(judge_begin(judge, session, &limits));
                while (judge_advance(judge, 1000) == JUDGE_WORKING) {
                    judge_verdict(judge, &verdict);
                    CHECK(verdict.count == (int)nonet_session_count(session), "moves are missing");
                }
                judge_verdict(judge, &verdict);
                compare_with_prober(frame.prober, session);
            }
            nonet_session_free(session);
        }
        prober_close(frame.prober);
    }
}

/* Three and four players: values as the prober's, and chances that add up to one win. */
static void several_players(void **unused) {
    (void)unused;
    static const char *const names[] = {"chasm:players=3", "chasm:players=4"};
    struct nonet_random random = {7};
    for (int i = 0; i < 2; i++) {
        struct solved chasm = {.options = options_of(names[i])};
        open_prober(&chasm);
        const struct judge_limits limits = {.proof_nodes = 2000000, .nodes = 30000};
        for (int n = 0; n < 6; n++) {
            struct nonet_session *session = nonet_session_new(&chasm.options);
            struct nonet_session *lead = nonet_session_new(&chasm.options);
            wander(lead, 1000, &random);
            struct nonet_message why;
            for (int k = 0; k < nonet_session_ply(lead) - 4; k++)
                nonet_session_play(session, nonet_session_move(lead, k), &why);
            struct nonet_session *here = nonet_session_new(&chasm.options);
            char line[NONET_POSITION_TEXT];
            struct nonet_text text = NONET_TEXT_IN(line);
            chasm.options.game->write(&chasm.options, nonet_session_state(session), &text);
            if (nonet_session_read(here, line, &why) && nonet_session_turn(here) != 0) {
                assert_int_equal(judged(here, &limits), JUDGE_SETTLED);
                compare_with_prober(chasm.prober, here);
                for (int k = 0; k < verdict.count; k++) {
                    const struct nonet_opinion *opinion = &verdict.moves[k].opinion;
                    int sum = 0;
                    for (int p = 0; p < chasm.options.players; p++)
                        sum += opinion->chances[p];
                    CHECK(sum > NONET_SCORE_WON - chasm.options.players && sum <= NONET_SCORE_WON,
                          "%s: the chances are %d together", where(here), sum);
                    CHECK(abs(2 * opinion->chances[verdict.turn - 1] - NONET_SCORE_WON -
                              opinion->score) <= 4,
                          "%s: score %d, chance %d", where(here), opinion->score,
                          opinion->chances[verdict.turn - 1]);
                    CHECK(opinion->value.outcome != NONET_WIN ||
                              opinion->chances[verdict.turn - 1] == NONET_SCORE_WON,
                          "%s", where(here));
                }
            }
            nonet_session_free(here);
            nonet_session_free(lead);
            nonet_session_free(session);
        }
        prober_close(chasm.prober);
    }
}

/* In Fullend without a limit of pieces the first player wins by reflection, and the second loses
 * whatever they do. */
static void arguments(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("fullend:supply=unlimited");
    struct nonet_session *session = nonet_session_new(&options);
    const struct judge_limits limits = {.proof_nodes = 1, .nodes = 40};
    struct nonet_message why;
    assert_int_equal(judged(session, &limits), JUDGE_SETTLED);
    assert_int_equal(verdict.moves[0].opinion.known, NONET_PROVEN);
    assert_int_equal(verdict.moves[0].opinion.value.outcome, NONET_WIN);
    assert_string_equal(verdict.by, "mirror");
    assert_true(nonet_session_play(session, verdict.moves[0].move, &why));
    assert_int_equal(judged(session, &limits), JUDGE_SETTLED);
    assert_int_equal(verdict.turn, 2);
    assert_true(verdict.count > 0);
    for (int i = 0; i < verdict.count; i++) {
        assert_int_equal(verdict.moves[i].opinion.known, NONET_PROVEN);
        assert_int_equal(verdict.moves[i].opinion.value.outcome, NONET_LOSS);
    }
    nonet_session_free(session);
}

/* ---- What must always hold ---- */

/* Searches stop at their limits, and portions make no difference to what is said. */
static void limits_are_kept(void **unused) {
    (void)unused;
    static const char *const names[] = {"ksar:frame=10x10", "kolem:steps=4", "chasm:players=3",
                                        "masker:players=3", "fullend:supply=24"};
    for (int i = 0; i < 5; i++) {
        struct nonet_options options = options_of(names[i]);
        nonet_options_deal(&options, 1, 2);
        const struct nonet_game *game = options.game;
        struct nonet_session *session = nonet_session_new(&options);
        struct judge_limits limits = {.proof_nodes = 5000, .nodes = 6000, .seed = 9};
        if (game->wide != NULL)
            limits.nodes = 20;
        assert_int_equal(judged(session, &limits), JUDGE_SETTLED);
        CHECK(verdict.nodes <= limits.proof_nodes + limits.nodes, "%s: %llu nodes", names[i],
              (unsigned long long)verdict.nodes);
        CHECK(verdict.turn == 1 && verdict.count > 0 && verdict.moves[0].judged, "%s", names[i]);
        CHECK(game->wide != NULL || verdict.count == (int)nonet_session_count(session), "%s",
              names[i]);
        other = verdict;
        assert_true(judge_begin(judge, session, &limits));
        while (judge_advance(judge, 7) == JUDGE_WORKING)
            ;
        judge_verdict(judge, &verdict);
        assert_int_equal(verdict.count, other.count);
        for (int k = 0; k < verdict.count; k++)
            CHECK(verdict.moves[k].move == other.moves[k].move &&
                      verdict.moves[k].opinion.score == other.moves[k].opinion.score,
                  "%s: portions matter", names[i]);
        nonet_session_free(session);
    }
}

/* Positions that differ only in what the seat may not know are judged alike. */
static void nothing_hidden_is_told(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("masker:players=2");
    nonet_options_deal(&options, 3, 4);
    const struct nonet_hidden *hidden = options.game->hidden;
    struct nonet_session *session = nonet_session_new(&options);
    struct nonet_random random = {8};
    assert_true(wander(session, 2, &random));
    int seat = nonet_session_turn(session);
    struct nonet_state seen, state;
    nonet_observe(&options, nonet_session_state(session), seat, &seen);
    int worlds = hidden->worlds(&options, &seen, seat);
    assert_true(worlds > 1);
    const struct judge_limits limits = {.proof_nodes = 1000, .nodes = 4000};
    for (int i = 0; i < worlds; i++) {
        char line[NONET_POSITION_TEXT];
        struct nonet_text text = NONET_TEXT_IN(line);
        struct nonet_message why;
        hidden->world(&options, &seen, seat, i, &state);
        options.game->write(&options, &state, &text);
        assert_true(nonet_session_read(session, line, &why));
        assert_int_equal(judged(session, &limits), JUDGE_SETTLED);
        if (i == 0)
            other = verdict;
        assert_int_equal(verdict.count, other.count);
        for (int k = 0; k < verdict.count; k++)
            CHECK(verdict.moves[k].move == other.moves[k].move &&
                      verdict.moves[k].opinion.score == other.moves[k].opinion.score,
                  "world %d is judged in another way", i);
    }
    nonet_session_free(session);
}

/* Goes forth and back until one more move would make a third occurrence: that move is a draw. */
static void repetitions_are_draws(void **unused) {
    (void)unused;
    const struct solved *one = &solved[0];
    const struct judge_limits limits = {.table = prober_table(one->prober)};
    struct nonet_random random = {9};
    int met = 0;
    for (int tries = 0; tries < 3000 && met < 3; tries++) {
        struct nonet_session *session = nonet_session_new(&one->options);
        struct nonet_message why;
        bool cycle = wander(session, 4, &random);
        const void *first = nonet_session_state_before(session, 0);
        cycle = cycle &&
                memcmp(nonet_session_state(session), first, one->options.game->state_size) == 0;
        nonet_move moves[4];
        for (int i = 0; cycle && i < 4; i++)
            moves[i] = nonet_session_move(session, i);
        for (int i = 0; cycle && i < 3; i++)
            assert_true(nonet_session_play(session, moves[i], &why));
        if (cycle) {
            assert_int_equal(judged(session, &limits), JUDGE_SETTLED);
            const struct judge_move *back = find(&verdict, moves[3]);
            assert_int_equal(back->opinion.known, NONET_PROVEN);
            assert_int_equal(back->opinion.value.outcome, NONET_DRAW);
            assert_true(nonet_session_play(session, moves[3], &why));
            assert_int_equal(nonet_session_turn(session), 0);
            /* Nothing to judge any more. */
            assert_int_equal(judged(session, &limits), JUDGE_SETTLED);
            assert_int_equal(verdict.turn, 0);
            assert_int_equal(verdict.count, 0);
            met++;
        }
        nonet_session_free(session);
    }
    assert_int_equal(met, 3);
}

static int open_all(void **state) {
    return open_tables(state) != 0 || open_judge(state) != 0;
}

static int close_all(void **state) {
    return close_judge(state) | close_tables(state);
}

int main(int count, char **arguments_given) {
    if (count < 2)
        return 2;
    kolem_table = arguments_given[1];
    is_short = count > 2 && strcmp(arguments_given[2], "short") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_prober),
        cmocka_unit_test(lines_lead_to_the_end),
        cmocka_unit_test(twins_are_symmetric),
        cmocka_unit_test(waits_for_bytes),
        cmocka_unit_test(damage_is_told),
        cmocka_unit_test(search_proves_what_tables_say),
        cmocka_unit_test(small_frames),
        cmocka_unit_test(several_players),
        cmocka_unit_test(arguments),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(nothing_hidden_is_told),
        cmocka_unit_test(repetitions_are_draws),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
