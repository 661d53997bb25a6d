#include "prober.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "refusal.h"
#include "rules/swap.h"
#include "solve/listed.h"
#include "solve/ranked.h"
#include "study/describe.h"
#include "table/format.h"
#include "table_store.h"

struct prober {
    const struct nonet_options *options;
    struct nonet_options without; /* the same without the swap rule, as tables are */
    struct prober_limits limits;
    bool has_table;
    struct table_file file;
    void *exact;               /* memory of the search; null until one is needed */
    double until;              /* when searches give up */
    struct prober_move *moves; /* room for those of a position; null until they are asked for */
};

/* Builds a small table in a file of that name. */
static bool build_at(struct prober *prober, const char *path, struct nonet_text *why) {
    struct solve_limits limits = prober->limits.solve;
    limits.work = NULL;
    return solve_listed(&prober->without, &limits, path, NULL, why) &&
           table_file_open(path, prober->options, &prober->file, why) == TABLE_FOUND;
}

/* Builds a small table for this program and, if its folder can be written to, for later ones. It is
 * tried once, because what fails there would fail elsewhere too. */
static bool build_table(struct prober *prober, struct nonet_text *why) {
    char path[TABLE_PATH], reason[512];
    struct nonet_text ignored = NONET_TEXT_IN(reason);
    struct table_work work;
    if (table_file_new(&prober->without, 0, path, &ignored) &&
        table_work_begin(path, &work, &ignored)) {
        bool built = build_at(prober, path, why);
        table_work_end(&work);
        return built;
    }
    /* There is no folder, or another program is working in it: we use a file of our own. */
    char folder[TABLE_PATH - 16];
    const char *temporary = getenv("TMPDIR");
    int length = snprintf(folder, sizeof folder, "%s/nonet-XXXXXX",
                          temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp");
    if (length >= (int)sizeof folder || mkdtemp(folder) == NULL) {
        nonet_text_add(why, reason);
        return false;
    }
    snprintf(path, sizeof path, "%s/table", folder);
    bool built = build_at(prober, path, why);
    unlink(path);
    rmdir(folder);
    return built;
}

static bool find_table(struct prober *prober, bool *refused, struct nonet_text *why) {
    char reason[2 * TABLE_PATH + 256];
    struct nonet_text refusal = NONET_TEXT_IN(reason);
    switch (table_file_find(prober->options, &prober->file, &refusal)) {
    case TABLE_FOUND:
        prober->has_table = true;
        if (refusal.length > 0)
            solve_note(&prober->limits.solve, reason);
        return true;
    case TABLE_REFUSED:
        /* What an older program left in the cache is built again if that takes only seconds. */
        if (solve_listed_applies(&prober->without) && table_file_is_cached(&prober->file))
            break;
        *refused = true;
        nonet_text_add(why, reason);
        host_refuse(why, "; build it again: ");
        table_file_command(&prober->without, why);
        return false;
    case TABLE_MISSING:
        break;
    }
    if (solve_listed_applies(&prober->without)) {
        prober->has_table = build_table(prober, why);
        return prober->has_table;
    }
    if (solve_ranked_applies(&prober->without)) {
        char name[256];
        struct nonet_text text = NONET_TEXT_IN(name);
        nonet_options_write(&prober->without, &text);
        host_refuse(why, "there is no table of %s; build it: ", name);
        table_file_command(&prober->without, why);
        return false;
    }
    return true; /* a search must be enough */
}

/* Null with the reason; `refused` says whether that is a table that cannot be used. */
static struct prober *open_prober(const struct nonet_options *options,
                                  const struct prober_limits *limits, bool *refused,
                                  struct nonet_text *why) {
    *refused = false;
    struct prober *prober = calloc(1, sizeof *prober);
    if (prober == NULL) {
        host_refuse(why, "there is no memory left");
        return NULL;
    }
    prober->options = options;
    prober->without = nonet_swap_without(options);
    prober->limits = *limits;
    if (!find_table(prober, refused, why)) {
        free(prober);
        return NULL;
    }
    return prober;
}

struct prober *prober_open(const struct nonet_options *options, const struct prober_limits *limits,
                           struct nonet_text *why) {
    bool refused;
    return open_prober(options, limits, &refused, why);
}

struct prober *prober_try(const struct nonet_options *options, const struct prober_limits *limits) {
    char reason[2 * TABLE_PATH + 512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    bool refused;
    struct prober *prober = open_prober(options, limits, &refused, &why);
    if (refused)
        solve_note(&limits->solve, reason);
    return prober;
}

struct prober_limits prober_usual_limits(double seconds) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return (struct prober_limits){
        .solve = {.threads = processors < 1 ? 1 : (int)processors, .memory = (uint64_t)1 << 30},
        .memory = (uint64_t)1 << 28,
        .seconds = seconds,
    };
}

void prober_allow(struct prober *prober, double seconds) {
    prober->limits.seconds = seconds;
    prober->until = clock_now() + seconds;
}

void prober_close(struct prober *prober) {
    if (prober == NULL)
        return;
    if (prober->has_table)
        table_file_close(&prober->file);
    free(prober->exact);
    free(prober->moves);
    free(prober);
}

struct nonet_table *prober_table(const struct prober *prober) {
    return prober->has_table ? prober->file.table : NULL;
}

/* Nobody knows how long a search takes, so progress is the share of its time that is used up. */
static void tell_progress(const struct prober *prober) {
    const struct solve_limits *limits = &prober->limits.solve;
    if (limits->progress == NULL)
        return;
    char what[64];
    snprintf(what, sizeof what, "of the time used, %llu million positions searched",
             (unsigned long long)(nonet_exact_nodes(prober->exact) / 1000000));
    limits->progress(limits->context, what,
                     1 - (prober->until - clock_now()) / prober->limits.seconds, -1);
}

static bool search(struct prober *prober, const void *state, int player, struct nonet_proof *proof,
                   struct nonet_text *why) {
    if (prober->exact == NULL) {
        size_t size = prober->limits.memory, least = nonet_exact_least(prober->options);
        size = (size > least ? size : least) / NONET_EXACT_ALIGN * NONET_EXACT_ALIGN +
               NONET_EXACT_ALIGN;
        prober->exact = aligned_alloc(NONET_EXACT_ALIGN, size);
        if (prober->exact == NULL) {
            host_refuse(why, "there is no memory left");
            return false;
        }
        nonet_exact_begin(prober->exact, size, prober->options);
        prober->until = clock_now() + prober->limits.seconds;
    }
    nonet_exact_ask(prober->exact, state, player);
    enum { SLICE = 1000 }; /* nodes: some hundredths of a second where they take longest */
    enum nonet_exact_status status;
    while ((status = nonet_exact_advance(prober->exact, SLICE)) == NONET_EXACT_WORKING &&
           clock_now() < prober->until)
        tell_progress(prober);
    if (status == NONET_EXACT_SETTLED)
        return nonet_exact_answer(prober->exact, proof);
    if (status == NONET_EXACT_WORKING)
        return host_refuse(why, "a search of %g s did not prove the value", prober->limits.seconds);
    return host_refuse(why, "nothing proves the value of this position");
}

bool prober_value(struct prober *prober, const void *state, int player, struct nonet_proof *proof,
                  struct nonet_text *why) {
    const struct nonet_options *options = prober->options;
    if (options->game->turn(options, state) == 0) {
        proof->value = nonet_value_result(options, state, player);
        proof->by = "rules";
        return true;
    }
    if (!prober->has_table)
        return search(prober, state, player, proof, why);
    struct nonet_message message;
    if (!nonet_table_probe_for(prober->file.table, state, player, &proof->value, &message)) {
        /* A partial table; or the game can read positions that play does not reach. */
        if (message.phrase == &nonet_table_phrases[NONET_TABLE_NOT_LISTED]) {
            if (search(prober, state, player, proof, why))
                return true;
            return host_refuse(why, ", and %s does not have it", prober->file.path);
        }
        nonet_text_format(why, "%s: ", prober->file.path);
        nonet_message_write(&message, host_language, why);
        return false;
    }
    proof->by = "table";
    return true;
}

static int compare_moves(const void *a, const void *b) {
    const struct prober_move *first = a, *second = b;
    int order = nonet_value_compare(&second->proof.value, &first->proof.value);
    return order != 0 ? order : strcmp(first->text, second->text);
}

int prober_moves(struct prober *prober, const void *state, struct prober_move *moves,
                 struct nonet_text *why) {
    const struct nonet_options *options = prober->options;
    const struct nonet_game *game = options->game;
    int player = game->turn(options, state), count = 0;
    nonet_move legal[NONET_MAX_MOVES];
    if (player == 0)
        return 0;
    if (game->wide != NULL) {
        int winner;
        if (game->mirror == NULL || !game->mirror(options, state, &winner, &moves[0].move) ||
            winner != player)
            return 0;
        struct nonet_text text = NONET_TEXT_IN(moves[0].text);
        game->print(options, moves[0].move, &text);
        return prober_value(prober, state, player, &moves[0].proof, why) ? 1 : -1;
    }
    count = game->moves(options, state, legal);
    for (int i = 0; i < count; i++) {
        struct nonet_state child;
        memcpy(&child, state, game->state_size);
        game->play(options, &child, NULL, legal[i]);
        moves[i].move = legal[i];
        struct nonet_text text = NONET_TEXT_IN(moves[i].text);
        game->print(options, legal[i], &text);
        if (!prober_value(prober, &child, player, &moves[i].proof, why))
            return -1;
        moves[i].proof.value = nonet_value_earlier(moves[i].proof.value);
    }
    qsort(moves, (size_t)count, sizeof *moves, compare_moves);
    return count;
}

static void write_proof(struct nonet_json *json, const struct nonet_proof *proof) {
    describe_value(json, &proof->value);
    nonet_json_string_member(json, "proof", proof->by);
}

/* With more than two players: what each of them can reach against all others together. */
static bool write_players(struct nonet_json *json, struct prober *prober, const void *state,
                          int players, struct nonet_text *why) {
    nonet_json_name(json, "players");
    nonet_json_open(json, '[');
    for (int player = 1; player <= players; player++) {
        struct nonet_proof proof;
        if (!prober_value(prober, state, player, &proof, why))
            return false;
        nonet_json_open(json, '{');
        nonet_json_number_member(json, "player", player);
        write_proof(json, &proof);
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
    return true;
}

bool prober_describe(struct prober *prober, const struct nonet_session *session,
                     struct nonet_text *out, struct nonet_text *why) {
    if (prober->moves == NULL)
        prober->moves = malloc(NONET_MAX_MOVES * sizeof *prober->moves);
    struct prober_move *moves = prober->moves;
    if (moves == NULL) {
        host_refuse(why, "there is no memory left");
        return false;
    }
    const struct nonet_options *options = nonet_session_options(session);
    const void *state = nonet_session_state(session);
    struct nonet_proof proof = {.value = {.outcome = NONET_DRAW}, .by = "rules"};
    int count = 0;
    /* A game drawn by repetition is over, although its position has legal moves. */
    if (nonet_session_turn(session) != 0 || options->game->turn(options, state) == 0) {
        if (!prober_value(prober, state, nonet_session_side(session), &proof, why))
            return false;
        count = prober_moves(prober, state, moves, why);
        if (count < 0)
            return false;
    }
    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '{');
    write_proof(&json, &proof);
    if (options->players > 2 && !write_players(&json, prober, state, options->players, why))
        return false;
    nonet_json_name(&json, "moves");
    nonet_json_open(&json, '[');
    for (int i = 0; i < count; i++) {
        nonet_json_open(&json, '{');
        nonet_json_string_member(&json, "move", moves[i].text);
        write_proof(&json, &moves[i].proof);
        nonet_json_close(&json, '}');
    }
    nonet_json_close(&json, ']');
    nonet_json_close(&json, '}');
    nonet_text_char(out, '\n');
    return true;
}
