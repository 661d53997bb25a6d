#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "files.h"
#include "refusal.h"
#include "study/describe.h"

static const char format_name[] = "nonet-game";
enum { VERSION = 1 };

/* How every record of ours begins; this identifies a file as a record. */
static const char beginning[] = "{\"format\":\"nonet-game\"";

static bool refuse_because(struct nonet_text *why, const struct nonet_message *message) {
    nonet_message_write(message, host_language, why);
    return false;
}

/* A member that must exist and be a text, or null with the reason. */
static const char *text_of(const json_t *object, const char *key, struct nonet_text *why) {
    const json_t *member = json_object_get(object, key);
    if (member == NULL)
        host_refuse(why, "\"%s\" is missing", key);
    else if (!json_is_string(member))
        host_refuse(why, "\"%s\" is not a text", key);
    return json_string_value(member);
}

bool record_known_members(json_t *object, const char *const *known, const char *place,
                          struct nonet_text *why) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        int i = 0;
        while (known[i] != NULL && strcmp(known[i], key) != 0)
            i++;
        if (known[i] == NULL)
            return host_refuse(why, "%s has an unknown member \"%s\"", place,
                               nonet_quote(key).text);
    }
    return true;
}

static bool read_options(json_t *root, struct nonet_options *options, struct nonet_text *why) {
    const struct nonet_game *game = options->game;
    json_t *object = json_object_get(root, "options");
    if (object != NULL && !json_is_object(object))
        return host_refuse(why, "\"options\" is not an object");
    struct nonet_message message;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        if (!json_is_string(value))
            return host_refuse(why, "option \"%s\" is not a text", nonet_quote(key).text);
        if (strchr(key, '=') != NULL || nonet_option_find(game, key) < 0)
            return host_refuse(why, "%s has no option \"%s\"", game->title, nonet_quote(key).text);
        /* Text that does not fit here is too long for any value. */
        char assignment[256];
        struct nonet_text text = NONET_TEXT_IN(assignment);
        nonet_text_format(&text, "%s=%s", key, json_string_value(value));
        if (!nonet_options_set(options, assignment, &message))
            return refuse_because(why, &message);
    }
    return true;
}

/* No control characters, because they would control a terminal. */
static bool is_printable(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    for (; *c != '\0'; c++)
        if (*c < 0x20 || *c == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0))
            return false;
    return true;
}

