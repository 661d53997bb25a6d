/* The players of a match at work. */
#include "common/thinker.h"
#include "matching.h"

enum match_answer match_player_begin(struct match_player *player,
                                     const struct match_entrant *entrant,
                                     const struct nonet_session *session) {
    (void)entrant;
    const struct nonet_options *options = nonet_session_options(session);
    /* A thinker is for one set of options, and what is dealt is among them. */
    if (options->game->deal != NULL)
        match_player_end(player);
    if (player->thinker == NULL)
        player->thinker = thinker_open(options);
    return player->thinker != NULL ? MATCH_MOVED : MATCH_NO_MEMORY;
}

enum match_answer match_player_choose(struct match_player *player,
                                      const struct match_entrant *entrant,
                                      const struct nonet_session *session, uint64_t seed,
                                      const atomic_bool *stop, struct match_choice *choice,
                                      struct nonet_text *why) {
    (void)why;
    const struct thinker_limits limits = {
        .nodes = entrant->nodes,
        .seconds = entrant->seconds,
        .threads = 1,
        .seed = seed,
        .searcher = entrant->searcher,
        .stop = stop,
    };
    const struct nonet_report *report =
        thinker_think(player->thinker, session, entrant->level, &limits);
    if (report == NULL)
        return MATCH_NO_MEMORY;
    *choice = (struct match_choice){report->moves[0].move, report->nodes,
                                    thinker_seconds(player->thinker)};
    return atomic_load(stop) ? MATCH_STOPPED : MATCH_MOVED;
}

void match_player_end(struct match_player *player) {
    thinker_close(player->thinker);
    player->thinker = NULL;
}
