/* The player for wide games: the parts that Fullend's floor falls into, compared with its rules;
 * proven results, compared with a plain search that knows no parts; and what every searcher must
 * respect. Called as "test-wide short", as under sanitizers, it searches less deeply and does not
 * measure strength. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "check.h"
#include "rules/parts.h"
#include "rules/wide.h"
#include "search/search.h"
#include "variants.h"

static bool is_short;

static const struct nonet_game *game;
static const struct nonet_wide *wide;
static const struct nonet_parts *parts;
static const struct nonet_sketch *sketch;

enum { ROOM = 4 << 20 };

static void *block(size_t size) {
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

/* A position of a random game, with what belongs to it. */
struct table {
    struct nonet_options options;
    struct nonet_state state;
    void *workspace;
    struct nonet_random random;
};

static struct table table_new(const char *variant, uint64_t seed) {
    struct table table = {.workspace = new_workspace(game), .random = {seed}};
    table.options = options_of(variant);
    game->start(&table.options, &table.state, table.workspace);
    return table;
}

static uint64_t count_of(const struct table *table) {
    return wide->count(&table->options, &table->state, table->workspace);
}

static nonet_move nth_of(const struct table *table, uint64_t index) {
    return wide->nth(&table->options, &table->state, table->workspace, index);
}

static nonet_move random_placing(struct table *table) {
    return nth_of(table, nonet_random_below(&table->random, (uint32_t)count_of(table)));
}

static void lay(struct table *table, nonet_move move) {
    game->play(&table->options, &table->state, table->workspace, move);
}

static const char *text_of(const struct table *table) {
    static char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    game->write(&table->options, &table->state, &text);
    return line;
}

static void gather(const struct table *table, void *part) {
    assert_true(parts->gather(&table->options, table->workspace, part, ROOM));
}

static void assert_same_part(const void *a, const void *b) {
    assert_int_equal(parts->size(a), parts->size(b));
    assert_memory_equal(a, b, parts->size(a));
}

/* ---- Parts ---- */

/* The moves left on the whole floor are those that the rules allow. */
static void parts_follow_the_rules(void **unused) {
    (void)unused;
    void *part = block(ROOM), *left = block(ROOM), *expected = block(ROOM);
    for (uint64_t seed = 1; seed <= 1; seed++) {
        struct table table = table_new("fullend:supply=unlimited", seed);
        while (count_of(&table) > 0) {
            gather(&table, part);
            assert_int_equal(parts->count(part), count_of(&table));
            for (int i = 0; i < 50; i++) {
                uint32_t index = nonet_random_below(&table.random, (uint32_t)count_of(&table));
                assert_int_equal(parts->nth(part, index), nth_of(&table, index));
            }
            nonet_move move = random_placing(&table);
            assert_true(parts->play(part, move, left, ROOM));
            lay(&table, move);
            gather(&table, expected);
            assert_same_part(left, expected);
        }
        free(table.workspace);
    }
    free(part);
    free(left);
    free(expected);
}

/* It uses no more than the bytes that it was given. */
static void parts_keep_to_their_room(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=24", 5);
    while (count_of(&table) > 100000)
        lay(&table, random_placing(&table));
    unsigned char *part = block(ROOM), *left = block(ROOM);
    gather(&table, part);
    size_t size = parts->size(part);
    assert_false(parts->gather(&table.options, table.workspace, left, size - 8));
    assert_true(parts->gather(&table.options, table.workspace, left, size));
    memset(left, 0xa5, ROOM);
    assert_false(parts->play(part, random_placing(&table), left, 80));
    assert_int_equal(parts->split(part, left, size - 8), 0);
    for (size_t i = 80; i < ROOM; i++)
        assert_int_equal(left[i], 0xa5);
    free(part);
    free(left);
    free(table.workspace);
}

/* A move forbids nothing in another part, and has the same effect in its own part as on the floor.
 */
static void check_split(struct table *table, const void *whole, void *pieces, void *left,
                        int *singles) {
    int found = parts->split(whole, pieces, ROOM);
    CHECK(found > 0, "%s", text_of(table));
    uint32_t sum = 0;
    unsigned char *own = pieces;
    for (int i = 0; i < found; i++, own += parts->size(own)) {
        uint32_t count = parts->count(own);
        CHECK(count > 0, "%s", text_of(table));
        const unsigned char *other = pieces;
        for (int j = 0; j < found; j++, other += parts->size(other))
            CHECK(parts->contains(other, parts->nth(own, count / 2)) == (i == j), "%s",
                  text_of(table));
        sum += count;
        bool is_single = parts->is_single(own);
        *singles += is_single;
        for (int k = 0; k < 8; k++) {
            nonet_move move = parts->nth(own, nonet_random_below(&table->random, count));
            CHECK(wide->test(&table->options, &table->state, table->workspace, move), "%s",
                  text_of(table));
            assert_true(parts->play(own, move, left, ROOM));
            uint32_t after = parts->count(left);
            CHECK(!is_single || after == 0, "%s", text_of(table));
            assert_true(parts->play(whole, move, left, ROOM));
            CHECK(parts->count(left) == parts->count(whole) - count + after, "%s", text_of(table));
        }
    }
    CHECK(sum == parts->count(whole), "%s", text_of(table));
}

