/* Sessions: a tree of variations that is walked, rearranged and pruned at random, compared with a
 * plain model of it; repetitions, counted by comparing everything; sessions that share a scratch;
 * limits. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "check.h"
#include "rules/session.h"
#include "variants.h"

static struct nonet_session *begin(const struct nonet_options *options) {
    struct nonet_session *session = nonet_session_new(options);
    assert_non_null(session);
    return session;
}

/* The model: a node is the list of moves that lead to it. */
enum { MOST_NODES = 400, DEEPEST = 64 };
struct model_node {
    int id; /* in the session */
    int depth;
    nonet_move moves[DEEPEST];
};
struct model {
    int count;
    struct model_node nodes[MOST_NODES];
};

/* Whether the session's line is that of the node, with the states that the moves lead to, and
 * repetitions as a comparison of all states finds them. */
static void check_line(const struct nonet_session *session, const struct model_node *node) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    CHECK(nonet_session_ply(session) == node->depth, "%s", variant_name(options));
    CHECK(nonet_session_node(session) == node->id, "%s", variant_name(options));
    struct nonet_session *fresh = begin(options);
    struct nonet_message why;
    for (int i = 0; i < node->depth; i++) {
        CHECK(nonet_session_move(session, i) == node->moves[i], "%s", variant_name(options));
        CHECK(memcmp(nonet_session_state_before(session, i), nonet_session_state(fresh),
                     game->state_size) == 0,
              "%s: state %d", variant_name(options), i);
        CHECK(nonet_session_play(fresh, node->moves[i], &why), "%s", variant_name(options));
    }
    int same = 1;
    for (int i = 0; i < node->depth; i++)
        same += memcmp(nonet_session_state_before(session, i), nonet_session_state(session),
                       game->state_size) == 0;
    if (game->facts & NONET_REPETITION_DRAWS) {
        CHECK(nonet_session_repetitions(session) == same, "%s: %d times instead of %d",
              variant_name(options), nonet_session_repetitions(session), same);
        CHECK(same < 3 || nonet_session_turn(session) == 0, "%s", variant_name(options));
    }
    CHECK(nonet_session_turn(session) == nonet_session_turn(fresh), "%s", variant_name(options));
    uint64_t count = nonet_session_count(session);
    CHECK(count == nonet_session_count(fresh), "%s", variant_name(options));
    for (uint64_t i = 0; i < count && i < 50; i++)
        CHECK(nonet_session_nth(session, i) == nonet_session_nth(fresh, i), "%s",
              variant_name(options));
    nonet_session_free(fresh);
}

static bool follows(const struct model_node *node, const struct model_node *from) {
    return node->depth >= from->depth &&
           memcmp(node->moves, from->moves, (size_t)from->depth * sizeof *node->moves) == 0;
}

/* Plays a move at a node of the model; the session stands there. */
static int play_at(struct nonet_session *session, struct model *model, int at, nonet_move move) {
    struct model_node next = model->nodes[at];
    next.moves[next.depth++] = move;
    struct nonet_message why;
    CHECK(nonet_session_play(session, move, &why), "%s",
          variant_name(nonet_session_options(session)));
    next.id = nonet_session_node(session);
    for (int i = 0; i < model->count; i++)
        if (model->nodes[i].depth == next.depth && follows(&model->nodes[i], &next)) {
            CHECK(model->nodes[i].id == next.id, "a known variation is entered");
            return i;
        }
    model->nodes[model->count] = next;
    return model->count++;
}

static void prune(struct nonet_session *session, struct model *model, int at) {
    struct model_node pruned = model->nodes[at];
    int parent = nonet_session_parent(session, pruned.id);
    nonet_session_prune(session, pruned.id);
    for (int child = nonet_session_first_child(session, parent); child != NONET_NO_NODE;
         child = nonet_session_next_sibling(session, child))
        CHECK(child != pruned.id, "a pruned node is no child");
    int kept = 0;
    for (int i = 0; i < model->count; i++)
        if (!follows(&model->nodes[i], &pruned))
            model->nodes[kept++] = model->nodes[i];
    model->count = kept;
}