static bool is_kind(const char *text) {
    return text[0] != '\0' && strlen(text) < RECORD_KIND &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static bool read_seats(const json_t *root, int players, struct record_seat *seats,
                       struct nonet_text *why) {
    json_t *array = json_object_get(root, "seats");
    if (array == NULL)
        return true;
    if (!json_is_array(array))
        return host_refuse(why, "\"seats\" is not an array");
    if (json_array_size(array) != (size_t)players)
        return host_refuse(why, "\"seats\" has %zu entries for %d players", json_array_size(array),
                           players);
    for (int i = 0; i < players; i++) {
        json_t *seat = json_array_get(array, (size_t)i);
        char place[32];
        snprintf(place, sizeof place, host_words("seat %d"), i + 1);
        if (!json_is_object(seat))
            return host_refuse(why, "%s is not an object", place);
        static const char *const known[] = {"kind", "name", NULL};
        if (!record_known_members(seat, known, place, why))
            return false;
        const char *kind = json_string_value(json_object_get(seat, "kind"));
        if (kind == NULL || !is_kind(kind))
            return host_refuse(why, "%s has no kind such as \"human\"", place);
        strcpy(seats[i].kind, kind);
        const json_t *name = json_object_get(seat, "name");
        if (name == NULL)
            continue;
        if (!json_is_string(name) || json_string_length(name) >= RECORD_NAME ||
            !is_printable(json_string_value(name)))
            return host_refuse(why, "the name of %s is not a text of at most %d bytes", place,
                               RECORD_NAME - 1);
        strcpy(seats[i].name, json_string_value(name));
    }
    return true;
}

static bool refuse_setup(struct nonet_text *why, const struct nonet_setup_error *error) {
    nonet_setup_explain(error, host_language, why);
    return false;
}

static bool read_moves(const json_t *root, struct nonet_session *session, struct nonet_text *why) {
    const json_t *array = json_object_get(root, "moves");
    if (array == NULL)
        return host_refuse(why, "\"moves\" is missing");
    if (!json_is_array(array))
        return host_refuse(why, "\"moves\" is not an array");
    size_t count = json_array_size(array);
    if (count > NONET_MAX_PLIES)
        return host_refuse(why, "there are %zu moves; at most %d are read", count, NONET_MAX_PLIES);
    for (size_t i = 0; i < count; i++) {
        const char *move = json_string_value(json_array_get(array, i));
        struct nonet_setup_error error;
        if (move == NULL)
            return host_refuse(why, "move %zu is not a text", i + 1);
        if (!nonet_setup_play(session, move, &error))
            return refuse_setup(why, &error);
    }
    return true;
}

static bool read_times(const json_t *root, int moves, uint32_t **times, struct nonet_text *why) {
    const json_t *array = json_object_get(root, "times");
    if (array == NULL)
        return true;
    if (!json_is_array(array))
        return host_refuse(why, "\"times\" is not an array");
    if (json_array_size(array) != (size_t)moves)
        return host_refuse(why, "there are %zu times for %d moves", json_array_size(array), moves);
    *times = malloc(((size_t)moves + 1) * sizeof **times);
    if (*times == NULL)
        return host_refuse(why, "there is no memory left");
    for (int i = 0; i < moves; i++) {
        const json_t *time = json_array_get(array, (size_t)i);
        json_int_t value = json_integer_value(time);
        if (!json_is_integer(time) || value < 0 || value > UINT32_MAX)
            return host_refuse(why, "time %d is not a whole number of milliseconds", i + 1);
        (*times)[i] = (uint32_t)value;
    }
    return true;
}

/* Appends "a draw" or "a win of players 1 and 2". */
static void name_result(unsigned winners, int players, struct nonet_text *out) {
    int count = __builtin_popcount(winners), told = 0;
    if (count == players) {
        nonet_text_add(out, host_words("a draw"));
        return;
    }
    char list[64];
    struct nonet_text text = NONET_TEXT_IN(list);
    for (int player = 1; player <= players; player++)
        if (winners >> (player - 1) & 1) {
            told++;
            nonet_text_format(&text, "%s%d",
                              told == 1       ? ""
                              : told == count ? host_words(" and ")
                                              : ", ",
                              player);
        }
    nonet_text_format(out, host_words(count == 1 ? "a win of player %s" : "a win of players %s"),
                      list);
}

static bool read_winners(const json_t *object, int players, unsigned *winners,
                         struct nonet_text *why) {
    const json_t *array = json_object_get(object, "winners");
    *winners = 0;
    for (size_t i = 0; i < json_array_size(array) || i == 0; i++) {
        const json_t *winner = json_array_get(array, i);
        json_int_t player = json_integer_value(winner);
        if (!json_is_integer(winner) || player < 1 || player > players ||
            *winners >> (player - 1) != 0)
            return host_refuse(why, "the winners are not a list of players in rising order");
        *winners |= 1u << (player - 1);
    }
    return true;
}

static bool check_points(const json_t *object, const struct nonet_result *result, int players,
                         struct nonet_text *why) {
    const json_t *array = json_object_get(object, "points");
    if (array == NULL || json_is_null(array))
        return true;
    if (!result->has_points)
        return host_refuse(why, "points are stated, but this game has none");
    if (json_array_size(array) != (size_t)players)
        return host_refuse(why, "the points are not a list of %d numbers", players);
    for (int i = 0; i < players; i++) {
        const json_t *points = json_array_get(array, (size_t)i);
        if (!json_is_integer(points))
            return host_refuse(why, "the points are not a list of %d numbers", players);
        if (json_integer_value(points) != result->points[i])
            return host_refuse(why, "the stated points of player %d are %lld, the true ones %d",
                               i + 1, (long long)json_integer_value(points), result->points[i]);
    }
    return true;
}

static bool check_result(const json_t *root, const struct nonet_session *session,
                         struct nonet_text *why) {
    json_t *object = json_object_get(root, "result");
    if (object == NULL || json_is_null(object))
        return true;
    if (!json_is_object(object))
        return host_refuse(why, "\"result\" is not an object");
    static const char *const known[] = {"winners", "points", "reason", NULL};
    if (!record_known_members(object, known, "\"result\"", why))
        return false;
    const json_t *reason = json_object_get(object, "reason");
    if (reason != NULL && !json_is_string(reason))
        return host_refuse(why, "the result's reason is not a text");
    int players = nonet_session_options(session)->players;
    unsigned winners;
    if (!read_winners(object, players, &winners, why))
        return false;
    if (nonet_session_turn(session) != 0)
        return nonet_session_ply(session) == 1
                   ? host_refuse(why, "a result is stated, but the game is not over after 1 move")
                   : host_refuse(why, "a result is stated, but the game is not over after %d moves",
                                 nonet_session_ply(session));
    struct nonet_result result;
    nonet_session_result(session, &result);
    if (winners != result.winners) {
        char stated[128], truth[128];
        struct nonet_text one = NONET_TEXT_IN(stated), other = NONET_TEXT_IN(truth);
        name_result(winners, players, &one);
        name_result(result.winners, players, &other);
        return host_refuse(why, "the stated result is %s, the true one %s", stated, truth);
    }
    return check_points(object, &result, players, why);
}

struct nonet_session *record_open_session(json_t *object, struct nonet_text *why) {
    const char *id = text_of(object, "game", why);
    if (id == NULL)
        return NULL;
    const struct nonet_game *game = nonet_game_find(id);
    const json_t *from = json_object_get(object, "from");
    if (game == NULL) {
        host_refuse(why, "there is no game \"%s\"", nonet_quote(id).text);
        return NULL;
    }
    if (from != NULL && !json_is_string(from)) {
        host_refuse(why, "\"from\" is not a text");
        return NULL;
    }
    struct nonet_setup setup = {.from = json_string_value(from)};
    nonet_options_default(&setup.options, game);
    if (!read_options(object, &setup.options, why))
        return NULL;
    struct nonet_setup_error error;
    struct nonet_session *session = nonet_setup_open(&setup, NULL, &error);
    if (session == NULL) {
        refuse_setup(why, &error);
        return NULL;
    }
    if (read_moves(object, session, why))
        return session;
    nonet_session_free(session);
    return NULL;
}

static bool read_root(json_t *root, struct record *record, struct nonet_text *why) {
    if (!json_is_object(root))
        return host_refuse(why, "it is not a JSON object");
    const char *format = text_of(root, "format", why);
    if (format == NULL)
        return false;
    if (strcmp(format, format_name) != 0)
        return host_refuse(why, "its format is \"%s\", not \"%s\"", nonet_quote(format).text,
                           format_name);
    const json_t *version = json_object_get(root, "version");
    if (!json_is_integer(version) || json_integer_value(version) != VERSION)
        return host_refuse(why, "its version is not %d, the only one that this program reads",
                           VERSION);
    static const char *const known[] = {"format", "version", "game",  "options", "from",
                                        "seats",  "moves",   "times", "result",  NULL};
    if (!record_known_members(root, known, host_words("the record"), why))
        return false;
    record->session = record_open_session(root, why);
    if (record->session == NULL)
        return false;
    return read_seats(root, nonet_session_options(record->session)->players, record->seats, why) &&
           read_times(root, nonet_session_ply(record->session), &record->times, why) &&
           check_result(root, record->session, why);
}

json_t *record_load_json(const void *bytes, size_t size, struct nonet_text *why) {
    json_error_t error;
    if (size > RECORD_MAX_BYTES) {
        host_refuse(why, "it is larger than %d bytes", RECORD_MAX_BYTES);
        return NULL;
    }
    json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        host_refuse(why, "it is not JSON: line %d, column %d", error.line, error.column);
    /* What else is known is told by the JSON library, in English. */
    if (root == NULL && host_language == NULL)
        nonet_text_format(why, ": %s", nonet_quote(error.text).text);
    return root;
}

bool record_read_bytes(const void *bytes, size_t size, struct record *record,
                       struct nonet_text *why) {
    *record = (struct record){0};
    json_t *root = record_load_json(bytes, size, why);
    if (root == NULL)
        return false;
    bool done = read_root(root, record, why);
    json_decref(root);
    if (!done)
        record_close(record);
    return done;
}

bool record_read_file(const char *path, struct record *record, struct nonet_text *why) {
    *record = (struct record){0};
    size_t size;
    char *bytes = files_read(path, RECORD_MAX_BYTES, &size, why);
    bool done = bytes != NULL && record_read_bytes(bytes, size, record, why);
    free(bytes);
    return done;
}

void record_close(struct record *record) {
    nonet_session_free(record->session);
    free(record->times);
    *record = (struct record){0};
}

static void write_seats(struct nonet_json *json, const struct record_seat *seats, int players) {
    if (seats[0].kind[0] == '\0')
        return;
    nonet_json_name(json, "seats");
    nonet_json_open(json, '[');
    for (int i = 0; i < players; i++) {
        nonet_json_open(json, '{');
        nonet_json_string_member(json, "kind", seats[i].kind);
        if (seats[i].name[0] != '\0') {
            nonet_json_string_member(json, "name", seats[i].name);
        }
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

static void write_times(struct nonet_json *json, const struct record *record) {
    if (record->times == NULL)
        return;
    nonet_json_name(json, "times");
    nonet_json_open(json, '[');
    for (int i = 0; i < nonet_session_ply(record->session); i++)
        nonet_json_number(json, record->times[i]);
    nonet_json_close(json, ']');
}

static void write_result(struct nonet_json *json, const struct nonet_session *session) {
    if (nonet_session_turn(session) != 0)
        return;
    struct nonet_result result;
    nonet_session_result(session, &result);
    int players = nonet_session_options(session)->players;
    nonet_json_name(json, "result");
    nonet_json_open(json, '{');
    describe_winners(json, &result, players);
    if (result.has_points)
        describe_points(json, &result, players);
    char reason[RECORD_REASON];
    struct nonet_text text = NONET_TEXT_IN(reason);
    nonet_message_write(&result.reason, NULL, &text);
    nonet_json_string_member(json, "reason", reason);
    nonet_json_close(json, '}');
}

char *record_write(const struct record *record) {
    const struct nonet_session *session = record->session;
    /* A move with its quotes and comma, and its time with a comma. */
    size_t room = 8192 + NONET_POSITION_TEXT +
                  (size_t)nonet_session_ply(session) * (NONET_MOVE_TEXT + 3 + 11);
    char *bytes = malloc(room);
    if (bytes == NULL)
        return NULL;
    struct nonet_text text = nonet_text_in(bytes, room);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "format", format_name);
    nonet_json_number_member(&json, "version", VERSION);
    nonet_setup_json(&json, session);
    write_seats(&json, record->seats, nonet_session_options(session)->players);
    write_times(&json, record);
    write_result(&json, session);
    nonet_json_close(&json, '}');
    nonet_text_char(&text, '\n');
    return bytes;
}

/* Whether a regular file may be replaced: it is empty, or a record itself. */
static bool replaceable(const char *path) {
    char start[sizeof beginning] = "", ignored[256];
    struct nonet_text why = NONET_TEXT_IN(ignored);
    uint64_t size;
    int file = files_open(path, &size, &why);
    if (file < 0)
        return false;
    bool is_record = size == 0 || (files_fetch(file, 0, start, sizeof beginning - 1) &&
                                   strcmp(start, beginning) == 0);
    close(file);
    return is_record;
}

/* Devices and pipes are written to directly. A pipe without a reader is refused, not waited for. */
static bool write_through(const char *path, const char *text, struct nonet_text *why) {
    int file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return errno == ENXIO ? host_refuse(why, "nobody reads from it")
                              : host_refuse(why, "cannot open it: %s", host_error(errno));
    fcntl(file, F_SETFL, 0);
    bool done = files_write(file, text, strlen(text));
    int error = errno;
    if (close(file) != 0 && done) {
        done = false;
        error = errno;
    }
    return done || host_refuse(why, "cannot write it: %s", host_error(error));
}

static bool save_text(const char *path, const char *text, struct nonet_text *why) {
    struct stat facts;
    /* What a link points to is replaced, not the link. */
    char *real = realpath(path, NULL);
    bool exists = real != NULL && stat(real, &facts) == 0;
    bool done;
    if (!exists)
        done = files_replace(path, 0666, text, strlen(text), why);
    else if (!S_ISREG(facts.st_mode))
        done = write_through(real, text, why);
    else if (!replaceable(real))
        done = host_refuse(why, "it exists and is not a game record, so it was not replaced");
    else
        done = files_replace(real, facts.st_mode & 0777, text, strlen(text), why);
    free(real);
    return done;
}

bool record_save(const char *path, const struct record *record, struct nonet_text *why) {
    if (path[0] == '\0')
        return host_refuse(why, "a file needs a name");
    char *text = record_write(record);
    if (text == NULL)
        return host_refuse(why, "there is no memory left");
    bool done = save_text(path, text, why);
    free(text);
    return done;
}