static void parts_are_independent(void **unused) {
    (void)unused;
    void *whole = block(ROOM), *pieces = block(ROOM), *left = block(ROOM);
    int singles = 0;
    for (uint64_t seed = 10; seed < 13; seed++) {
        struct table table = table_new("fullend:supply=unlimited", seed);
        while (count_of(&table) > 0) {
            if (count_of(&table) < 1000000) {
                gather(&table, whole);
                check_split(&table, whole, pieces, left, &singles);
            }
            lay(&table, random_placing(&table));
        }
        free(table.workspace);
    }
    assert_true(singles > 20);
    free(whole);
    free(pieces);
    free(left);
}

/* ---- The rough picture ---- */

static nonet_move move_of(const struct table *table, const char *text) {
    nonet_move move;
    struct nonet_message why;
    assert_true(game->parse(&table->options, text, &move, &why));
    return move;
}

/* A hundred times the mean number of moves that playouts make after a move. */
static int played_out(const struct table *table, nonet_move move, int limit, bool wasting) {
    enum { PLAYOUTS = 64 };
    void *picture = block(sketch->size);
    struct nonet_random random = {7};
    int moves = 0;
    sketch->draw(&table->options, table->workspace, picture);
    for (int i = 0; i < PLAYOUTS; i++) {
        int made = sketch->playout(picture, move, limit, wasting, &random);
        assert_true(made >= 0 && made <= limit);
        moves += made;
    }
    free(picture);
    return moves * 100 / PLAYOUTS;
}

/* Playouts are about as long as random games by the rules. */
static void playouts_are_like_games(void **unused) {
    (void)unused;
    for (uint64_t seed = 50; seed < 53; seed++) {
        enum { GAMES = 8 };
        struct table table = table_new("fullend:supply=unlimited", seed), copy = table;
        for (int ply = 0; ply < 8; ply++)
            lay(&table, random_placing(&table));
        nonet_move move = random_placing(&table);
        int moves = 0, playouts = played_out(&table, move, 64, seed % 2 == 0);
        copy.workspace = new_workspace(game);
        for (int i = 0; i < GAMES; i++) {
            copy.state = table.state;
            memcpy(copy.workspace, table.workspace, wide->workspace_size);
            copy.random = (struct nonet_random){(uint64_t)i};
            for (lay(&copy, move); count_of(&copy) > 0; moves++)
                lay(&copy, random_placing(&copy));
        }
        int games = moves * 100 / GAMES;
        CHECK(playouts > games - 500 && playouts < games + 300, "%d against %d after %s", playouts,
              games, text_of(&table));
        free(copy.workspace);
        free(table.workspace);
    }
}

/* A piece in the corner leaves more room than one that makes the space beside it too narrow. */
static void pictures_show_waste(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=24", 1);
    nonet_move saving = move_of(&table, "edge@36,12,0"), wasting = move_of(&table, "flat@59,59,0");
    void *picture = block(sketch->size);
    sketch->draw(&table.options, table.workspace, picture);
    assert_true(sketch->look(picture, saving, false) > sketch->look(picture, wasting, false));
    assert_true(sketch->look(picture, saving, true) > sketch->look(picture, wasting, true));
    assert_true(played_out(&table, saving, 64, false) > played_out(&table, wasting, 64, false));
    assert_int_equal(played_out(&table, wasting, 5, true), 500); /* five more fit in any case */
    free(picture);
    free(table.workspace);
}

/* In the end, nothing is left of it. */
static void pictures_show_no_room_where_there_is_none(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=unlimited", 60);
    for (nonet_move last = 0; count_of(&table) > 0; lay(&table, last)) {
        last = random_placing(&table);
        struct nonet_state state = table.state;
        void *workspace = new_workspace(game);
        memcpy(workspace, table.workspace, wide->workspace_size);
        game->play(&table.options, &state, workspace, last);
        if (wide->count(&table.options, &state, workspace) == 0)
            assert_int_equal(played_out(&table, last, 64, true), 0);
        free(workspace);
    }
    free(table.workspace);
}

