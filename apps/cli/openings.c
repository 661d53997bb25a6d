/* nonet openings: how games went, counted by their openings, for the explorer of the page.
 * study/openings.h says which openings are the same, docs/study.md what is written. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli.h"
#include "host/record.h"
#include "study/openings.h"

enum {
    FIRST_PLIES = 3, /* of every game */
    LAST_PLY = 8,    /* after the first ones, only what several games have in common */
    ROOM = 1 << 24,  /* bytes, for the list */
};

/* A game came through this opening. */
struct visit {
    uint64_t key;
    int game, ply; /* both from 1 */
    nonet_move move;
    uint8_t winners;
};

struct counting {
    struct nonet_options options; /* of the first record; those of all others are the same */
    char options_text[1024];      /* as they are written */
    struct visit *visits;
    int visit_count;
    uint64_t *games; /* a hash of each */
    int game_count;
    int repeated, unfinished;
};

/* ---- Reading ---- */

/* Where something is hidden, the same moves may end in different ways. */
static uint64_t hash_of_game(const struct nonet_session *session, uint8_t winners) {
    uint64_t hash = winners;
    for (int i = 0; i < nonet_session_ply(session); i++)
        hash =
            nonet_hash_words((uint64_t[]){hash, nonet_session_move(session, i)}, 2 * sizeof hash);
    return hash;
}

static bool is_counted(const struct counting *counting, uint64_t game) {
    for (int i = 0; i < counting->game_count; i++)
        if (counting->games[i] == game)
            return true;
    return false;
}

static void count_game(struct counting *counting, struct nonet_session *session) {
    if (nonet_session_turn(session) != 0) {
        counting->unfinished++;
        return;
    }
    struct nonet_result result;
    nonet_session_result(session, &result);
    uint64_t game = hash_of_game(session, result.winners);
    if (is_counted(counting, game)) {
        counting->repeated++;
        return;
    }
    counting->games[counting->game_count++] = game;
    nonet_move moves[LAST_PLY];
    int plies = nonet_session_ply(session) < LAST_PLY ? nonet_session_ply(session) : LAST_PLY;
    for (int i = 0; i < plies; i++)
        moves[i] = nonet_session_move(session, i);
    while (nonet_session_undo(session)) {
    }
    for (int i = 0; i < plies; i++) {
        uint64_t key = opening_key(session, moves[i]);
        if (key != 0)
            counting->visits[counting->visit_count++] =
                (struct visit){key, counting->game_count, i + 1, moves[i], result.winners};
        nonet_session_redo(session);
    }
}

/* What all may know of the options: who has which secret is another matter in every game. */
static void write_options(const struct nonet_options *options, char *bytes, size_t size) {
    struct nonet_text text = nonet_text_in(bytes, size);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "game", options->game->id);
    nonet_setup_json_options(&json, options, NONET_TELL_SEAT);
}

static int take_record(struct counting *counting, const char *path) {
    char reason[RECORD_REASON], options_text[sizeof counting->options_text];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct record record;
    if (!record_read_file(path, &record, &why))
        return cli_fail(CLI_FAILED, "%s: %s", cli_printable(path), reason);
    const struct nonet_options *options = nonet_session_options(record.session);
    int code = CLI_DONE;
    write_options(options, options_text, sizeof options_text);
    if (counting->options.game == NULL) {
        counting->options = *options;
        strcpy(counting->options_text, options_text);
    }
    if (nonet_session_began_elsewhere(record.session))
        code =
            cli_fail(CLI_FAILED, "%s: this game did not begin at the start", cli_printable(path));
    else if (strcmp(options_text, counting->options_text) != 0)
        code = cli_fail(CLI_FAILED, "%s: this is another game than that of the first record",
                        cli_printable(path));
    else
        count_game(counting, record.session);
    record_close(&record);
    return code;
}

/* ---- Writing ---- */

/* By opening, then by game. */
static int compare_visits(const void *a, const void *b) {
    const struct visit *one = a, *other = b;
    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    if (one->game != other->game)
        return one->game < other->game ? -1 : 1;
    return one->ply - other->ply;
}

/* The end of the visits of the same opening. A game that came twice counts once: its later visits
 * lose their game. */
static int end_of_group(struct visit *visits, int first, int count) {
    int end = first + 1;
    for (; end < count && visits[end].key == visits[first].key; end++) {
        int before = end - 1;
        while (visits[before].game == 0)
            before--;
        if (visits[end].game == visits[before].game)
            visits[end].game = 0;
    }
    return end;
}

