/* Reviewing a game: the session's line, judged ply by ply (study/review.h). A worker advances it in
 * slices, and takes the rows that are finished. There is room for two reviews: that of the game,
 * and a short one of a single move beside it. */
#include "base/json.h"
#include "page.h"
#include "study.h"
#include "study/describe.h"

static struct {
    struct review *review;        /* null if there is none */
    struct nonet_options options; /* what its moves are printed with */
} reviews[REVIEWS];

static bool has_review(int which) {
    return which >= 0 && which < REVIEWS && reviews[which].review != NULL;
}

void EXPORT(review_end)(int which) {
    if (!has_review(which))
        return;
    review_close(reviews[which].review);
    reviews[which].review = NULL;
}

/* Begins to review the current game from a ply on, with at most so many nodes for each position:
 * for a proof, and again for the player. Refused while the game hides something, because it judges
 * every seat by what that seat knows. */
bool EXPORT(review_begin)(int which, int first, uint64_t nodes, uint64_t seed, int hindsight,
                          int no_line) {
    struct nonet_session *session = page_session();
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    if (page_hides() || nodes == 0 || which < 0 || which >= REVIEWS)
        return page_none();
    const struct review_wish wish = {
        .limits = {.table = study_table(),
                   .proof_nodes = nodes,
                   .nodes = nodes,
                   .seed = seed,
                   .no_line = no_line != 0},
        .first = first,
        .hindsight = hindsight != 0,
    };
    review_end(which);
    reviews[which].options = *nonet_session_options(session);
    reviews[which].review = review_open(session, &wish);
    return has_review(which) || page_no(PAGE_NO_MEMORY);
}

/* Looks at up to so many more positions, and tells how that went: enum review_status. */
int EXPORT(review_go_on)(int which, uint64_t nodes) {
    return has_review(which) ? (int)review_advance(reviews[which].review, nodes) : REVIEW_DONE;
}

/* How many rows are finished. */
int EXPORT(review_finished)(int which) {
    return has_review(which) ? review_rows(reviews[which].review) : 0;
}

/* The finished rows from this ply on, and how well everybody has played so far. `trouble` is the
 * key of the reason why the table had to be given up. */
bool EXPORT(review_tell)(int which, int from) {
    if (!has_review(which))
        return page_none();
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    struct nonet_message why;
    nonet_json_open(&json, '{');
    describe_review(&json, &reviews[which].options, reviews[which].review, from < 0 ? 0 : from);
    if (review_table_failed(reviews[which].review, &why)) {
        nonet_json_string_member(&json, "trouble", why.phrase->key);
    }
    nonet_json_close(&json, '}');
    return page_answered(&text);
}
