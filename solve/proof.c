#include "proof.h"

#include <stdlib.h>
#include <string.h>

#include "host/files.h"
#include "proof_file.h"
#include "proof_search.h"

/* Larger games take longer than anybody waits. */
enum { MOST_ACTIONS = 800 };

/* Positions of the search at a leaf: with more, the certificate is smaller and its check slower. */
enum { LEAF_LIMIT = 256 };

bool solve_proof_applies(const struct nonet_options *options) {
    const struct nonet_game *game = options->game;
    return proof_applies(options) && game->action_count != NULL &&
           game->action_count(options) <= MOST_ACTIONS;
}

/* The next score to ask for: first whether player 1 wins at all, then step by step away from there,
 * because answers for near scores help each other. */
static int next_goal(int low, int high) {
    return low < 1 && high >= 1 ? 1 : low >= 1 ? low + 1 : high;
}

static bool find_value(struct proof_search *search, const void *state, int *score,
                       struct nonet_text *why) {
    int low, high;
    nonet_move move;
    proof_search_look_up(search, state, &low, &high, &move);
    while (low < high)
        if (!proof_search_ask(search, state, next_goal(low, high), &low, &high)) {
            nonet_text_add(why, "the game takes too many moves");
            return false;
        }
    *score = low;
    return true;
}

/* --- The certificate --- */

struct writer {
    struct proof_search *search;
    const struct solve_limits *limits;
    struct proof_packer packer;
};

/* Whether the position after a move is known to prove the claim; with `ask`, it is searched if
 * nothing is known about it. */
static bool is_proved(const struct writer *writer, const struct proof_walk *walk, const void *state,
                      nonet_move move, bool ask) {
    struct nonet_state after;
    int low, high, goal = walk->claim.goal;
    nonet_move ignored;
    proof_walk_play(walk, state, move, &after);
    proof_search_look_up(writer->search, &after, &low, &high, &ignored);
    if (ask && low < goal && high >= goal)
        proof_search_ask_alone(writer->search, &after, goal, &low, &high);
    return walk->claim.at_least ? low >= goal : high < goal;
}

static int find_proved(const struct writer *writer, const struct proof_walk *walk,
                       const void *state, const nonet_move *moves, int count, bool ask) {
    for (int i = 0; i < count; i++)
        if (is_proved(writer, walk, state, moves[i], ask))
            return i + 1;
    return -1;
}

static int choose(void *context, const struct proof_walk *walk, const void *state,
                  const nonet_move *moves, int count) {
    struct writer *writer = context;
    int number = 0;
    if (!proof_walk_settles(walk, state)) {
        /* The table knows, unless it had to forget. */
        number = find_proved(writer, walk, state, moves, count, false);
        int low, high;
        if (number < 0 &&
            proof_search_ask_alone(writer->search, state, walk->claim.goal, &low, &high))
            number = find_proved(writer, walk, state, moves, count, false);
        if (number < 0)
            number = find_proved(writer, walk, state, moves, count, true);
    }
    if (number > PROOF_NUMBER_MOST)
        return -1;
    if (walk->choices % 256 == 0 && writer->limits->progress != NULL)
        writer->limits->progress(writer->limits->context, "writing the certificate", 0, -1);
    if (number >= 0)
        proof_pack(&writer->packer, proof_context(walk), number);
    return number;
}

static bool write_part(struct writer *writer, struct budget *budget,
                       const struct proof_certificate *certificate, int number,
                       struct proof_part *part, struct proof_report *report,
                       struct nonet_text *why) {
    struct proof_walk walk = {
        .options = certificate->options,
        .claim = proof_claim_of(certificate->score, number),
        .limit = certificate->limit,
        .choose = choose,
        .context = writer,
        .budget = budget,
    };
    if (!files_random(walk.key, sizeof walk.key)) {
        nonet_text_add(why, "the system gives no random numbers");
        return false;
    }
    proof_packer_begin(&writer->packer);
    bool good = proof_walk(&walk, why);
    proof_packer_end(&writer->packer);
    *part = (struct proof_part){walk.choices, writer->packer.bytes, writer->packer.size};
    if (good && writer->packer.failed) {
        nonet_text_add(why, "there is no memory left");
        good = false;
    }
    report->choices += walk.choices;
    report->leaves += walk.leaves;
    report->checked += walk.positions;
    return good;
}

static bool write_certificate(struct proof_search *search, const struct nonet_options *options,
                              const struct solve_limits *limits, int score, struct budget *budget,
                              const char *path, struct proof_report *report,
                              struct nonet_text *why) {
    struct proof_certificate certificate = {options, score, LEAF_LIMIT, {{0}}};
    struct writer writer = {.search = search, .limits = limits};
    bool good = true;
    for (int i = 0; i < PROOF_CLAIMS && good; i++)
        good = write_part(&writer, budget, &certificate, i, &certificate.part[i], report, why);
    good = good && proof_file_write(path, &certificate, why);
    for (int i = 0; i < PROOF_CLAIMS; i++)
        free(certificate.part[i].bytes);
    return good;
}

bool solve_proof(const struct nonet_options *options, const struct solve_limits *limits,
                 const char *path, struct proof_report *report, struct nonet_text *why) {
    *report = (struct proof_report){0};
    /* An eighth of the memory is left for the positions of the certificate. */
    struct budget budget = {.limit = limits->memory / 8 * (path != NULL ? 7 : 8)};
    struct proof_search *search = proof_search_new(options, limits, &budget, why);
    if (search == NULL)
        return false;
    struct nonet_state start = {0};
    int score = 0;
    options->game->start(options, &start, NULL);
    bool good = find_value(search, &start, &score, why);
    budget.limit = limits->memory;
    if (good && path != NULL)
        good = write_certificate(search, options, limits, score, &budget, path, report, why);
    report->value = nonet_value_of_signed(score);
    report->positions = proof_search_positions(search);
    report->memory = budget.most;
    proof_search_free(search);
    if (good)
        checkpoint_forget(limits->work);
    return good;
}