static void variations_are_similar(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=24", 3);
    int legal = 0;
    for (int i = 0; i < 1000; i++) {
        nonet_move move = random_placing(&table), varied = sketch->vary(move, &table.random);
        char name[2][NONET_MOVE_TEXT];
        struct nonet_text first = NONET_TEXT_IN(name[0]), second = NONET_TEXT_IN(name[1]);
        game->print(&table.options, move, &first);
        game->print(&table.options, varied, &second);
        assert_int_equal(name[0][0], name[1][0]); /* flat or standing */
        assert_int_equal(move_of(&table, name[1]), varied);
        legal += wide->test(&table.options, &table.state, table.workspace, varied);
    }
    assert_true(legal > 700);
    free(table.workspace);
}

/* ---- Proofs ---- */

/* The plainest search: the rules say which moves forbid which, one pair after the other. Then all
 * orders of play are followed, with only a memory for sets of moves. */
enum { FEW = 384, WORDS = FEW / 64, MEMORY = 1 << 18 };
struct set {
    uint64_t word[WORDS];
};
struct plain {
    int count;
    nonet_move moves[FEW];
    struct set after[FEW]; /* the moves that each leaves legal */
    struct memory {
        struct set set;
        int limit;
        bool known, wins;
    } memory[MEMORY];
};

static bool has(const struct set *set, int i) {
    return (set->word[i / 64] >> i % 64 & 1) != 0;
}

static struct set common(struct set a, struct set b) {
    for (int i = 0; i < WORDS; i++)
        a.word[i] &= b.word[i];
    return a;
}

/* Whether the player to move wins, with this many pieces left in the box. */
static bool plain_wins(struct plain *plain, struct set set, int limit) {
    uint64_t hash = nonet_hash(&set, sizeof set) + (uint64_t)limit;
    struct memory *memory = &plain->memory[hash % MEMORY];
    if (memory->known && memory->limit == limit && memcmp(&memory->set, &set, sizeof set) == 0)
        return memory->wins;
    bool wins = false;
    for (int i = 0; i < plain->count && limit > 0 && !wins; i++)
        wins = has(&set, i) && !plain_wins(plain, common(set, plain->after[i]), limit - 1);
    *memory = (struct memory){set, limit, true, wins};
    return wins;
}

static struct plain *plain_new(const struct table *table) {
    struct plain *plain = calloc(1, sizeof *plain);
    void *workspace = new_workspace(game);
    assert_non_null(plain);
    plain->count = (int)count_of(table);
    for (int i = 0; i < plain->count; i++)
        plain->moves[i] = nth_of(table, (uint64_t)i);
    for (int i = 0; i < plain->count; i++) {
        struct nonet_state state = table->state;
        memcpy(workspace, table->workspace, wide->workspace_size);
        game->play(&table->options, &state, workspace, plain->moves[i]);
        for (int j = 0; j < plain->count; j++) {
            if (wide->test(&table->options, &state, workspace, plain->moves[j]))
                plain->after[i].word[j / 64] |= (uint64_t)1 << j % 64;
        }
    }
    free(workspace);
    return plain;
}

static struct nonet_search_task task_of(const struct table *table, int level, uint64_t seed) {
    struct nonet_search_task task = {
        .options = table->options,
        .seat = game->turn(&table->options, &table->state),
        .level = level,
        .seed = seed,
        .state = table->state,
        .workspace = table->workspace,
        .memory = NONET_SEARCH_MEMORY,
    };
    return task;
}

static void search(const struct nonet_search_task *task, uint64_t nodes,
                   struct nonet_report *report) {
    void *memory = block(nonet_search_wide.size(task));
    nonet_search_wide.begin(memory, task);
    nonet_search_wide.advance(memory, nodes);
    nonet_search_wide.report(memory, report);
    free(memory);
}

/* Pieces that may still be placed, counted by the rules alone. */
static int limit_of(const struct table *table) {
    const char *text = text_of(table);
    int placed = 0;
    for (const char *c = text; *c != '\0'; c++)
        placed += *c == '@';
    return strcmp(table->options.value[0].text, "24") == 0 ? 24 - placed : 64;
}

