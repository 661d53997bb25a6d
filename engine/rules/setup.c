#include "setup.h"

#include <string.h>

/* ---- Opening ---- */

static bool refuse(struct nonet_setup_error *error, enum nonet_setup_fault kind,
                   struct nonet_message why) {
    *error = (struct nonet_setup_error){.kind = kind, .why = why};
    return false;
}

static bool tells_chance(const struct nonet_options *options) {
    for (int i = 0; options->game->options[i].key != NULL; i++)
        if (options->game->options[i].chance && options->value[i].text[0] != '\0')
            return true;
    return false;
}

bool nonet_setup_check(const struct nonet_setup *setup, struct nonet_setup_error *error) {
    if (setup->from != NULL && tells_chance(&setup->options))
        return refuse(error, NONET_SETUP_OPTIONS, nonet_say(&nonet_common[NONET_SAY_DEALT_TWICE]));
    struct nonet_message why;
    return nonet_options_check(&setup->options, &why) || refuse(error, NONET_SETUP_OPTIONS, why);
}

struct nonet_session *nonet_setup_open(const struct nonet_setup *setup,
                                       const struct nonet_chance *chance,
                                       struct nonet_setup_error *error) {
    if (!nonet_setup_check(setup, error))
        return NULL;
    struct nonet_options options = setup->options;
    if (chance == NULL && setup->from == NULL && !nonet_options_tell_deal(&options)) {
        refuse(error, NONET_SETUP_UNDEALT,
               nonet_say(&nonet_common[NONET_SAY_UNDEALT], nonet_quote(options.game->title)));
        return NULL;
    }
    nonet_options_deal(&options, chance != NULL ? chance->open : 0,
                       chance != NULL ? chance->secret : 0);
    struct nonet_session *session = nonet_session_new(&options);
    struct nonet_message why;
    if (session == NULL) {
        refuse(error, NONET_SETUP_MEMORY, nonet_say(&nonet_common[NONET_SAY_NO_MEMORY]));
    } else if (setup->from != NULL && !nonet_session_read(session, setup->from, &why)) {
        refuse(error, NONET_SETUP_POSITION, why);
        nonet_session_free(session);
        session = NULL;
    }
    return session;
}

bool nonet_setup_play(struct nonet_session *session, const char *text,
                      struct nonet_setup_error *error) {
    struct nonet_message why;
    if (nonet_session_play_text(session, text, &why))
        return true;
    refuse(error, NONET_SETUP_MOVE, why);
    error->move = nonet_session_ply(session) + 1;
    error->move_given = nonet_quote(text);
    return false;
}

/* The next line, without its end, cut to the room there is; false at the end of the text. */
static bool next_line(const char **cursor, struct nonet_text *line) {
    if (**cursor == '\0')
        return false;
    for (; **cursor != '\0' && **cursor != '\n'; (*cursor)++)
        nonet_text_char(line, **cursor);
    *cursor += **cursor == '\n';
    return true;
}

bool nonet_setup_play_lines(struct nonet_session *session, const char *lines,
                            struct nonet_setup_error *error) {
    while (*lines != '\0') {
        char line[NONET_POSITION_TEXT];
        struct nonet_text text = NONET_TEXT_IN(line);
        next_line(&lines, &text);
        if (!nonet_setup_play(session, line + (line[0] == ' '), error))
            return false;
    }
    return true;
}

static const char from_key[] = "from=";

