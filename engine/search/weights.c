#include "weights.h"

#include <string.h>

int nonet_weights_count(const struct nonet_game *game) {
    if (game->features != NULL)
        return NONET_NETWORK_WEIGHTS;
    const struct nonet_counts *counts = game->hidden != NULL ? game->hidden->counts : NULL;
    return counts != NULL ? nonet_counts_weights(counts) : 0;
}

static void skip_to_number(const char **text) {
    for (;;) {
        *text += strspn(*text, " \t\r\n,");
        const char *end = strncmp(*text, "/*", 2) == 0 ? strstr(*text + 2, "*/") : NULL;
        if (end == NULL)
            return;
        *text = end + 2;
    }
}

bool nonet_weights_read(const char *text, int16_t *weights, int count) {
    for (int i = 0; i < count; i++) {
        skip_to_number(&text);
        bool negative = *text == '-';
        text += negative;
        int number = 0, digits = 0;
        for (; *text >= '0' && *text <= '9' && digits < 6; digits++)
            number = 10 * number + (*text++ - '0');
        if (digits == 0 || number > INT16_MAX)
            return false;
        weights[i] = (int16_t)(negative ? -number : number);
    }
    skip_to_number(&text);
    return *text == '\0';
}
