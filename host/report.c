#include "report.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "refusal.h"

/* ---- Times ---- */

void report_time_write(long long seconds, char text[REPORT_TIME]) {
    time_t time = (time_t)seconds;
    struct tm parts;
    gmtime_r(&time, &parts);
    strftime(text, REPORT_TIME, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

bool report_time(const char *text, long long *seconds) {
    struct tm parts = {0};
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
               &parts.tm_hour, &parts.tm_min, &parts.tm_sec) != 6)
        return false;
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    *seconds = (long long)timegm(&parts);
    char again[REPORT_TIME];
    report_time_write(*seconds, again);
    return strcmp(again, text) == 0; /* no 30 February */
}

/* ---- Writing ---- */

/* The lines of a set-up that has not begun: the game's id, its options, and where it begins if that
 * is not at its usual start. */
static void write_game(struct nonet_json *json, const struct nonet_session *session) {
    static const char from_key[] = "from=";
    char lines[4096 + NONET_POSITION_TEXT], *rest = lines;
    struct nonet_text text = NONET_TEXT_IN(lines);
    const char *from = NULL;
    nonet_setup_write(session, &text);
    strsep(&rest, "\n");
    nonet_json_name(json, "game");
    nonet_json_open(json, '{');
    nonet_json_string_member(json, "name", nonet_session_options(session)->game->title);
    nonet_json_name(json, "variants");
    nonet_json_open(json, '[');
    for (char *line; (line = strsep(&rest, "\n")) != NULL && *line != '\0';)
        if (strncmp(line, from_key, strlen(from_key)) == 0)
            from = line + strlen(from_key);
        else
            nonet_json_string(json, line);
    nonet_json_close(json, ']');
    nonet_json_close(json, '}');
    if (from != NULL)
        nonet_json_string_member(json, "startingPosition", from);
}

/* A seat without a name gets one, since a report needs it. */
static void usual_name(int seat, char name[RECORD_NAME]) {
    snprintf(name, RECORD_NAME, "Player %d", seat);
}

static void write_players(struct nonet_json *json, const struct record *record,
                          const struct nonet_result *result) {
    nonet_json_name(json, "players");
    nonet_json_open(json, '[');
    for (int i = 0; i < nonet_session_options(record->session)->players; i++) {
        const struct record_seat *seat = &record->seats[i];
        char name[RECORD_NAME];
        usual_name(i + 1, name);
        nonet_json_open(json, '{');
        nonet_json_string_member(json, "name", seat->name[0] != '\0' ? seat->name : name);
        nonet_json_number_member(json, "result", result->winners >> i & 1);
        if (seat->kind[0] != '\0') {
            nonet_json_bool_member(json, "is_ai", strcmp(seat->kind, "human") != 0);
            nonet_json_string_member(json, "kind", seat->kind);
        }
        if (result->has_points)
            nonet_json_number_member(json, "score", result->points[i]);
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
}

/* Plays the session's moves again from its first position on. Rounds follow the seats; several
 * moves of one turn stand in one text, for which `turn` has room. */
static void write_rounds(struct nonet_json *json, struct nonet_session *session, int plies,
                         struct nonet_text turn) {
    const struct nonet_options *options = nonet_session_options(session);
    int last = 0, written = 0; /* who moved last; the entries of the round that is open */
    nonet_json_name(json, "moves");
    nonet_json_open(json, '[');
    for (int i = 0; i <= plies; i++) {
        int seat = i < plies ? nonet_session_turn(session) : 0;
        if (last != 0 && seat != last) {
            if (written == 0)
                nonet_json_open(json, '[');
            for (; written < last - 1; written++)
                nonet_json_null(json);
            nonet_json_string(json, turn.bytes);
            written = last;
            turn = nonet_text_in(turn.bytes, turn.size);
            if (seat < last) {
                for (; written < options->players; written++)
                    nonet_json_null(json);
                nonet_json_close(json, ']');
                written = 0;
            }
        }
        if (seat == 0)
            break;
        if (seat == last)
            nonet_text_char(&turn, ' ');
        nonet_session_redo(session);
        options->game->print(options, nonet_session_move(session, i), &turn);
        last = seat;
    }
    nonet_json_close(json, ']');
}

char *report_write(const struct record *record, const struct report_facts *facts,
                   struct nonet_text *why) {
    struct nonet_session *session = record->session;
    if (nonet_session_turn(session) != 0) {
        host_refuse(why, "the game is not over, and a report is about a whole game");
        return NULL;
    }
    int plies = nonet_session_ply(session);
    long long ended = 0, spent = 0;
    char started[REPORT_TIME];
    report_time(facts->ended, &ended);
    for (int i = 0; record->times != NULL && i < plies; i++)
        spent += record->times[i];
    /* Times that no game took say nothing about its beginning. */
    report_time_write(spent / 1000 < ended ? ended - spent / 1000 : ended, started);
    struct nonet_result result;
    nonet_session_result(session, &result);
    while (nonet_session_undo(session))
        continue;

    /* A move with what stands around it: quotes, brackets, and null for up to three others. */
    size_t moves = (size_t)plies * (NONET_MOVE_TEXT + 24) + 1;
    size_t room = 8192 + NONET_POSITION_TEXT + 6 * strlen(facts->site) + moves;
    char *bytes = malloc(room), *turn = malloc(moves);
    if (bytes == NULL || turn == NULL) {
        free(bytes);
        free(turn);
        host_refuse(why, "there is no memory left");
        return NULL;
    }
    struct nonet_text text = nonet_text_in(bytes, room);
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    nonet_json_name(&json, "header");
    nonet_json_open(&json, '{');
    write_game(&json, session);
    nonet_json_name(&json, "site");
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "name", facts->site);
    nonet_json_close(&json, '}');
    nonet_json_string_member(&json, "date-start", started);
    nonet_json_string_member(&json, "date-end", facts->ended);
    nonet_json_string_member(&json, "date-generated", facts->generated);
    write_players(&json, record, &result);
    nonet_json_close(&json, '}');
    write_rounds(&json, session, plies, nonet_text_in(turn, moves));
    nonet_json_close(&json, '}');
    nonet_text_char(&text, '\n');
    free(turn);
    return bytes;
}