static void check_proofs(struct table *table, uint64_t seed, int *proven, int *won) {
    static struct nonet_report report;
    struct nonet_search_task task = task_of(table, NONET_SEARCH_LEVELS, seed);
    search(&task, 20000, &report);
    struct plain *plain = plain_new(table);
    int limit = limit_of(table);
    if (report.moves[0].known == NONET_PROVEN) {
        struct set all;
        memset(&all, 0xff, sizeof all);
        for (int i = plain->count; i < FEW; i++)
            all.word[i / 64] &= ~((uint64_t)1 << i % 64);
        CHECK(plain_wins(plain, all, limit) == (report.moves[0].value.outcome == NONET_WIN), "%s",
              text_of(table));
    }
    for (int i = 0; i < report.count; i++) {
        if (report.moves[i].known != NONET_PROVEN)
            continue;
        int at = 0;
        while (at < plain->count && plain->moves[at] != report.moves[i].move)
            at++;
        CHECK(at < plain->count, "%s", text_of(table));
        bool wins = !plain_wins(plain, plain->after[at], limit - 1);
        CHECK(wins == (report.moves[i].value.outcome == NONET_WIN), "%s: move %d", text_of(table),
              at);
        ++*proven;
        *won += wins;
    }
    free(plain);
}

static void proofs_hold(void **unused) {
    (void)unused;
    static const char *const supplies[] = {"fullend:supply=24", "fullend:supply=unlimited"};
    int proven = 0, won = 0, positions = 0;
    for (uint64_t seed = 100; seed < 110; seed++) {
        struct table table = table_new(supplies[seed % 2], seed);
        while (count_of(&table) > 0) {
            if (count_of(&table) <= FEW) {
                check_proofs(&table, seed, &proven, &won);
                positions++;
            }
            lay(&table, random_placing(&table));
        }
        free(table.workspace);
    }
    assert_true(positions > 10);
    assert_true(proven > positions && won > positions / 4 && won < proven);
}

/* ---- What every searcher must respect ---- */

static void assert_same_report(const struct nonet_report *a, const struct nonet_report *b) {
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->count, b->count);
    assert_string_equal(a->by, b->by);
    for (int i = 0; i < a->count; i++) {
        assert_int_equal(a->moves[i].move, b->moves[i].move);
        assert_int_equal(a->moves[i].score, b->moves[i].score);
        assert_int_equal(a->moves[i].known, b->moves[i].known);
    }
}

static void portions_make_no_difference(void **unused) {
    (void)unused;
    static struct nonet_report once, twice, often;
    struct table table = table_new("fullend:supply=24", 31);
    for (int ply = 0; count_of(&table) > 0; ply++) {
        if (ply % 5 == 4) {
            const uint64_t nodes = (ply < 14 ? 40u : 600u) / (is_short ? 4u : 1u);
            struct nonet_search_task task = task_of(&table, NONET_SEARCH_LEVELS, 9);
            search(&task, nodes, &once);
            search(&task, nodes, &twice);
            assert_same_report(&once, &twice);
            void *memory = block(nonet_search_wide.size(&task));
            nonet_search_wide.begin(memory, &task);
            for (uint64_t done = 0, step = 1; done < nodes; step = step % 7 + 1) {
                step = step < nodes - done ? step : nodes - done;
                nonet_search_wide.advance(memory, step);
                if (step == 7) /* asking for a report disturbs nothing */
                    nonet_search_wide.report(memory, &often);
                done += step;
            }
            nonet_search_wide.report(memory, &often);
            assert_same_report(&once, &often);
            free(memory);
        }
        lay(&table, random_placing(&table));
    }
    free(table.workspace);
}

/* Counts saturate: a caller who allows all nodes after some gets no fewer than before. */
static void all_nodes(void **unused) {
    (void)unused;
    struct table table = table_new("fullend:supply=24", 31);
    while (limit_of(&table) > 3 && count_of(&table) > 0)
        lay(&table, random_placing(&table));
    assert_true(count_of(&table) > 0);
    struct nonet_search_task task = task_of(&table, NONET_SEARCH_LEVELS, 9);
    void *memory = block(nonet_search_wide.size(&task));
    nonet_search_wide.begin(memory, &task);
    assert_false(nonet_search_wide.advance(memory, 1));
    assert_true(nonet_search_wide.advance(memory, UINT64_MAX));
    free(memory);
    free(table.workspace);
}

/* Whole games of two levels: only legal moves, each reported once, and proofs only at the highest
 * level. */
