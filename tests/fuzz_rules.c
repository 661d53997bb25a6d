/* The fuzz target of the rules, for all games: options, move texts, position texts and records.
 *
 * The first byte says which game, the second what the rest of the input is. Whatever is accepted
 * must hold its promises: a position reads as it is written, a legal move can be played, a record
 * can be written and read again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzzing.h"
#include "host/record.h"
#include "rules/editing.h"
#include "rules/session.h"
#include "rules/wide.h"

enum { OPTIONS, MOVES, POSITION, RECORD, KINDS };

static void read_message(const struct nonet_message *why) {
    char words[1024];
    struct nonet_text text = NONET_TEXT_IN(words);
    PROMISE(why->phrase != NULL);
    nonet_message_write(why, NULL, &text);
    PROMISE(text.length > 0);
}

/* Sets options from the words of a line; refused ones stay as they were. */
static void set_options(struct nonet_options *options, char *line) {
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
        struct nonet_message why = {0};
        struct nonet_options before = *options;
        if (!nonet_options_set(options, word, &why) || !nonet_options_check(options, &why)) {
            read_message(&why);
            *options = before;
        }
    }
}

static void check_session(struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    char line[NONET_POSITION_TEXT], again[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    options->game->write(options, nonet_session_state(session), &text);
    PROMISE(!text.cut);
    struct nonet_session *other = nonet_session_new(options);
    PROMISE(other != NULL);
    struct nonet_message why = {0};
    PROMISE(nonet_session_read(other, line, &why));
    PROMISE(memcmp(nonet_session_state(session), nonet_session_state(other),
                   options->game->state_size) == 0);
    struct nonet_text second = NONET_TEXT_IN(again);
    options->game->write(options, nonet_session_state(other), &second);
    PROMISE(strcmp(line, again) == 0);
    nonet_session_free(other);
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    nonet_scene_for(options, nonet_session_state(session), NONET_SPECTATOR, scene);
    free(scene);
    struct nonet_result result;
    nonet_session_result(session, &result);
    PROMISE((result.winners != 0) == (nonet_session_turn(session) == 0));
    PROMISE((nonet_session_count(session) != 0) == (nonet_session_turn(session) != 0));
}

/* Tries every word as a move. */
static void try_moves(struct nonet_session *session, char *line) {
    const struct nonet_options *options = nonet_session_options(session);
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
        struct nonet_message why = {0};
        nonet_move move;
        if (!options->game->parse(options, word, &move, &why)) {
            read_message(&why);
            continue;
        }
        char printed[NONET_MOVE_TEXT];
        struct nonet_text text = NONET_TEXT_IN(printed);
        options->game->print(options, move, &text);
        PROMISE(strcmp(printed, word) == 0);
        if (!nonet_session_play(session, move, &why))
            read_message(&why);
    }
}

/* Edits whatever draft the text is. What is called a position can be read. */
static void try_draft(const struct nonet_options *options, const char *line) {
    const struct nonet_wide *wide = options->game->wide;
    void *workspace = wide != NULL ? malloc(wide->workspace_size) : NULL;
    struct nonet_editing *editing = malloc(sizeof *editing);
    struct nonet_message why = {0};
    if (nonet_editing_begin(editing, options, workspace)) {
        if (!nonet_editing_read(editing, line, &why))
            read_message(&why);
        size_t size = strlen(line);
        for (size_t i = 0; i + 3 < size && i < 12; i += 4) {
            int number = line[i + 1], other = line[i + 2];
            switch (line[i] & 3) {
            case 0:
                nonet_editing_put(editing, number & 31, other, 1000 * other, 999 * number, other);
                break;
            case 1:
                nonet_editing_take(editing, number);
                break;
            case 2:
                nonet_editing_set(editing, number & 15, other & 31);
                break;
            default:
                nonet_editing_turn(editing, number & 3);
            }
            struct nonet_state state;
            PROMISE(options->game->read(options, editing->text, &state, workspace, &why) ==
                    editing->is_position);
        }
    }
    free(editing);
    free(workspace);
}

static void try_record(const uint8_t *bytes, size_t size) {
    char reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct record record;
    if (!record_read_bytes(bytes, size, &record, &why)) {
        PROMISE(why.length > 0 && strchr(reason, '\n') == NULL);
        return;
    }
    char *written = record_write(&record);
    PROMISE(written != NULL);
    struct record again;
    PROMISE(record_read_bytes(written, strlen(written), &again, &why));
    PROMISE(nonet_session_ply(again.session) == nonet_session_ply(record.session));
    free(written);
    record_close(&again);
    record_close(&record);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    if (size < 2)
        return 0;
    const struct nonet_game *game = nonet_games[bytes[0] % nonet_game_count_with_template];
    int kind = bytes[1] % KINDS;
    bytes += 2;
    size -= 2;
    if (kind == RECORD) {
        try_record(bytes, size);
        return 0;
    }
    /* The first line sets options, the second one is what the kind says. */
    char *line = malloc(size + 1);
    memcpy(line, bytes, size);
    line[size] = '\0';
    char *rest = strchr(line, '\n');
    if (rest != NULL)
        *rest++ = '\0';
    struct nonet_options options;
    nonet_options_default(&options, game);
    set_options(&options, line);
    nonet_options_deal(&options, 1, 2);
    if (rest != NULL && kind == POSITION)
        try_draft(&options, rest);
    if (rest != NULL && kind != OPTIONS) {
        struct nonet_session *session = nonet_session_new(&options);
        PROMISE(session != NULL);
        struct nonet_message why = {0};
        bool changed = true;
        if (kind == MOVES)
            try_moves(session, rest);
        else if (!nonet_session_read(session, rest, &why)) {
            read_message(&why);
            changed = false;
        }
        if (changed)
            check_session(session);
        nonet_session_free(session);
    }
    free(line);
    return 0;
}