static int index_of_now(const struct nonet_session *session, const struct model *model) {
    for (int i = 0; i < model->count; i++)
        if (model->nodes[i].id == nonet_session_node(session))
            return i;
    fail_msg("the session stands at a node that nobody knows");
    return -1;
}

static int count_nodes(const struct nonet_session *session, int node) {
    int count = 1;
    for (int child = nonet_session_first_child(session, node); child != NONET_NO_NODE;
         child = nonet_session_next_sibling(session, child)) {
        CHECK(nonet_session_parent(session, child) == node, "a child knows its parent");
        count += count_nodes(session, child);
    }
    return count;
}

static void a_tree_is_what_was_played(void **unused) {
    (void)unused;
    struct model *model = malloc(sizeof *model);
    assert_non_null(model);
    for (int g = 0; g < nonet_game_count_with_template; g++) {
        struct nonet_options variants[MOST_VARIANTS];
        variants_of(nonet_games[g], 7, variants);
        struct nonet_session *session = begin(&variants[0]);
        struct nonet_random random = {(uint64_t)g};
        *model = (struct model){.count = 1};
        int steps = nonet_games[g]->wide != NULL ? 60 : 600;
        for (int step = 0; step < steps; step++) {
            int at = index_of_now(session, model);
            uint32_t what = nonet_random_below(&random, 16);
            if (what < 9 && nonet_session_turn(session) != 0 && model->count < MOST_NODES &&
                model->nodes[at].depth < DEEPEST) {
                at = play_at(session, model, at, random_move(session, &random));
            } else if (what < 11) {
                bool back = nonet_session_undo(session);
                CHECK(back == (model->nodes[at].depth > 0), "undo goes back unless at the start");
                if (back && what == 10) {
                    CHECK(nonet_session_redo(session), "what was undone can be redone");
                    CHECK(nonet_session_node(session) == model->nodes[at].id, "redo goes back");
                }
            } else if (what < 14) {
                at = (int)nonet_random_below(&random, (uint32_t)model->count);
                nonet_session_go(session, model->nodes[at].id);
            } else if (what == 14 && model->nodes[at].depth > 0) {
                int node = model->nodes[at].id, parent = nonet_session_parent(session, node);
                nonet_session_promote(session, node);
                CHECK(nonet_session_first_child(session, parent) == node, "first by promotion");
            } else if (what == 15 && model->count > 30) {
                at = 1 + (int)nonet_random_below(&random, (uint32_t)model->count - 1);
                prune(session, model, at);
            }
            check_line(session, &model->nodes[index_of_now(session, model)]);
            CHECK(count_nodes(session, 0) == model->count, "%s: the tree has other nodes",
                  nonet_games[g]->id);
        }
        /* The line stays as it was, and nothing else; repetitions are counted as before. */
        struct model_node kept = model->nodes[index_of_now(session, model)];
        nonet_session_trim(session);
        kept.id = kept.depth;
        check_line(session, &kept);
        CHECK(count_nodes(session, 0) == kept.depth + 1, "%s: more than the line is left",
              nonet_games[g]->id);
        nonet_session_free(session);
    }
    free(model);
}

/* Two games that share one scratch, played in turn, are the same as two separate games. */
static void sessions_share_a_scratch(void **unused) {
    (void)unused;
    for (int g = 0; g < nonet_game_count_with_template; g++) {
        struct nonet_options variants[MOST_VARIANTS];
        variants_of(nonet_games[g], 7, variants);
        struct nonet_scratch *scratch = nonet_scratch_new(nonet_games[g]);
        assert_non_null(scratch);
        struct nonet_session *sharing[2], *alone[2];
        for (int i = 0; i < 2; i++) {
            sharing[i] = nonet_session_new_at(&variants[0], scratch);
            alone[i] = begin(&variants[0]);
            assert_non_null(sharing[i]);
        }
        struct nonet_random random = {99};
        struct nonet_message why;
        for (int step = 0; step < 40; step++) {
            int i = (int)nonet_random_below(&random, 2);
            CHECK(nonet_session_count(sharing[i]) == nonet_session_count(alone[i]), "%s: step %d",
                  nonet_games[g]->id, step);
            if (nonet_session_turn(alone[i]) == 0)
                continue;
            nonet_move move = random_move(alone[i], &random);
            assert_true(nonet_session_play(alone[i], move, &why));
            assert_true(nonet_session_play(sharing[i], move, &why));
            CHECK(memcmp(nonet_session_state(alone[i]), nonet_session_state(sharing[i]),
                         nonet_games[g]->state_size) == 0,
                  "%s: step %d", nonet_games[g]->id, step);
        }
        for (int i = 0; i < 2; i++) {
            nonet_session_free(sharing[i]);
            nonet_session_free(alone[i]);
        }
        nonet_scratch_free(scratch);
    }
}

