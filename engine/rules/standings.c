#include "standings.h"

struct nonet_standing *nonet_standing_add(struct nonet_standings *standings, int player, int number,
                                          struct nonet_message label) {
    struct nonet_standing *standing = &standings->list[standings->count];
    if (standings->count < NONET_MAX_STANDINGS)
        standings->count++;
    else
        standings->cut = true;
    *standing = (struct nonet_standing){.player = (uint8_t)player,
                                        .material = NONET_MATERIALS,
                                        .number = (int16_t)number,
                                        .most = NONET_NO_MOST,
                                        .label = label};
    return standing;
}

void nonet_standings_for(const struct nonet_options *options, const void *state, int viewer,
                         struct nonet_standings *standings) {
    struct nonet_state seen;
    standings->count = 0;
    standings->cut = false;
    if (options->game->standings == NULL)
        return;
    nonet_observe(options, state, viewer, &seen);
    options->game->standings(options, &seen, standings);
}
