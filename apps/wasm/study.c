/* Studying a game: what only the second engine has (page.h). All of this may take a while, so a
 * worker asks. */
#include "study.h"

#include "base/json.h"
#include "page.h"
#include "search/player.h"
#include "study/analysis.h"
#include "study/describe.h"

static struct nonet_player *player; /* null before the first search */

/* Analyses the whole game, with so many nodes for each position; the answer is what `nonet analyse`
 * says of it. Refused while the game hides something, because it judges every seat by what that
 * seat knows. */
bool EXPORT(study_analyse)(uint64_t nodes, uint64_t seed) {
    struct nonet_session *session = page_session();
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    if (page_hides() || nodes == 0)
        return page_none();
    static struct analysis_by_nodes by_nodes;
    if (player == NULL)
        player = nonet_player_open();
    by_nodes = (struct analysis_by_nodes){.player = player, .nodes = nodes, .seed = seed};
    const struct analysis_judge judge = {analysis_think_by_nodes, &by_nodes};
    struct analysis analysis;
    if (player == NULL || !analysis_run(&analysis, session, &judge, NULL, NULL))
        return page_no(PAGE_NO_MEMORY);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    describe_analysis(&json, nonet_session_options(session), &analysis);
    nonet_json_close(&json, '}');
    analysis_close(&analysis);
    return page_answered(&text);
}