/* From the first position of a game with repetitions, back and forth in variations where no
 * position occurs a third time, until the tree is full. The next move is refused with the reason.
 * The time is linear in the length, not quadratic. */
static void a_full_tree_refuses(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("trix");
    struct nonet_session *session = begin(&options);
    struct nonet_random random = {3};
    struct nonet_message why;
    for (int nodes = 1; nodes < NONET_MAX_NODES;) {
        if (nonet_session_turn(session) == 0 || nonet_session_ply(session) > 2000) {
            nonet_session_go(session, (int)nonet_random_below(&random, (uint32_t)nodes));
            continue;
        }
        assert_true(nonet_session_play(session, random_move(session, &random), &why));
        nodes = nonet_session_node(session) >= nodes ? nonet_session_node(session) + 1 : nodes;
    }
    nonet_session_go(session, 0);
    bool refused = false;
    for (int tries = 0; tries < 100000 && !refused; tries++) {
        if (nonet_session_turn(session) == 0)
            nonet_session_go(session, (int)nonet_random_below(&random, NONET_MAX_NODES));
        else
            refused = !nonet_session_play(session, random_move(session, &random), &why);
    }
    assert_true(refused);
    assert_string_equal(why.phrase->key, "common.most-positions");
    nonet_session_free(session);
}

/* The processor time of so many more moves of a game that does not end. */
static double time_of_moves(struct nonet_session *session, struct nonet_random *random, int moves) {
    struct timespec begun, ended;
    struct nonet_message why;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
    for (int end = nonet_session_ply(session) + moves; nonet_session_ply(session) < end;) {
        assert_true(nonet_session_play(session, random_move(session, random), &why));
        if (nonet_session_turn(session) == 0) {
            nonet_session_undo(session);
            nonet_session_undo(session);
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    return (double)(ended.tv_sec - begun.tv_sec) + 1e-9 * (double)(ended.tv_nsec - begun.tv_nsec);
}

/* Where repetition matters, a late move takes no longer than an early one. The quickest of several
 * measurements counts: others are disturbed. */
static void late_moves_are_as_quick(void **unused) {
    (void)unused;
    enum { PART = 500, PARTS = NONET_MAX_PLIES / PART, MEASURED = 6 };
    struct nonet_options options;
    nonet_options_default(&options, nonet_game_find("trix"));
    struct nonet_session *session = begin(&options);
    struct nonet_random random = {5};
    double early = 1e9, late = 1e9;
    for (int i = 0; i < PARTS; i++) {
        double time = time_of_moves(session, &random, PART);
        if (i < MEASURED)
            early = time < early ? time : early;
        if (i >= PARTS - MEASURED)
            late = time < late ? time : late;
    }
    CHECK(late < 5 * early, "%g seconds instead of %g", late, early);
    nonet_session_free(session);
}

static void a_session_knows_where_it_began(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("quadrangle");
    struct nonet_session *session = begin(&options);
    struct nonet_message why;
    assert_false(nonet_session_began_elsewhere(session));
    assert_true(nonet_session_read(session, "..../.B../.A../.... 1", &why));
    assert_true(nonet_session_began_elsewhere(session));
    assert_false(nonet_session_read(session, "..../.B../.A../.... 3", &why));
    assert_true(nonet_session_began_elsewhere(session));
    assert_true(nonet_session_read(session, "..../..../..../.... 1", &why));
    assert_false(nonet_session_began_elsewhere(session));
    nonet_session_free(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_what_was_played),
        cmocka_unit_test(sessions_share_a_scratch),
        cmocka_unit_test(a_full_tree_refuses),
        cmocka_unit_test(late_moves_are_as_quick),
        cmocka_unit_test(a_session_knows_where_it_began),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
