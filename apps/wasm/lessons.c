/* Lessons: whether a try meets goals, judged at the position where the game stands. */
#include "study.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "page.h"
#include "study/lesson.h"

static struct lesson_try attempt;

/* "touch 3 14": places that were touched, by their numbers; "move a1b2": the text of a move. */
static bool make_try(struct nonet_session *session, char *line) {
    if (strncmp(line, "move ", 5) == 0) {
        lesson_try_move(session, line + 5, &attempt);
        return true;
    }
    if (strncmp(line, "touch ", 6) != 0)
        return false;
    uint16_t places[NONET_MAX_TOUCHES];
    int count = 0;
    for (char *at = line + 6; *at != '\0' && count < NONET_MAX_TOUCHES;) {
        char *end;
        unsigned long place = strtoul(at, &end, 10);
        if (end == at || place >= NONET_MAX_PLACES)
            return false;
        places[count++] = (uint16_t)place;
        at = end;
    }
    lesson_try_touches(session, places, count, &attempt);
    return true;
}

/* What a proof by search says about a legal try, within so many nodes. */
static const struct judge_move *prove(const struct nonet_session *session, uint64_t nodes) {
    static struct judge *judge;
    static struct judge_verdict verdict;
    const struct judge_limits limits = {
        .proof_nodes = nodes, .nodes = 1, .seed = 1, .no_line = true};
    if (nodes == 0 || attempt.outcome != LESSON_LEGAL)
        return NULL;
    if (judge == NULL)
        judge = judge_open();
    if (judge == NULL || !judge_begin(judge, session, &limits))
        return NULL;
    judge_advance(judge, nodes);
    judge_verdict(judge, &verdict);
    return lesson_try_prove(&attempt, &verdict);
}

static void write_better(struct nonet_json *json, const struct judge_move *better) {
    char name[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_json_name(json, "better");
    if (better == NULL) {
        nonet_json_null(json);
        return;
    }
    attempt.options->game->print(attempt.options, better->move, &text);
    nonet_json_string(json, name);
}

static void write_reason(struct nonet_json *json) {
    char reason[512];
    struct nonet_text text = NONET_TEXT_IN(reason);
    nonet_json_name(json, "reason");
    if (attempt.outcome != LESSON_REFUSED || attempt.why.phrase == NULL) {
        nonet_json_null(json);
        return;
    }
    nonet_message_write(&attempt.why, page_words(), &text);
    nonet_json_string(json, reason);
}

/* The input has the try in its first line and a goal in each of the others. The answer says what
 * became of the try, the reason if it was refused, and which goals it meets. What a move is worth
 * is searched for with so many nodes, 0 for none; if it gave a result away, a better one is named.
 */
bool EXPORT(study_lesson_try)(uint64_t nodes) {
    static const char *const outcomes[] = {"refused", "begun", "legal"};
    struct nonet_session *session = page_session();
    if (session == NULL)
        return page_no(PAGE_NO_GAME);
    char *line = strtok(page_input(), "\n");
    if (line == NULL || nonet_session_turn(session) == 0 || !make_try(session, line))
        return page_none();
    const struct judge_move *better = prove(session, nodes);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    nonet_json_string_member(&json, "outcome", outcomes[attempt.outcome]);
    write_reason(&json);
    write_better(&json, better);
    nonet_json_name(&json, "met");
    nonet_json_open(&json, '[');
    while ((line = strtok(NULL, "\n")) != NULL)
        nonet_json_bool(&json, lesson_goal_met(line, &attempt));
    nonet_json_close(&json, ']');
    nonet_json_close(&json, '}');
    return page_answered(&text);
}
