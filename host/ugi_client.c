#include "ugi_client.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "clock.h"

enum { USUAL_MILLISECONDS = 2000 };

struct ugi_client {
    struct child *child;
    bool takes_seed; /* it has the option SearchSeed */
    bool failed;
    char settings[512]; /* the game and its options that were sent last */
    uint64_t nodes;
    double seconds;
};

/* The word at the cursor, if it is this one; moves on to the next. */
static bool take_word(const char **cursor, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*cursor, word, length) != 0 ||
        ((*cursor)[length] != ' ' && (*cursor)[length] != '\0'))
        return false;
    *cursor += length;
    while (**cursor == ' ')
        ++*cursor;
    return true;
}

static void next_word(const char **cursor) {
    *cursor += strcspn(*cursor, " ");
    *cursor += strspn(*cursor, " ");
}

/* "nodes N" in a line of information. */
static void read_nodes(struct ugi_client *client, const char *line) {
    for (; *line != '\0'; next_word(&line)) {
        if (take_word(&line, "string"))
            return;
        if (take_word(&line, "nodes")) {
            uint32_t nodes;
            if (nonet_scan_number(&line, UINT32_MAX, &nodes))
                client->nodes = nodes;
            return;
        }
    }
}

static enum ugi_answer answer_of(struct ugi_client *client, enum child_answer answer) {
    client->failed |= answer != CHILD_LINE_READ;
    return answer == CHILD_LINE_READ ? UGI_DONE
           : answer == CHILD_STOPPED ? UGI_STOPPED
                                     : UGI_FAILED;
}

/* Sends a text and waits for the line that begins with `word`; *rest is what follows it. */
static enum ugi_answer ask(struct ugi_client *client, const char *text, const char *word,
                           double seconds, const atomic_bool *stop, const char **rest,
                           struct nonet_text *why) {
    double deadline = clock_now() + seconds;
    enum child_answer answer = child_send(client->child, text, deadline, stop, why);
    while (answer == CHILD_LINE_READ) {
        answer = child_read(client->child, rest, deadline, stop, why);
        if (answer != CHILD_LINE_READ)
            break;
        if (take_word(rest, word))
            return UGI_DONE;
        const char *line = *rest;
        if (take_word(&line, "info"))
            read_nodes(client, line);
        else if (take_word(&line, "option") && take_word(&line, "name"))
            client->takes_seed |= strncasecmp(line, "SearchSeed ", 11) == 0;
    }
    return answer_of(client, answer);
}

struct ugi_client *ugi_open(const char *command, double margin, const atomic_bool *stop,
                            struct nonet_text *why) {
    struct ugi_client *client = calloc(1, sizeof *client);
    if (client == NULL) {
        nonet_text_add(why, "there is no memory left");
        return NULL;
    }
    const char *rest;
    client->child = child_start(command, why);
    if (client->child != NULL &&
        ask(client, "ugi\n", "ugiok", margin, stop, &rest, why) == UGI_DONE)
        return client;
    ugi_close(client);
    return NULL;
}

void ugi_close(struct ugi_client *client) {
    if (client == NULL)
        return;
    child_end(client->child, client->failed ? NULL : "quit\n");
    free(client);
}

/* ---- What is said ---- */

static bool is_hidden(const struct nonet_options *options) {
    return options->game->hidden != NULL;
}

/* The game and its options, without what determines the deal in a game with hidden information. */
static void say_settings(const struct nonet_options *options, struct nonet_text *text) {
    nonet_text_format(text, "setoption name Game value %s\n", options->game->id);
    enum nonet_telling telling = is_hidden(options) ? NONET_TELL_RULES : NONET_TELL_WHOLE;
    for (int i = -1; (i = nonet_option_next(options, i, telling)) >= 0;)
        nonet_text_format(text, "setoption name %s value %s\n", options->game->options[i].key,
                          options->value[i].text);
}

static void say_state(const struct ugi_game *game, const void *state, struct nonet_text *text) {
    const struct nonet_options *options = nonet_session_options(game->session);
    struct nonet_state seen;
    nonet_observe(options, state, game->seat, &seen);
    options->game->write(options, &seen, text);
}

/* The position: how the game began and the moves since, as the seat knows them. */
static void say_position(const struct ugi_game *game, struct nonet_text *text) {
    const struct nonet_session *session = game->session;
    const struct nonet_options *options = nonet_session_options(session);
    int ply = nonet_session_ply(session);
    const void *first = nonet_session_state_before(session, 0);
    bool hidden = is_hidden(options);
    if (hidden || nonet_session_began_elsewhere(session)) {
        nonet_text_add(text, hidden ? "position observed " : "position fen ");
        say_state(game, first, text);
    } else {
        nonet_text_add(text, "position startpos");
    }
    if (ply > 0)
        nonet_text_add(text, " moves");
    for (int i = 0; i < ply; i++) {
        nonet_text_char(text, ' ');
        options->game->print(options, nonet_session_move(session, i), text);
    }
    if (hidden && ply > 0) {
        nonet_text_add(text, " seen ");
        say_state(game, nonet_session_state(session), text);
    }
    nonet_text_char(text, '\n');
}

