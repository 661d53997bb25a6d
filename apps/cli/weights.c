#include "weights.h"

#include <stdlib.h>

#include "host/files.h"
#include "search/network.h"

int cli_weights(const char *path, const struct nonet_options *options, int16_t **weights) {
    enum { MOST_BYTES = 1 << 20 };
    if (options->game->features == NULL)
        return cli_fail(CLI_USAGE, "no network judges the positions of %s", options->game->title);
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    size_t size;
    char *text = files_read(path, MOST_BYTES, &size, &why);
    if (text == NULL)
        return cli_fail(CLI_FAILED, "%s: %s", cli_printable(path), reason);
    free(*weights);
    *weights = malloc(NONET_NETWORK_WEIGHTS * sizeof **weights);
    bool good = *weights != NULL && nonet_network_read(text, *weights);
    free(text);
    return good ? CLI_DONE
                : cli_fail(CLI_FAILED, "%s: these are not the %d weights of a network",
                           cli_printable(path), NONET_NETWORK_WEIGHTS);
}