struct nonet_session *nonet_setup_read(const char *lines, const struct nonet_chance *chance,
                                       struct nonet_setup_error *error) {
    char line[NONET_POSITION_TEXT], from[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    next_line(&lines, &text);
    const struct nonet_game *game = nonet_game_find(line);
    if (game == NULL) {
        refuse(error, NONET_SETUP_OPTIONS,
               nonet_say(&nonet_common[NONET_SAY_NO_GAME], nonet_quote(line)));
        return NULL;
    }
    struct nonet_setup setup = {0};
    nonet_options_default(&setup.options, game);
    while (*lines != '\0' && *lines != ' ') {
        text = NONET_TEXT_IN(line);
        next_line(&lines, &text);
        struct nonet_message why;
        if (strncmp(line, from_key, sizeof from_key - 1) == 0)
            setup.from = strcpy(from, line + sizeof from_key - 1);
        else if (!nonet_options_set(&setup.options, line, &why)) {
            refuse(error, NONET_SETUP_OPTIONS, why);
            return NULL;
        }
    }
    struct nonet_session *session = nonet_setup_open(&setup, chance, error);
    if (session != NULL && !nonet_setup_play_lines(session, lines, error)) {
        nonet_session_free(session);
        session = NULL;
    }
    return session;
}

void nonet_setup_explain(const struct nonet_setup_error *error,
                         const struct nonet_catalogue *catalogue, struct nonet_text *out) {
    struct nonet_message prefix = {0};
    if (error->kind == NONET_SETUP_POSITION)
        prefix = nonet_say(&nonet_common[NONET_SAY_NO_POSITION]);
    else if (error->kind == NONET_SETUP_MOVE)
        prefix = nonet_say(&nonet_common[NONET_SAY_ILLEGAL], nonet_number(error->move),
                           error->move_given);
    if (prefix.phrase != NULL) {
        nonet_message_write(&prefix, catalogue, out);
        const struct nonet_message colon = nonet_say(&nonet_common[NONET_SAY_COLON]);
        nonet_message_write(&colon, catalogue, out);
    }
    nonet_message_write(&error->why, catalogue, out);
}

/* ---- Writing down ---- */

static bool is_told(const struct nonet_options *options, int index, enum nonet_telling telling) {
    const struct nonet_option *option = &options->game->options[index];
    switch (telling) {
    case NONET_TELL_WHOLE:
        return nonet_option_told(options, index);
    case NONET_TELL_SEAT:
        return nonet_option_says(options, index) && !option->secret;
    case NONET_TELL_RULES:
        return nonet_option_told(options, index) && !option->chance;
    }
    return false;
}

int nonet_option_next(const struct nonet_options *options, int after, enum nonet_telling telling) {
    for (int i = after + 1; options->game->options[i].key != NULL; i++)
        if (is_told(options, i, telling))
            return i;
    return -1;
}

enum nonet_telling nonet_setup_telling(const struct nonet_session *session) {
    return nonet_session_began_elsewhere(session) ? NONET_TELL_RULES : NONET_TELL_WHOLE;
}

/* The text of the position that the session began at. */
static void write_first(const struct nonet_session *session, struct nonet_text *out) {
    const struct nonet_options *options = nonet_session_options(session);
    options->game->write(options, nonet_session_state_before(session, 0), out);
}

void nonet_setup_write(const struct nonet_session *session, struct nonet_text *out) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_game *game = options->game;
    nonet_text_format(out, "%s\n", game->id);
    enum nonet_telling telling = nonet_setup_telling(session);
    for (int i = -1; (i = nonet_option_next(options, i, telling)) >= 0;)
        nonet_text_format(out, "%s=%s\n", game->options[i].key, options->value[i].text);
    if (nonet_session_began_elsewhere(session)) {
        nonet_text_add(out, from_key);
        write_first(session, out);
        nonet_text_char(out, '\n');
    }
    for (int i = 0; i < nonet_session_ply(session); i++) {
        nonet_text_char(out, ' ');
        game->print(options, nonet_session_move(session, i), out);
        nonet_text_char(out, '\n');
    }
}

void nonet_setup_json_options(struct nonet_json *json, const struct nonet_options *options,
                              enum nonet_telling telling) {
    nonet_json_name(json, "options");
    nonet_json_open(json, '{');
    for (int i = -1; (i = nonet_option_next(options, i, telling)) >= 0;) {
        nonet_json_name(json, options->game->options[i].key);
        nonet_json_string(json, options->value[i].text);
    }
    nonet_json_close(json, '}');
}

void nonet_setup_json_moves(struct nonet_json *json, const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    nonet_json_name(json, "moves");
    nonet_json_open(json, '[');
    for (int i = 0; i < nonet_session_ply(session); i++) {
        char move[NONET_MOVE_TEXT];
        struct nonet_text text = NONET_TEXT_IN(move);
        options->game->print(options, nonet_session_move(session, i), &text);
        nonet_json_string(json, move);
    }
    nonet_json_close(json, ']');
}

void nonet_setup_json(struct nonet_json *json, const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    nonet_json_string_member(json, "game", options->game->id);
    nonet_setup_json_options(json, options, nonet_setup_telling(session));
    if (nonet_session_began_elsewhere(session)) {
        char line[NONET_POSITION_TEXT];
        struct nonet_text text = NONET_TEXT_IN(line);
        write_first(session, &text);
        nonet_json_string_member(json, "from", line);
    }
    nonet_setup_json_moves(json, session);
}