enum ugi_answer ugi_begin(struct ugi_client *client, const struct ugi_game *game,
                          struct nonet_text *why) {
    const struct nonet_options *options = nonet_session_options(game->session);
    char bytes[1024], settings[sizeof client->settings];
    struct nonet_text text = NONET_TEXT_IN(bytes), now = NONET_TEXT_IN(settings);
    say_settings(options, &now);
    /* Only what is new, because a program may have to open a table for it. */
    if (strcmp(settings, client->settings) != 0)
        nonet_text_add(&text, settings);
    memcpy(client->settings, settings, sizeof settings);
    if (is_hidden(options))
        nonet_text_format(&text, "setoption name Seat value %d\n", game->seat);
    if (client->takes_seed)
        nonet_text_format(&text, "setoption name SearchSeed value %" PRIu64 "\n", game->seed);
    nonet_text_add(&text, "uginewgame\nisready\n");
    const char *rest;
    return ask(client, bytes, "readyok", game->margin, game->stop, &rest, why);
}

/* The position is sent before the question. So a late answer to an older question is not mistaken
 * for the answer to this one, and setting up does not count as thinking time. */
static enum ugi_answer send_position(struct ugi_client *client, const struct ugi_game *game,
                                     struct nonet_text *why) {
    size_t room = 2 * (size_t)NONET_POSITION_TEXT + 64 +
                  (size_t)nonet_session_ply(game->session) * NONET_MOVE_TEXT;
    char *bytes = malloc(room);
    if (bytes == NULL) {
        nonet_text_add(why, "there is no memory left");
        return UGI_FAILED;
    }
    struct nonet_text text = nonet_text_in(bytes, room);
    say_position(game, &text);
    nonet_text_add(&text, "isready\n");
    const char *rest;
    enum ugi_answer answer = ask(client, bytes, "readyok", game->margin, game->stop, &rest, why);
    free(bytes);
    return answer;
}

/* The first word of an answer as a move. The text of a move is printable ASCII, and other
 * characters must not get into a message either. */
static bool read_move(const struct ugi_game *game, const char *answer, nonet_move *move,
                      struct nonet_text *why) {
    const struct nonet_options *options = nonet_session_options(game->session);
    char word[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(word);
    struct nonet_message refused;
    for (const char *c = answer; *c != '\0' && *c != ' '; c++)
        nonet_text_char(&text, *c > ' ' && *c < 0x7f ? *c : '?');
    if (text.cut) {
        nonet_text_format(why, "it answered \"%s…\", which is too long for a move", word);
        return false;
    }
    if (options->game->parse(options, word, move, &refused))
        return true;
    nonet_text_format(why, "it answered \"%s\": ", word);
    nonet_message_write(&refused, NULL, why);
    return false;
}

enum ugi_answer ugi_choose(struct ugi_client *client, const struct ugi_game *game, nonet_move *move,
                           struct nonet_text *why) {
    enum ugi_answer answer = send_position(client, game, why);
    if (answer != UGI_DONE)
        return answer;
    char bytes[96];
    struct nonet_text text = NONET_TEXT_IN(bytes);
    nonet_text_add(&text, "go");
    if (game->nodes > 0)
        nonet_text_format(&text, " nodes %" PRIu64, game->nodes);
    uint64_t milliseconds = game->seconds > 0  ? (uint64_t)(game->seconds * 1000)
                            : game->nodes == 0 ? USUAL_MILLISECONDS
                                               : 0;
    if (game->seconds > 0 || milliseconds > 0)
        nonet_text_format(&text, " movetime %" PRIu64, milliseconds);
    nonet_text_char(&text, '\n');
    client->nodes = 0;
    const char *rest;
    double begun = clock_now();
    answer = ask(client, bytes, "bestmove", (double)milliseconds / 1000 + game->margin, game->stop,
                 &rest, why);
    client->seconds = clock_now() - begun;
    if (answer != UGI_DONE)
        return answer;
    if (read_move(game, rest, move, why))
        return UGI_DONE;
    client->failed = true;
    return UGI_FAILED;
}

uint64_t ugi_nodes(const struct ugi_client *client) {
    return client->nodes;
}

double ugi_seconds(const struct ugi_client *client) {
    return client->seconds;
}
