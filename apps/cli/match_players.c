/* The players of a match at work: our own think in this program, other programs are asked. */
#include "host/thinker.h"
#include "host/ugi_client.h"
#include "matching.h"

/* ---- Other programs ---- */

static struct ugi_game describe(const struct match_place *place) {
    return (struct ugi_game){
        .session = place->session,
        .seat = place->seat,
        .seed = place->seed,
        .nodes = place->entrant->nodes,
        .seconds = place->entrant->seconds,
        .margin = place->match->timeout,
        .stop = &place->match->stop,
    };
}

/* A program that has failed is not used again. */
static enum match_answer answer_of(struct match_player *player, enum ugi_answer answer) {
    if (answer == UGI_DONE)
        return MATCH_DONE;
    match_player_end(player);
    return answer == UGI_STOPPED ? MATCH_STOPPED : MATCH_FAILED;
}

static enum match_answer begin_engine(struct match_player *player, const struct match_place *place,
                                      struct nonet_text *why) {
    const struct ugi_game game = describe(place);
    if (player->engine == NULL)
        player->engine = ugi_open(place->entrant->command, game.margin, game.stop, why);
    if (player->engine == NULL)
        return atomic_load(game.stop) ? MATCH_STOPPED : MATCH_FAILED;
    return answer_of(player, ugi_begin(player->engine, &game, why));
}

static enum match_answer ask_engine(struct match_player *player, const struct match_place *place,
                                    struct match_choice *choice, struct nonet_text *why) {
    const struct ugi_game game = describe(place);
    enum ugi_answer answer = ugi_choose(player->engine, &game, &choice->move, why);
    choice->nodes = ugi_nodes(player->engine);
    choice->seconds = ugi_seconds(player->engine);
    return answer_of(player, answer);
}

/* ---- Our own ---- */

static enum match_answer begin_thinker(struct match_player *player,
                                       const struct match_place *place) {
    const struct nonet_options *options = nonet_session_options(place->session);
    /* A thinker is for one set of options, which include the deal. */
    if (options->game->deal != NULL)
        match_player_end(player);
    if (player->thinker == NULL)
        player->thinker = thinker_open(options);
    if (player->thinker == NULL)
        return MATCH_NO_MEMORY;
    thinker_new_game(player->thinker); /* games of a match do not learn from each other */
    if (place->entrant->searcher == NULL)
        thinker_prepare(player->thinker, place->entrant->level);
    return MATCH_DONE;
}

static enum match_answer think(struct match_player *player, const struct match_place *place,
                               struct match_choice *choice) {
    const struct match_entrant *entrant = place->entrant;
    const struct thinker_limits limits = {
        .skill = entrant->skill,
        .nodes = entrant->nodes,
        .seconds = entrant->seconds,
        .threads = 1,
        .seed = place->seed,
        .book = entrant->book == MATCH_BOOK_YES ||
                (entrant->book == MATCH_BOOK_USUAL && entrant->nodes == 0),
        .searcher = entrant->searcher,
        .weights = entrant->weights,
        .stop = &place->match->stop,
    };
    const struct nonet_report *report =
        thinker_think(player->thinker, place->session, entrant->level, &limits);
    if (report == NULL)
        return MATCH_NO_MEMORY;
    *choice = (struct match_choice){report->moves[0].move, report->nodes,
                                    thinker_seconds(player->thinker)};
    return atomic_load(limits.stop) ? MATCH_STOPPED : MATCH_DONE;
}

enum match_answer match_player_begin(struct match_player *player, const struct match_place *place,
                                     struct nonet_text *why) {
    return place->entrant->command != NULL ? begin_engine(player, place, why)
                                           : begin_thinker(player, place);
}

enum match_answer match_player_choose(struct match_player *player, const struct match_place *place,
                                      struct match_choice *choice, struct nonet_text *why) {
    return place->entrant->command != NULL ? ask_engine(player, place, choice, why)
                                           : think(player, place, choice);
}

void match_player_end(struct match_player *player) {
    thinker_close(player->thinker);
    ugi_close(player->engine);
    *player = (struct match_player){0};
}
