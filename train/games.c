#include "games.h"

#include <stdlib.h>
#include <string.h>

#include "host/files.h"

enum { MOST_BYTES = 1 << 30 };

/* The first words of a file are a game and its options. */
static bool read_options(const char *line, const struct nonet_game **game,
                         struct nonet_options *options, struct nonet_text *why) {
    char text[256] = "";
    struct nonet_message message;
    size_t length = strcspn(line, " ");
    memcpy(text, line, length < sizeof text ? length : sizeof text - 1);
    if (!nonet_options_read(text, options, &message)) {
        nonet_message_write(&message, NULL, why);
        return false;
    }
    if (*game != NULL && *game != options->game) {
        nonet_text_add(why, "this is another game");
        return false;
    }
    *game = options->game;
    return true;
}

bool games_open(struct games *games, const char *path, const struct nonet_game **game,
                struct nonet_text *why) {
    size_t size;
    games->text = games->rest = files_read(path, MOST_BYTES, &size, why);
    if (games->text == NULL)
        return false;
    const char *first = games_line(games);
    if (!read_options(first != NULL ? first : "", game, &games->options, why)) {
        games_close(games);
        return false;
    }
    return true;
}

void games_close(struct games *games) {
    free(games->text);
}

char *games_line(struct games *games) {
    char *line = strsep(&games->rest, "\n");
    return games->rest != NULL ? line : NULL;
}

bool games_next(char **rest, struct games_move *move) {
    char *word = strtok_r(*rest, " ", rest);
    if (word == NULL)
        return false;
    char *score = strrchr(word, '=');
    if (score != NULL)
        *score++ = '\0';
    move->played = word[0] != '~';
    move->text = word + !move->played;
    move->score = score;
    return true;
}

bool games_play(struct nonet_session *session, const char *move, struct nonet_text *why) {
    struct nonet_message message;
    bool good = nonet_session_play_text(session, move, &message);
    if (!good)
        nonet_message_write(&message, NULL, why);
    return good;
}
