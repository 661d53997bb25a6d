/* nonet think: what a player thinks of a position, as JSON for programs; with --batch, of many
 * positions, one JSON line each. docs/analysis.md describes both. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/prober.h"
#include "host/record.h"
#include "progress.h"
#include "study/describe.h"
#include "think.h"
#include "think_flags.h"

enum {
    MOST_BYTES = RECORD_MAX_BYTES, /* of a line of --batch */
    OPTIONS_TEXT = 512,
    /* Room for an answer with all moves. */
    ROOM = (NONET_MAX_MOVES + NONET_SEARCH_LINE + 8) * (NONET_MOVE_TEXT + 160),
};

/* A player, which is kept as long as the questions are about the same game with the same options.
 */
struct mind {
    struct thinker *thinker;
    char options[OPTIONS_TEXT]; /* the options that it was opened for */
};

static struct thinker *thinker_for(struct mind *mind, const struct nonet_options *options,
                                   int level) {
    char wanted[OPTIONS_TEXT];
    struct nonet_text text = NONET_TEXT_IN(wanted);
    nonet_options_write(options, &text);
    if (mind->thinker == NULL || strcmp(wanted, mind->options) != 0) {
        thinker_close(mind->thinker);
        mind->thinker = thinker_open(options);
        strcpy(mind->options, wanted);
    }
    if (mind->thinker != NULL) {
        thinker_new_game(mind->thinker); /* no answer depends on earlier questions */
        /* This does not count as thinking time. */
        cli_note(thinker_prepare(mind->thinker, level));
    }
    return mind->thinker;
}

