#include "plan.h"

#include <string.h>

#include "online/room/event.h"
#include "online/room/fields.h"
#include "online/room/table_name.h"

static const char *const clock_kinds[] = {"none", "game", "move"};
enum { CLOCK_KINDS = sizeof clock_kinds / sizeof clock_kinds[0], MOST_LEVEL = 10 };

void plan_json_clock(struct nonet_json *json, const struct clock_rule *rule) {
    nonet_json_name(json, "clock");
    nonet_json_open(json, '{');
    nonet_json_string_member(json, "kind", clock_kinds[rule->kind]);
    if (rule->kind != CLOCK_NONE)
        nonet_json_number_member(json, "budget", rule->budget);
    if (rule->kind == CLOCK_GAME)
        nonet_json_number_member(json, "increment", rule->increment);
    if (rule->kind == CLOCK_MOVE)
        nonet_json_number_member(json, "pause", rule->pause);
    nonet_json_close(json, '}');
}

/* ---- Reading ---- */

/* What is being read, and what the reader may ask for. */
struct reading {
    struct fields fields;
    struct plan *plan;
    bool from_log;
    struct nonet_text *why;
};

/* The first reason is kept. */
static void refuse(struct reading *reading, const char *member, const char *why) {
    if (reading->fields.wrong == NULL)
        nonet_text_add(reading->why, why);
    fields_refuse(&reading->fields, member);
}

static void read_game(struct reading *reading) {
    const char *id = fields_text(&reading->fields, "game");
    for (int i = 0; i < nonet_game_count; i++)
        if (strcmp(nonet_games[i]->id, id) == 0) {
            nonet_options_default(&reading->plan->room.options, nonet_games[i]);
            return;
        }
    refuse(reading, "game", "there is no such game");
}

/* A visitor who chose what is hidden would know what others hide. */
static bool may_choose(const struct nonet_options *options, const char *key) {
    const struct nonet_game *game = options->game;
    for (int i = 0; i < NONET_MAX_OPTIONS && game->options[i].key != NULL; i++)
        if (strcmp(game->options[i].key, key) == 0)
            return !game->options[i].secret;
    return true; /* refused later, with the good ones named */
}

static void read_options(struct reading *reading) {
    json_t *object = fields_any(&reading->fields, "options"), *value;
    struct nonet_options *options = &reading->plan->room.options;
    const char *key;
    if (!json_is_object(object))
        refuse(reading, "options", "\"options\" must be an object");
    json_object_foreach(object, key, value) {
        char assignment[2 * NONET_OPTION_TEXT];
        struct nonet_text text = NONET_TEXT_IN(assignment);
        struct nonet_message message;
        if (reading->fields.wrong != NULL)
            return;
        const char *chosen = json_string_value(value);
        nonet_text_format(&text, "%s=%s", key, chosen != NULL ? chosen : "");
        if (chosen == NULL || strlen(chosen) != json_string_length(value) || text.cut) {
            refuse(reading, "options", "an option's value is a short text");
        } else if (!reading->from_log && !may_choose(options, key)) {
            refuse(reading, "options", "what is dealt at this table is left to chance");
        } else if (!nonet_options_set(options, assignment, &message)) {
            nonet_message_write(&message, NULL, reading->why);
            fields_refuse(&reading->fields, "options");
        }
    }
    struct nonet_message message;
    if (reading->fields.wrong == NULL && !nonet_options_check(options, &message)) {
        nonet_message_write(&message, NULL, reading->why);
        fields_refuse(&reading->fields, "options");
    }
}

static void read_clock(struct reading *reading) {
    struct fields clock = fields_inside(fields_any(&reading->fields, "clock"));
    struct clock_rule *rule = &reading->plan->room.clock;
    *rule = (struct clock_rule){
        .kind = (enum clock_kind)fields_word(&clock, "kind", clock_kinds, CLOCK_KINDS)};
    if (rule->kind != CLOCK_NONE)
        rule->budget = fields_number(&clock, "budget", CLOCK_MOST_MOVE);
    if (rule->kind == CLOCK_GAME)
        rule->increment = fields_number(&clock, "increment", CLOCK_MOST_INCREMENT);
    if (rule->kind == CLOCK_MOVE && fields_has(&clock, "pause"))
        rule->pause = fields_number(&clock, "pause", CLOCK_MOST_PAUSE);
    if (!fields_end(&clock) || !clock_rule_check(rule))
        refuse(reading, "clock",
               "\"clock\" must be {\"kind\":\"none\"}, or of kind \"game\" with a budget of 10 "
               "seconds to 3 hours and an increment of up to 3 minutes, or of kind \"move\" with a "
               "budget of 10 seconds to 14 days and a pause of up to 30 days, all in milliseconds");
    fields_close(&clock);
}

static void read_seat(struct reading *reading, json_t *value, int player) {
    struct plan *plan = reading->plan;
    struct fields seat = fields_inside(value);
    if (fields_has(&seat, "level")) {
        plan->room.level[player - 1] = (uint8_t)fields_number(&seat, "level", MOST_LEVEL);
        if (plan->room.level[player - 1] == 0)
            fields_refuse(&seat, "level");
    } else if (!reading->from_log && plan->seat == 0 && fields_has(&seat, "name")) {
        const char *name = fields_text(&seat, "name");
        plan->seat = player;
        if (room_name_check(name))
            memcpy(plan->name, name, strlen(name) + 1);
        else
            fields_refuse(&seat, "name");
    }
    if (!fields_end(&seat))
        refuse(reading, "seats",
               "a seat is {}, or {\"level\":N} with N from 1 to 10, or, once, {\"name\":\"…\"} "
               "with a name of 1 to 63 bytes, and something to see");
    fields_close(&seat);
}

