/* What a seat can deduce about what the others keep from it: study/deduction.h, for the page. */
#include "base/json.h"
#include "page.h"
#include "study.h"
#include "study/deduction.h"
#include "study/describe.h"

/* What the player's own hidden piece is made of, in a position in which they have this secret. */
static const char *material_of(const struct nonet_options *options, const void *state, int player) {
    static struct nonet_scene own, open;
    nonet_scene_for(options, state, player, &own);
    nonet_scene_for(options, state, NONET_SPECTATOR, &open);
    for (int i = 0; i < own.piece_count && i < open.piece_count; i++)
        if (own.pieces[i].owner == player && open.pieces[i].material == NONET_HIDDEN)
            return describe_material(own.pieces[i].material);
    return "";
}

/* For each player and each secret that was possible once: in how many of the deals that are left
 * they have it, and since which move that is sure. No answer where the game hides nothing. */
bool EXPORT(study_deduce)(int seat) {
    static struct deduction deduction;
    struct nonet_session *session = page_session();
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    const struct nonet_options *options = nonet_session_options(session);
    if (seat < 0 || seat > options->players || !deduction_make(&deduction, session, seat))
        return page_none();
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    nonet_json_number_member(&json, "deals", deduction.deals);
    nonet_json_name(&json, "players");
    nonet_json_open(&json, '[');
    for (int player = 1; player <= options->players; player++) {
        nonet_json_open(&json, '[');
        const struct deduction_player *known = &deduction.players[player - 1];
        for (int i = 0; i < known->count; i++) {
            const struct deduction_secret *secret = &known->secrets[i];
            nonet_json_open(&json, '{');
            nonet_json_string_member(&json, "text", secret->text);
            nonet_json_string_member(&json, "material",
                                     material_of(options, &secret->example, player));
            nonet_json_number_member(&json, "deals", secret->deals);
            nonet_json_name(&json, "since");
            if (secret->since == DEDUCTION_UNDECIDED)
                nonet_json_null(&json);
            else
                nonet_json_number(&json, secret->since);
            nonet_json_close(&json, '}');
        }
        nonet_json_close(&json, ']');
    }
    nonet_json_close(&json, ']');
    nonet_json_close(&json, '}');
    return page_answered(&text);
}