/* ---- Reading ---- */

static bool no_memory(struct nonet_text *why) {
    return host_refuse(why, "there is no memory left");
}

/* Sets a member that is not there yet. */
static bool set(json_t *object, const char *key, json_t *value, struct nonet_text *why) {
    return json_object_set_new(object, key, value) == 0 || no_memory(why);
}

static bool read_game(const json_t *header, json_t *record, struct nonet_text *why) {
    const json_t *object = json_object_get(header, "game");
    const char *name = json_string_value(json_object_get(object, "name"));
    if (name == NULL)
        return host_refuse(why, "the header names no game");
    const struct nonet_game *game = nonet_game_find(name);
    for (int i = 0; game == NULL && i < nonet_game_count; i++)
        if (strcmp(nonet_games[i]->title, name) == 0)
            game = nonet_games[i];
    if (game == NULL)
        return host_refuse(why, "there is no game \"%s\"", nonet_quote(name).text);
    json_t *options = json_object();
    if (!set(record, "game", json_string(game->id), why) || !set(record, "options", options, why))
        return false;
    const json_t *variants = json_object_get(object, "variants");
    if (variants != NULL && !json_is_array(variants))
        return host_refuse(why, "the game's variants are not an array");
    for (size_t i = 0; i < json_array_size(variants); i++) {
        const char *variant = json_string_value(json_array_get(variants, i));
        const char *value = variant != NULL ? strchr(variant, '=') : NULL;
        char key[64];
        if (value == NULL || (size_t)(value - variant) >= sizeof key)
            return host_refuse(why, "variant %zu is not an option such as \"players=3\"", i + 1);
        snprintf(key, sizeof key, "%.*s", (int)(value - variant), variant);
        if (json_object_get(options, key) != NULL)
            return host_refuse(why, "variant \"%s\" is there twice", nonet_quote(key).text);
        if (!set(options, key, json_string(value + 1), why))
            return false;
    }
    return true;
}