static void write_thoughts(struct nonet_json *json, const struct nonet_options *options,
                           const struct nonet_report *report, double seconds) {
    describe_opinion(json, options, &report->moves[0], report->by);
    nonet_json_number_member(json, "depth", report->depth);
    describe_moves(json, "line", options, report->line, report->line_length);
    nonet_json_number_member(json, "nodes", (int64_t)report->nodes);
    nonet_json_number_member(json, "nodes_per_second",
                             seconds > 0 ? (int64_t)((double)report->nodes / seconds) : 0);
    nonet_json_name(json, "seconds");
    nonet_json_thousandths(json, (uint64_t)(seconds * 1000));
    nonet_json_name(json, "moves");
    nonet_json_open(json, '[');
    for (int i = 0; i < report->count; i++) {
        nonet_json_open(json, '{');
        describe_opinion(json, options, &report->moves[i], report->by);
        nonet_json_name(json, "visits");
        if (report->moves[i].visits > 0)
            nonet_json_number(json, (int64_t)report->moves[i].visits);
        else
            nonet_json_null(json);
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

/* A finished game has a value, and no move. */
static void write_result(struct nonet_json *json, const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    const void *state = nonet_session_state(session);
    struct nonet_value value = {.outcome = NONET_DRAW}; /* by repetition */
    if (options->game->turn(options, state) == 0)
        value = nonet_value_result(options, state, cli_side(session));
    nonet_json_name(json, "move");
    nonet_json_null(json);
    describe_value(json, &value);
    nonet_json_string_member(json, "proof", "rules");
    nonet_json_number_member(json, "score", nonet_score_of_value(&value));
    nonet_json_number_member(json, "depth", 0);
    describe_moves(json, "line", options, NULL, 0);
    nonet_json_number_member(json, "nodes", 0);
    nonet_json_number_member(json, "nodes_per_second", 0);
    nonet_json_name(json, "seconds");
    nonet_json_thousandths(json, 0);
    nonet_json_name(json, "moves");
    nonet_json_open(json, '[');
    nonet_json_close(json, ']');
}

/* Writes what the player thinks of the session's position, as an object. False without memory. */
static bool think(struct mind *mind, const struct nonet_session *session, int level,
                  const struct thinker_limits *limits, struct nonet_text *out) {
    const struct nonet_options *options = nonet_session_options(session);
    struct nonet_json json = nonet_json_in(out);
    nonet_json_open(&json, '{');
    if (nonet_session_turn(session) == 0) {
        write_result(&json, session);
    } else {
        struct thinker *thinker = thinker_for(mind, options, level);
        const struct nonet_report *report =
            thinker != NULL ? thinker_think(thinker, session, level, limits) : NULL;
        if (report == NULL)
            return false;
        write_thoughts(&json, options, report, thinker_seconds(thinker));
    }
    nonet_json_close(&json, '}');
    nonet_text_char(out, '\n');
    return true;
}

/* ---- One position ---- */

struct watching {
    struct cli_progress progress;
    const struct thinker_limits *limits;
};

static bool show(void *context, const struct nonet_report *report, double seconds) {
    struct watching *watching = context;
    const struct thinker_limits *limits = watching->limits;
    char what[64];
    struct nonet_text text = NONET_TEXT_IN(what);
    nonet_text_format(&text, "thinking, %llu thousand positions",
                      (unsigned long long)report->nodes / 1000);
    double share = limits->seconds > 0 ? seconds / limits->seconds
                   : limits->nodes > 0 ? (double)report->nodes / (double)limits->nodes
                                       : 0;
    cli_progress_show(&watching->progress, what, share, share > 0 ? seconds / share - seconds : -1);
    return true;
}

static int think_once(struct cli_arguments *arguments, int level, struct thinker_limits *limits) {
    if (arguments->game == NULL)
        return cli_fail(CLI_USAGE, "name a game; nonet games lists them");
    int code;
    struct nonet_session *session =
        cli_open(arguments, arguments->words, arguments->word_count, &code);
    if (session == NULL)
        return code;
    struct watching watching = {.limits = limits};
    cli_progress_begin(&watching.progress);
    limits->progress = show;
    limits->context = &watching;
    struct mind mind = {0};
    char *bytes = malloc(ROOM);
    bool done = false;
    if (bytes != NULL) {
        struct nonet_text text = nonet_text_in(bytes, ROOM);
        done = think(&mind, session, level, limits, &text);
    }
    cli_progress_end(&watching.progress);
    code = done ? cli_output(bytes) : cli_fail(CLI_FAILED, "there is no memory left");
    free(bytes);
    thinker_close(mind.thinker);
    nonet_session_free(session);
    return code;
}

/* ---- Many positions ---- */

/* Reads a member that must be a whole number. If there is none, `number` stays as it is. */
static bool read_number(const json_t *object, const char *key, uint64_t least, uint64_t most,
                        uint64_t *number, struct nonet_text *why) {
    const json_t *member = json_object_get(object, key);
    if (member == NULL)
        return true;
    json_int_t value = json_integer_value(member);
    if (!json_is_integer(member) || value < 0 || (uint64_t)value < least ||
        (uint64_t)value > most) {
        nonet_text_format(why, "\"%s\" is not a whole number from %llu to %llu", key,
                          (unsigned long long)least, (unsigned long long)most);
        return false;
    }
    *number = (uint64_t)value;
    return true;
}

/* The most time that a question may ask for, unless --time says otherwise. */
static const double batch_most_seconds = 60;

static bool read_limits(json_t *object, int *level, struct thinker_limits *limits,
                        struct nonet_text *why) {
    static const char *const known[] = {"id",   "game",  "options", "from", "moves",
                                        "time", "level", "nodes",   "seed", NULL};
    if (!record_known_members(object, known, "the question", why))
        return false;
    uint64_t wanted = (uint64_t)*level;
    if (!read_number(object, "level", 1, NONET_SEARCH_LEVELS, &wanted, why) ||
        !read_number(object, "nodes", 1, cli_most_nodes, &limits->nodes, why) ||
        !read_number(object, "seed", 0, INT64_MAX, &limits->seed, why))
        return false;
    *level = (int)wanted;
    /* Lines may come from strangers: none can delay the others for longer than this. */
    double most = limits->seconds > 0 ? limits->seconds : batch_most_seconds;
    const json_t *time = json_object_get(object, "time");
    double seconds = json_number_value(time);
    if (time != NULL && !(json_is_number(time) && seconds > 0 && seconds <= most)) {
        nonet_text_format(why, "\"time\" is not a number of seconds above 0, up to %g", most);
        return false;
    }
    if (time != NULL)
        limits->seconds = seconds;
    else if (limits->seconds == 0 && (limits->nodes != 0 || *level < NONET_SEARCH_LEVELS))
        limits->seconds = most; /* the nodes decide, but not for ever */
    return true;
}

/* Answers one question. False with the reason. */
static bool answer(struct mind *mind, json_t *object, int level, struct thinker_limits limits,
                   struct nonet_text *out, struct nonet_text *why) {
    if (!json_is_object(object)) {
        nonet_text_add(why, "it is not a JSON object");
        return false;
    }
    if (!read_limits(object, &level, &limits, why))
        return false;
    struct nonet_session *session = record_open_session(object, why);
    if (session == NULL)
        return false;
    bool done = think(mind, session, level, &limits, out);
    nonet_session_free(session);
    if (!done)
        nonet_text_add(why, "there is no memory left");
    return done;
}

/* Writes {"id":…, and after it the answer or the error. */
static int write_answer(const json_t *id, const char *thoughts, const char *error, FILE *out) {
    char *name = id != NULL ? json_dumps(id, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    char line[2 * RECORD_REASON + 64];
    struct nonet_text text = NONET_TEXT_IN(line);
    struct nonet_json json = nonet_json_in(&text);
    if (error != NULL) {
        nonet_json_string_member(&json, "error", error);
        nonet_text_add(&text, "}\n");
    }
    fprintf(out, "{\"id\":%s,", name != NULL ? name : "null");
    free(name);
    return cli_output_to(out, error == NULL ? thoughts + 1 : line); /* without its bracket */
}

struct think_batch {
    struct mind mind;
    char bytes[ROOM];
};

struct think_batch *think_batch_new(void) {
    return calloc(1, sizeof(struct think_batch));
}

void think_batch_free(struct think_batch *batch) {
    if (batch != NULL)
        thinker_close(batch->mind.thinker);
    free(batch);
}

int think_batch_answer(struct think_batch *batch, const char *line, size_t length, int level,
                       const struct thinker_limits *limits, FILE *out) {
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason), thoughts = NONET_TEXT_IN(batch->bytes);
    json_error_t error;
    json_t *object =
        length > MOST_BYTES ? NULL : json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    bool done = object != NULL && answer(&batch->mind, object, level, *limits, &thoughts, &why);
    if (length > MOST_BYTES)
        nonet_text_format(&why, "it is longer than %d bytes", MOST_BYTES);
    else if (object == NULL)
        nonet_text_format(&why, "it is not JSON: column %d: %s", error.column,
                          nonet_quote(error.text).text);
    int code = write_answer(json_object_get(object, "id"), batch->bytes, done ? NULL : reason, out);
    json_decref(object);
    return code;
}

/* A line without its end. For a line that is too long, only the length is right. -1 at the end. */
static long read_line(char *line) {
    int c;
    size_t length = 0;
    while ((c = getc(stdin)) != EOF && c != '\n') {
        if (length < MOST_BYTES)
            line[length] = (char)c;
        length += length <= MOST_BYTES;
    }
    return c == EOF && length == 0 ? -1 : (long)length;
}

static int think_in_batch(const struct cli_arguments *arguments, int level,
                          const struct thinker_limits *limits) {
    if (arguments->game != NULL || arguments->from != NULL)
        return cli_fail(CLI_USAGE, "with --batch, each line names its game and position");
    char *line = malloc(MOST_BYTES + 1);
    struct think_batch *batch = think_batch_new();
    int code =
        line != NULL && batch != NULL ? CLI_DONE : cli_fail(CLI_FAILED, "there is no memory left");
    long length;
    while (code == CLI_DONE && (length = read_line(line)) >= 0)
        if (length > 0)
            code = think_batch_answer(batch, line, (size_t)length, level, limits, stdout);
    think_batch_free(batch);
    free(line);
    return code;
}

static int run(int argc, char **argv) {
    struct cli_think_flags thinking = {0};
    bool batch = false;
    const struct cli_flag flags[] = {CLI_THINK_FLAGS(thinking), {"--batch", NULL, &batch}, {0}};
    struct cli_arguments arguments;
    int level, code = cli_parse(argc, argv, flags, &arguments);
    struct thinker_limits limits;
    if (code == CLI_DONE)
        code = cli_think_flags_read(&thinking, &level, &limits);
    if (code != CLI_DONE)
        return code;
    limits.whole_line = true;
    return batch ? think_in_batch(&arguments, level, &limits)
                 : think_once(&arguments, level, &limits);
}

const struct cli_command cli_think = {
    .name = "think",
    .usage = "GAME [-o key=value]… [--from TEXT] [--level L] [--nodes N] [--time S] [MOVE]…\n"
             "       nonet think --batch [--level L] [--nodes N] [--time S]",
    .brief = "what a computer player thinks of a position, as JSON",
    .help = "  -o key=value   set an option of the game; nonet games lists them\n"
            "  --from TEXT    begin at this position (the \"text\" of nonet "
            "position)\n" CLI_THINK_HELP
            "  --batch        read a question on each line of the standard input, such as\n"
            "                 {\"id\":1,\"game\":\"trix\",\"moves\":[],\"nodes\":1000}, and answer "
            "each\n"
            "                 by a line with the same id\n\n"
            "Without --nodes and --time the level decides: a number of positions, or at the\n"
            "highest level two seconds. The player knows what the seat to move may know, and no\n"
            "more. docs/analysis.md explains the answer.\n",
    .run = run,
};
