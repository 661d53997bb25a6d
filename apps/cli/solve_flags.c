#include "solve_flags.h"

#include "rules/ranking.h"

int cli_solve_flags_read(const struct cli_solve_flags *words, const struct nonet_options *options,
                         bool by_material, struct solve_limits *limits) {
    uint64_t bytes, pieces = 0, seconds;
    const struct nonet_ranking *ranking = by_material ? options->game->ranking : NULL;
    if (!cli_bytes(words->memory, &bytes) || bytes == 0)
        return cli_fail(CLI_USAGE,
                        "--memory cannot be \"%s\"; it is a number of bytes, or 500M, 2G",
                        nonet_quote(words->memory).text);
    if (words->material != NULL && !cli_number(words->material, INT32_MAX, &pieces))
        return cli_fail(CLI_USAGE, "--material cannot be \"%s\"; it is a number of pieces",
                        nonet_quote(words->material).text);
    if (!cli_number(words->checkpoint, 1 << 20, &seconds))
        return cli_fail(
            CLI_USAGE,
            "--checkpoint cannot be \"%s\"; it is the number of seconds between two checkpoints",
            nonet_quote(words->checkpoint).text);
    if (words->material != NULL && !by_material)
        return cli_fail(CLI_USAGE, "%s can only be solved as a whole, without --material",
                        options->game->id);
    if (words->material != NULL) {
        /* Tiers are in rising order of their pieces. */
        int least = ranking->material(options, 0);
        int most = ranking->material(options, ranking->tiers(options) - 1);
        if (pieces < (uint64_t)least || pieces > (uint64_t)most)
            return cli_fail(CLI_USAGE,
                            "--material cannot be \"%s\"; %s has from %d to %d pieces a side",
                            nonet_quote(words->material).text, options->game->title, least, most);
    }
    limits->memory = bytes;
    limits->material = (int)pieces;
    limits->checkpoint_seconds = (double)seconds;
    return CLI_DONE;
}