/* Seats, winners and points, from the list of players. */
static bool read_players(const json_t *header, json_t *record, struct nonet_text *why) {
    const json_t *players = json_object_get(header, "players");
    size_t count = json_array_size(players), scored = 0, told = 0;
    json_int_t best = 0;
    if (count == 0 || count > NONET_MAX_PLAYERS)
        return host_refuse(why, "the players are not a list of up to %d", NONET_MAX_PLAYERS);
    json_t *seats = json_array(), *result = json_object(), *winners = json_array(),
           *points = json_array();
    bool fine = set(record, "seats", seats, why) && set(record, "result", result, why);
    fine = (result != NULL && fine) ? set(result, "winners", winners, why) : false;
    for (size_t i = 0; i < count && fine; i++) {
        const json_t *player = json_array_get(players, i), *won = json_object_get(player, "result");
        const json_t *name = json_object_get(player, "name"),
                     *kind = json_object_get(player, "kind");
        if (!json_is_string(name) || !json_is_integer(won)) {
            fine = host_refuse(why, "player %zu has no name, or no whole number as result", i + 1);
            break;
        }
        char usual[RECORD_NAME];
        usual_name((int)i + 1, usual);
        bool machine = json_is_true(json_object_get(player, "is_ai"));
        told += kind != NULL || json_object_get(player, "is_ai") != NULL ||
                strcmp(json_string_value(name), usual) != 0;
        json_t *seat = json_object();
        fine = json_array_append_new(seats, seat) == 0 || no_memory(why);
        fine = fine && set(seat, "kind",
                           json_is_string(kind) ? json_string(json_string_value(kind))
                                                : json_string(machine ? "computer" : "human"),
                           why);
        if (fine && strcmp(json_string_value(name), usual) != 0)
            fine = set(seat, "name", json_string(json_string_value(name)), why);
        if (i == 0 || json_integer_value(won) > best)
            best = json_integer_value(won);
        const json_t *score = json_object_get(player, "score");
        scored += json_is_integer(score);
        fine =
            fine && (json_array_append_new(points, json_integer(json_integer_value(score))) == 0 ||
                     no_memory(why));
    }
    for (size_t i = 0; i < count && fine; i++)
        if (json_integer_value(json_object_get(json_array_get(players, i), "result")) == best)
            fine = json_array_append_new(winners, json_integer((json_int_t)i + 1)) == 0 ||
                   no_memory(why);
    if (fine && told == 0)
        json_object_del(record, "seats");
    if (fine && scored == count)
        fine = json_object_set(result, "points", points) == 0 || no_memory(why);
    json_decref(points);
    return fine;
}

/* The moves of one player in one round: texts between spaces. */
static bool read_turn(const char *turn, json_t *moves, struct nonet_text *why) {
    while (*(turn += strspn(turn, " ")) != '\0') {
        size_t length = strcspn(turn, " ");
        if (json_array_append_new(moves, json_stringn(turn, length)) != 0)
            return no_memory(why);
        turn += length;
    }
    return true;
}

static bool read_rounds(const json_t *rounds, json_t *record, struct nonet_text *why) {
    json_t *moves = json_array();
    if (!set(record, "moves", moves, why))
        return false;
    if (!json_is_array(rounds))
        return host_refuse(why, "\"moves\" is not an array");
    for (size_t i = 0; i < json_array_size(rounds); i++) {
        const json_t *round = json_array_get(rounds, i);
        if (!json_is_array(round) || json_array_size(round) > NONET_MAX_PLAYERS)
            return host_refuse(why, "round %zu is not a list of one entry a player", i + 1);
        for (size_t k = 0; k < json_array_size(round); k++) {
            const json_t *entry = json_array_get(round, k);
            if (json_is_null(entry))
                continue;
            if (json_object_get(entry, "sequence") != NULL)
                return host_refuse(why, "round %zu has a sequence of its own, which is not read",
                                   i + 1);
            const json_t *move = json_is_object(entry) ? json_object_get(entry, "move") : entry;
            if (!json_is_string(move))
                return host_refuse(why, "round %zu, player %zu: there is no move", i + 1, k + 1);
            if (!read_turn(json_string_value(move), moves, why))
                return false;
        }
    }
    return true;
}

static bool read_report(json_t *report, json_t *record, struct nonet_text *why) {
    static const char *const known[] = {"header", "moves", NULL};
    if (!json_is_object(report) || !json_is_object(json_object_get(report, "header")))
        return host_refuse(why, "it has no header, so it is no game report");
    if (!record_known_members(report, known, "the report", why))
        return false;
    const json_t *header = json_object_get(report, "header");
    const json_t *from = json_object_get(header, "startingPosition");
    if (from != NULL && !json_is_string(from))
        return host_refuse(why, "the starting position is not a text");
    return set(record, "format", json_string("nonet-game"), why) &&
           set(record, "version", json_integer(1), why) && read_game(header, record, why) &&
           (from == NULL || set(record, "from", json_string(json_string_value(from)), why)) &&
           read_players(header, record, why) &&
           read_rounds(json_object_get(report, "moves"), record, why);
}

/* What the report says is made into the JSON of a record, and that is read like any other. */
bool report_read_bytes(const void *bytes, size_t size, struct record *record,
                       struct nonet_text *why) {
    *record = (struct record){0};
    json_t *report = record_load_json(bytes, size, why);
    if (report == NULL)
        return false;
    json_t *parts = json_object();
    bool done = parts != NULL ? read_report(report, parts, why) : no_memory(why);
    char *text = done ? json_dumps(parts, JSON_COMPACT) : NULL;
    if (done && text == NULL)
        done = no_memory(why);
    json_decref(parts);
    json_decref(report);
    done = done && record_read_bytes(text, strlen(text), record, why);
    free(text);
    return done;
}