static void read_seats(struct reading *reading) {
    json_t *seats = fields_any(&reading->fields, "seats"), *seat;
    size_t i;
    bool people = false;
    if (!json_is_array(seats) || json_array_size(seats) != reading->plan->room.options.players) {
        refuse(reading, "seats", "\"seats\" must be a list with one object for each player");
        return;
    }
    json_array_foreach(seats, i, seat) {
        read_seat(reading, seat, (int)i + 1);
        people |= reading->plan->room.level[i] == 0;
    }
    if (!people)
        refuse(reading, "seats", "at least one seat is for a person");
}

/* Of a request, whether it is for a pair; of a log, the other table and the moves by chance. */
static void read_pair(struct reading *reading) {
    struct fields *fields = &reading->fields;
    struct room_plan *room = &reading->plan->room;
    const struct nonet_options *options = &room->options;
    if (!fields_has(fields, "pair"))
        return;
    if (!reading->from_log) {
        reading->plan->pair = fields_bool(fields, "pair");
        if (reading->plan->pair && (options->players != 2 || options->game->hidden != NULL))
            refuse(reading, "pair",
                   "a pair is for games of two players in which nothing is hidden; leave out "
                   "\"pair\"");
        return;
    }
    struct fields pair = fields_inside(fields_any(fields, "pair"));
    json_t *moves = fields_any(&pair, "moves"), *move;
    size_t i;
    bool fine = table_name_read(fields_text(&pair, "table"), &room->twin) && json_is_array(moves) &&
                json_array_size(moves) <= ROOM_OPENING;
    json_array_foreach(moves, i, move) {
        struct nonet_message message;
        const char *text = json_string_value(move);
        fine = fine && text != NULL &&
               options->game->parse(options, text, &room->opening[room->opening_count++], &message);
    }
    if (!fields_end(&pair) || !fine)
        fields_refuse(fields, "pair");
    fields_close(&pair);
}

static bool read_plan(const char *bytes, size_t length, bool from_log, struct plan *plan,
                      struct nonet_text *why) {
    static void (*const parts[])(struct reading *) = {read_game, read_options, read_clock,
                                                      read_seats, read_pair};
    *plan = (struct plan){0};
    struct reading reading = {fields_open(bytes, length), plan, from_log, why};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && reading.fields.wrong == NULL; i++)
        parts[i](&reading);
    plan->listed = fields_bool(&reading.fields, "listed");
    plan->id = fields_long(&reading.fields, "id");
    if (from_log)
        plan->by = fields_long(&reading.fields, "by");
    bool fine = fields_end(&reading.fields);
    if (!fine && why->length == 0)
        nonet_text_format(why,
                          "%s is missing, or wrong, or too much; a table has \"id\", \"game\", "
                          "\"options\", \"clock\", \"seats\" and \"listed\", and perhaps \"pair\"",
                          *reading.fields.wrong == '\0' ? "the object" : reading.fields.wrong);
    fields_close(&reading.fields);
    return fine;
}

bool plan_read_request(const char *body, size_t length, struct plan *plan, struct nonet_text *why) {
    return read_plan(body, length, false, plan, why);
}

bool plan_read(const char *line, size_t length, struct plan *plan) {
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    if (!read_plan(line, length, true, plan, &why) || !nonet_options_tell_deal(&plan->room.options))
        return false;
    nonet_options_deal(&plan->room.options, 0, 0); /* what follows from a seed is not written */
    return true;
}

void plan_deal(struct plan *plan, const struct nonet_chance *chance) {
    nonet_options_deal(&plan->room.options, chance->open, chance->secret);
}

/* ---- Writing ---- */

static void write_pair(struct nonet_json *json, const struct room_plan *room) {
    char name[TABLE_NAME];
    table_name_write(room->twin, name);
    nonet_json_name(json, "pair");
    nonet_json_open(json, '{');
    nonet_json_string_member(json, "table", name);
    nonet_json_name(json, "moves");
    nonet_json_open(json, '[');
    for (int i = 0; i < room->opening_count; i++) {
        char move[NONET_MOVE_TEXT];
        struct nonet_text text = NONET_TEXT_IN(move);
        room->options.game->print(&room->options, room->opening[i], &text);
        nonet_json_string(json, move);
    }
    nonet_json_close(json, ']');
    nonet_json_close(json, '}');
}

void plan_write(struct nonet_json *json, const struct plan *plan) {
    const struct nonet_options *options = &plan->room.options;
    nonet_json_open(json, '{');
    nonet_json_string_member(json, "game", options->game->id);
    nonet_setup_json_options(json, options, NONET_TELL_WHOLE);
    plan_json_clock(json, &plan->room.clock);
    nonet_json_name(json, "seats");
    nonet_json_open(json, '[');
    for (int i = 0; i < options->players; i++) {
        nonet_json_open(json, '{');
        if (plan->room.level[i] > 0)
            nonet_json_number_member(json, "level", plan->room.level[i]);
        nonet_json_close(json, '}');
    }
    nonet_json_close(json, ']');
    nonet_json_bool_member(json, "listed", plan->listed);
    event_json_long(json, "id", plan->id);
    event_json_long(json, "by", plan->by);
    if (plan->room.twin != 0)
        write_pair(json, &plan->room);
    nonet_json_close(json, '}');
}