static void moves_are_legal(void **unused) {
    (void)unused;
    static struct nonet_report report;
    for (int level = 1; level <= NONET_SEARCH_LEVELS; level += 3) {
        struct table table = table_new("fullend:supply=24", (uint64_t)level);
        while (count_of(&table) > 0) {
            struct nonet_search_task task = task_of(&table, level, 3);
            search(&task, 0, &report);
            assert_int_equal(report.count, 1);
            search(&task, 40, &report);
            assert_true(report.count > 0 && report.nodes <= 40);
            for (int i = 0; i < report.count; i++) {
                const struct nonet_opinion *opinion = &report.moves[i];
                assert_true(
                    wide->test(&table.options, &table.state, table.workspace, opinion->move));
                assert_true(level == NONET_SEARCH_LEVELS || opinion->known != NONET_PROVEN);
                assert_true(i == 0 || opinion->score <= report.moves[i - 1].score);
                for (int j = 0; j < i; j++)
                    assert_true(report.moves[j].move != opinion->move);
            }
            lay(&table, report.moves[0].move);
        }
        free(table.workspace);
    }
}

/* With little memory it still plays, and uses no more than it says. */
static void little_memory(void **unused) {
    (void)unused;
    static struct nonet_report report;
    struct table table = table_new("fullend:supply=24", 77);
    struct nonet_search_task task = task_of(&table, NONET_SEARCH_LEVELS, 3);
    task.memory = 1 << 20;
    assert_true(nonet_search_wide.size(&task) < 10 << 20);
    search(&task, 20, &report);
    assert_true(wide->test(&table.options, &table.state, table.workspace, report.moves[0].move));
    task.memory = NONET_SEARCH_MEMORY;
    assert_true(nonet_search_wide.size(&task) <= NONET_SEARCH_MEMORY);
    free(table.workspace);
}

/* ---- Strength ---- */

/* Which of two players wins a game: each is a searcher, a level and nodes for each move. */
struct player {
    const struct nonet_searcher *searcher;
    int level;
    uint64_t nodes;
};

static int winner_of(struct table *table, const struct player players[2], uint64_t seed,
                     const char **by) {
    static struct nonet_report report;
    while (count_of(table) > 0) {
        int seat = game->turn(&table->options, &table->state);
        const struct player *player = &players[seat - 1];
        struct nonet_search_task task = task_of(table, player->level, seed);
        void *memory = block(player->searcher->size(&task));
        player->searcher->begin(memory, &task);
        player->searcher->advance(memory, player->nodes);
        player->searcher->report(memory, &report);
        by[seat - 1] = report.by;
        free(memory);
        lay(table, report.moves[0].move);
    }
    struct nonet_result result;
    game->result(&table->options, &table->state, &result);
    return result.winners == 1 ? 1 : 2;
}

static void mirror_always_wins(void **unused) {
    (void)unused;
    static const struct player others[] = {
        {&nonet_search_random, 1, 1}, {&nonet_search_uct, 10, 60}, {&nonet_search_wide, 10, 80}};
    for (int i = 0; i < 3; i++) {
        const struct player players[2] = {{&nonet_search_wide, 10, 1}, others[i]};
        struct table table = table_new("fullend:supply=unlimited", (uint64_t)i);
        const char *by[2];
        assert_int_equal(winner_of(&table, players, (uint64_t)i, by), 1);
        assert_string_equal(by[0], "mirror");
        free(table.workspace);
    }
}

/* Player 1 must fill the floor before the box is empty, so random moves almost never win. */
static void beats_chance(void **unused) {
    (void)unused;
    if (is_short)
        skip();
    int wins = 0;
    for (int i = 0; i < 4; i++) {
        struct player players[2] = {{&nonet_search_random, 1, 1}, {&nonet_search_random, 1, 1}};
        players[i % 2] = (struct player){&nonet_search_wide, 10, 200};
        struct table table = table_new("fullend:supply=24", (uint64_t)i);
        const char *by[2];
        wins += winner_of(&table, players, (uint64_t)i, by) == i % 2 + 1;
        free(table.workspace);
    }
    assert_true(wins >= 3);
}

int main(int count, char **arguments) {
    is_short = count > 1 && strcmp(arguments[1], "short") == 0;
    game = nonet_game_find("fullend");
    wide = game->wide;
    parts = wide->parts;
    sketch = parts->sketch;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_follow_the_rules),
        cmocka_unit_test(parts_keep_to_their_room),
        cmocka_unit_test(parts_are_independent),
        cmocka_unit_test(playouts_are_like_games),
        cmocka_unit_test(pictures_show_waste),
        cmocka_unit_test(pictures_show_no_room_where_there_is_none),
        cmocka_unit_test(variations_are_similar),
        cmocka_unit_test(proofs_hold),
        cmocka_unit_test(portions_make_no_difference),
        cmocka_unit_test(all_nodes),
        cmocka_unit_test(moves_are_legal),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(mirror_always_wins),
        cmocka_unit_test(beats_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
