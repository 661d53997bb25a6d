#include "weights.h"

#include <stdlib.h>

#include "host/files.h"
#include "search/weights.h"

int cli_weights(const char *path, const struct nonet_options *options, int16_t **weights) {
    enum { MOST_BYTES = 1 << 20 };
    int count = nonet_weights_count(options->game);
    if (count == 0)
        return cli_fail(CLI_USAGE, "no weights judge the positions of %s", options->game->title);
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    size_t size;
    char *text = files_read(path, MOST_BYTES, &size, &why);
    if (text == NULL)
        return cli_fail(CLI_FAILED, "%s: %s", cli_printable(path), reason);
    free(*weights);
    *weights = malloc((size_t)count * sizeof **weights);
    bool good = *weights != NULL && nonet_weights_read(text, *weights, count);
    free(text);
    return good ? CLI_DONE
                : cli_fail(CLI_FAILED, "%s: these are not %d weights, as %s has them",
                           cli_printable(path), count, options->game->title);
}
