#include "editing.h"

#include <string.h>

static bool can_stand(const struct nonet_options *options, uint16_t place, char letter) {
    struct nonet_piece pieces[NONET_MAX_CHOICES];
    int count = options->game->choices != NULL ? options->game->choices(options, place, pieces) : 0;
    bool found = count > 0 && letter == NONET_NOTHING;
    for (int i = 0; i < count; i++)
        found = found || pieces[i].mark[0] == letter;
    return found;
}

/* Where a draft has the letter of a cell. A draft begins with ranks of equal length from the top, /
 * between them, up to the first space. Null where there is no such cell. */
static char *letter_of(char *draft, int cell) {
    size_t length = strcspn(draft, " "), width = strcspn(draft, "/ ");
    size_t depth = width > 0 ? (length + 1) / (width + 1) : 0;
    if (depth == 0 || depth * (width + 1) != length + 1 || (size_t)cell >= width * depth)
        return NULL;
    size_t rank = (size_t)cell / width, file = (size_t)cell % width;
    return draft + (depth - 1 - rank) * (width + 1) + file;
}

static bool is_position(const struct nonet_options *options, const char *draft,
                        struct nonet_message *why) {
    struct nonet_state state;
    return options->game->read(options, draft, &state, NULL, why);
}

/* Tries every player as the one to move, whose number comes last. */
static bool find_turn(const struct nonet_options *options, char *draft) {
    size_t length = strlen(draft);
    char *turn = draft + length - 1, before = *turn;
    if (length < 2 || turn[-1] != ' ' || before < '1' || before > '9')
        return false;
    for (int player = 1; player <= options->players; player++) {
        struct nonet_message why;
        *turn = (char)('0' + player);
        if (is_position(options, draft, &why))
            return true;
    }
    *turn = before;
    return false;
}

bool nonet_edit(const struct nonet_options *options, const char *draft, uint16_t place, char letter,
                struct nonet_text *out, struct nonet_message *why) {
    char line[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_text_add(&text, draft);
    char *found = !text.cut && can_stand(options, place, letter) ? letter_of(line, place) : NULL;
    if (found == NULL) {
        const char name[2] = {letter, '\0'};
        *why = nonet_say(&nonet_common[NONET_SAY_CANNOT_STAND], nonet_quote(name));
        nonet_text_add(out, draft);
        return false;
    }
    *found = letter;
    bool whole = is_position(options, line, why) || find_turn(options, line);
    nonet_text_add(out, line);
    return whole;
}