/* How many games each set of players won: {"1": 5, "2": 3, "12": 1}. */
static void write_tally(struct nonet_json *json, const struct visit *visits, int count,
                        int players) {
    nonet_json_open(json, '{');
    for (int winners = 1; winners < 1 << players; winners++) {
        int games = 0;
        for (int i = 0; i < count; i++)
            games += visits[i].game != 0 && visits[i].winners == winners;
        if (games == 0)
            continue;
        char name[NONET_MAX_PLAYERS + 1];
        int length = 0;
        for (int player = 1; player <= players; player++)
            if (winners >> (player - 1) & 1)
                name[length++] = (char)('0' + player);
        name[length] = '\0';
        nonet_json_number_member(json, name, games);
    }
    nonet_json_close(json, '}');
}

static void write_key(struct nonet_json *json, uint64_t key) {
    char name[17];
    snprintf(name, sizeof name, "%016" PRIx64, key);
    nonet_json_name(json, name);
}

/* Whether an opening is told: one of the first plies, or one that several games have in common. */
static bool is_told(const struct visit *visits, int count) {
    int games = 0, ply = visits[0].ply;
    for (int i = 0; i < count; i++) {
        games += visits[i].game != 0;
        ply = visits[i].ply < ply ? visits[i].ply : ply;
    }
    return ply <= FIRST_PLIES || games > 1;
}

static void write_openings(const struct counting *counting, struct nonet_json *json) {
    nonet_json_name(json, "openings");
    nonet_json_open(json, '{');
    for (int first = 0, end; first < counting->visit_count; first = end) {
        end = end_of_group(counting->visits, first, counting->visit_count);
        if (!is_told(&counting->visits[first], end - first))
            continue;
        write_key(json, counting->visits[first].key);
        write_tally(json, &counting->visits[first], end - first, counting->options.players);
    }
    nonet_json_close(json, '}');
}

/* Where moves cannot be listed, one of those that were played, for each group. */
static void write_examples(const struct counting *counting, struct nonet_json *json) {
    nonet_json_name(json, "examples");
    nonet_json_open(json, '{');
    for (int i = 0; i < counting->visit_count; i++) {
        const struct visit *visit = &counting->visits[i];
        if (i > 0 && visit[-1].key == visit->key)
            continue;
        char bytes[NONET_MOVE_TEXT];
        struct nonet_text text = NONET_TEXT_IN(bytes);
        counting->options.game->print(&counting->options, visit->move, &text);
        write_key(json, visit->key);
        nonet_json_string(json, bytes);
    }
    nonet_json_close(json, '}');
}

static void write_number(struct nonet_json *json, const char *name, int number) {
    nonet_json_number_member(json, name, number);
}

static int write_list(struct counting *counting, struct nonet_text *out) {
    qsort(counting->visits, (size_t)counting->visit_count, sizeof *counting->visits,
          compare_visits);
    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "game", counting->options.game->id);
    nonet_setup_json_options(&json, &counting->options, NONET_TELL_SEAT);
    write_number(&json, "games", counting->game_count);
    write_number(&json, "repeated", counting->repeated);
    write_number(&json, "unfinished", counting->unfinished);
    write_openings(counting, &json);
    if (counting->options.game->wide != NULL)
        write_examples(counting, &json);
    nonet_json_close(&json, '}');
    nonet_text_char(out, '\n');
    return out->cut ? cli_fail(CLI_FAILED, "there are too many games for one list")
                    : cli_output(out->bytes);
}

static int run(int argc, char **argv) {
    const struct cli_flag flags[] = {{0}};
    char **words;
    int count;
    int code = cli_parse_words(argc, argv, flags, &words, &count);
    if (code != CLI_DONE)
        return code;
    if (count == 0)
        return cli_fail(CLI_USAGE, "name the records whose openings are to be counted");
    struct counting *counting = calloc(1, sizeof *counting);
    char *bytes = malloc(ROOM);
    if (counting != NULL) {
        counting->visits = calloc((size_t)count, LAST_PLY * sizeof *counting->visits);
        counting->games = calloc((size_t)count, sizeof *counting->games);
    }
    if (bytes == NULL || counting == NULL || counting->visits == NULL || counting->games == NULL)
        code = cli_fail(CLI_FAILED, "there is no memory left");
    for (int i = 0; i < count && code == CLI_DONE; i++)
        code = take_record(counting, words[i]);
    if (code == CLI_DONE) {
        struct nonet_text out = nonet_text_in(bytes, ROOM);
        code = write_list(counting, &out);
    }
    if (counting != NULL) {
        free(counting->visits);
        free(counting->games);
    }
    free(counting);
    free(bytes);
    return code;
}

const struct cli_command cli_openings = {
    .name = "openings",
    .usage = "FILE…",
    .brief = "how recorded games went, counted by their openings, as JSON",
    .help = "  FILE           a record, such as nonet match --records writes; all of them of the\n"
            "                 same game and options\n\n"
            "Counts for every opening how many games each player won. Openings that lead to the\n"
            "same position, or to one that is the same by symmetry, are counted together. A game\n"
            "that repeats another one move for move counts once, and one without an end not at\n"
            "all. Nothing that was hidden is told.\n",
    .run = run,
};
