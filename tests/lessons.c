/* The lessons, proven by trying everything that a hand can try at their positions.
 *
 *     test-lessons FOLDER              checks all lessons
 *     test-lessons FOLDER GAME         prints how each step is solved and answered, as JSON
 *
 * Every position must read, every goal be reached, every answer belong to some try that does not
 * meet the goal. A game's lessons together must meet every reason for a refusal and every kind of
 * touch that random games meet: nothing of that is listed by hand. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/random.h"
#include "rules/setup.h"
#include "rules/wide.h"
#include "search/player.h"
#include "study/lesson.h"
#include "variants.h"

enum {
    MOST_TRIES = 40000,
    MOST_KINDS = 64,
    SLIP = 6 * NONET_UNIT, /* as far as a piece slips to a place where it may lie */
    DEEPEST = 3,           /* learners' moves to a goal */
    LESSON_GAMES = 40,     /* played against a level, where a goal asks for that */
    PROOF = 30000,         /* nodes: as many as the page spends */
    RANDOM_GAMES = 60,
    RANDOM_PLIES = 100,
    RANDOM_TRIES = 20, /* at each of their positions */
    LEAST_STEPS = 6,
    MOST_STEPS = 12,
};

static int faults;
static struct lesson_try try;       /* too large for the stack */
static struct judge *judge;         /* for goals that ask for a proof */
static struct judge_verdict judged; /* of the position where tries are made */

__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    faults++;
}

/* ---- Sets of words ---- */

struct set {
    int count;
    const char *words[MOST_KINDS];
};

static bool has(const struct set *set, const char *word) {
    for (int i = 0; i < set->count; i++)
        if (strcmp(set->words[i], word) == 0)
            return true;
    return false;
}

static void add(struct set *set, const char *word) {
    if (!has(set, word) && set->count < MOST_KINDS)
        set->words[set->count++] = strdup(word);
}

static void forget(struct set *set) {
    for (int i = 0; i < set->count; i++)
        free((char *)(uintptr_t)set->words[i]);
    set->count = 0;
}

/* The kinds of a legal try's touches: what sort of place, which decision, and as which touch. */
static void add_kinds(struct set *kinds, const struct lesson_try *made) {
    static const char *const names[] = {"cell", "floor", "hand", "button"};
    for (int i = 0; i < made->count; i++) {
        const struct nonet_place *place = &made->scene.places[made->places[i]];
        char kind[96];
        snprintf(kind, sizeof kind, "touch %d of %d: %s %s", i + 1, made->count, names[place->kind],
                 place->kind == NONET_CELL ? "" : place->label.phrase->key);
        add(kinds, kind);
    }
}

/* ---- What a hand can try ---- */

struct attempt {
    int count; /* of touches; 0: the text of a move */
    uint16_t places[NONET_MAX_TOUCHES];
    char text[NONET_MOVE_TEXT];
};

static void make(struct nonet_session *session, const struct attempt *attempt) {
    if (attempt->count > 0)
        lesson_try_touches(session, attempt->places, attempt->count, &try);
    else
        lesson_try_move(session, attempt->text, &try);
    lesson_try_prove(&try, &judged);
}

/* What best play has at the position where tries are made now; only asked if a goal needs it. */
static void prove(const struct nonet_session *session, const char *goal) {
    const struct judge_limits limits = {
        .proof_nodes = PROOF, .nodes = 1, .seed = 1, .no_line = true};
    judged.count = 0;
    if (strstr(goal, "kept") == NULL)
        return;
    if (judge == NULL)
        judge = judge_open();
    if (judge != NULL && judge_begin(judge, session, &limits)) {
        judge_advance(judge, PROOF);
        judge_verdict(judge, &judged);
    }
}

static struct attempt of_move(const struct nonet_session *session, nonet_move move) {
    const struct nonet_options *options = nonet_session_options(session);
    struct attempt attempt = {0};
    struct nonet_text text = NONET_TEXT_IN(attempt.text);
    options->game->print(options, move, &text);
    if (options->game->wide == NULL)
        attempt.count = options->game->touches(options, move, attempt.places);
    return attempt;
}

/* What the page does by itself: a touch that leaves no choice, and a way to stand. A hand never
 * stops there. */
static bool is_passed_over(const struct nonet_scene *scene, const bool *next,
                           const bool *completes) {
    int count = 0, ways = 0, only = -1;
    for (int i = 0; i < scene->place_count; i++) {
        if (!next[i])
            continue;
        bool takes = false;
        for (int j = 0; j < scene->piece_count; j++)
            takes = takes || scene->pieces[j].button == i;
        ways += scene->places[i].kind == NONET_BUTTON && !takes && !completes[i];
        only = i;
        count++;
    }
    return count == 1 ? scene->places[only].kind != NONET_CELL && !completes[only]
                      : count > 1 && ways == count;
}

/* The touches of a listed game: every legal move, every beginning of one, and every cell that
 * cannot come next, as the page understands touches. */
static int list_touches(struct nonet_session *session, struct attempt *attempts) {
    const struct nonet_options *options = nonet_session_options(session);
    static struct nonet_scene scene;
    int count = 0, moves = (int)nonet_session_count(session);
    nonet_scene_for(options, nonet_session_state(session), nonet_session_turn(session), &scene);
    static struct attempt legal[NONET_MAX_MOVES];
    for (int i = 0; i < moves; i++)
        attempts[count++] = legal[i] = of_move(session, nonet_session_nth(session, (uint64_t)i));
    for (int i = 0; i < moves; i++)
        for (int length = 0; length < legal[i].count; length++) {
            bool next[NONET_MAX_PLACES] = {false}, completes[NONET_MAX_PLACES] = {false};
            bool replaces[NONET_MAX_PLACES] = {false}, known = false;
            for (int j = 0; j < moves; j++) {
                int same = 0;
                while (same < length && legal[j].places[same] == legal[i].places[same])
                    same++;
                known = known || (j < i && same == length);
                for (int step = 0; step <= same && step < legal[j].count; step++)
                    replaces[legal[j].places[step]] = true;
                if (same == length && length < legal[j].count) {
                    next[legal[j].places[length]] = true;
                    completes[legal[j].places[length]] = legal[j].count == length + 1;
                }
            }
            if (known || is_passed_over(&scene, next, completes))
                continue;
            struct attempt attempt = legal[i];
            attempt.text[0] = '\0';
            attempt.count = length;
            if (length > 0 && count < MOST_TRIES)
                attempts[count++] = attempt;
            attempt.count++;
            for (int place = 0; place < scene.place_count; place++)
                if (scene.places[place].kind == NONET_CELL && !replaces[place] &&
                    count < MOST_TRIES) {
                    attempt.places[length] = (uint16_t)place;
                    attempts[count++] = attempt;
                }
        }
    return count;
}

/* Whether the page lays a piece down nearby instead, because it may not lie there. */
static bool slips(const struct nonet_session *session, const struct attempt *attempt) {
    const struct nonet_options *options = nonet_session_options(session);
    const struct nonet_wide *wide = options->game->wide;
    const void *state = nonet_session_state(session), *room = nonet_session_workspace(session);
    nonet_move wish, near;
    struct nonet_message why;
    struct nonet_piece wanted, found;
    if (wide == NULL || !options->game->parse(options, attempt->text, &wish, &why) ||
        wide->test(options, state, room, wish) || !wide->nearest(options, state, room, wish, &near))
        return false;
    wide->piece(options, wish, &wanted);
    wide->piece(options, near, &found);
    double dx = wanted.x - found.x, dy = wanted.y - found.y;
    return dx * dx + dy * dy <= (double)SLIP * SLIP;
}

/* Where moves are not listed: pieces of every kind held all over the floor, at some angles. */
static int list_wishes(struct nonet_session *session, struct attempt *attempts) {
    static const int degrees[] = {0, 30, 45, 90, 135};
    const struct nonet_options *options = nonet_session_options(session);
    static struct nonet_scene scene;
    int count = 0;
    nonet_scene_for(options, nonet_session_state(session), nonet_session_turn(session), &scene);
    for (int place = 0; place < scene.place_count; place++)
        for (size_t turned = 0; turned < sizeof degrees / sizeof *degrees; turned++)
            for (int x = 0; x <= scene.width; x += 10 * NONET_UNIT)
                for (int y = 0; y <= scene.depth; y += 10 * NONET_UNIT) {
                    nonet_move move;
                    if (options->game->wide->wish(options, (uint16_t)place, x, y, degrees[turned],
                                                  &move) &&
                        count < MOST_TRIES)
                        attempts[count++] = of_move(session, move);
                }
    return count;
}

static int list_attempts(struct nonet_session *session, struct attempt *attempts) {
    return nonet_session_options(session)->game->wide != NULL ? list_wishes(session, attempts)
                                                              : list_touches(session, attempts);
}

/* ---- What random games meet ---- */

/* Reasons for refusals, and kinds of touches. A try that the page makes good by itself, because a
 * legal place is near, is met as well. */
static void meet(const struct nonet_game *game, struct set *keys, struct set *kinds) {
    static struct nonet_options variants[MOST_VARIANTS];
    static struct attempt attempts[MOST_TRIES];
    struct nonet_random random = {7};
    int count = variants_of(game, 5, variants);
    for (int i = 0; i < count; i++)
        for (int number = 0; number < (game->wide ? 2 : RANDOM_GAMES); number++) {
            struct nonet_session *session = nonet_session_new(&variants[i]);
            while (session != NULL && nonet_session_turn(session) != 0 &&
                   nonet_session_ply(session) < RANDOM_PLIES) {
                int tries = list_attempts(session, attempts);
                for (int t = 0; t < RANDOM_TRIES && tries > 0; t++) {
                    make(session, &attempts[nonet_random_below(&random, (uint32_t)tries)]);
                    if (try.outcome == LESSON_LEGAL)
                        add_kinds(kinds, &try);
                    else if (try.outcome == LESSON_REFUSED && try.why.phrase != NULL)
                        add(keys, try.why.phrase->key);
                }
                struct nonet_message why;
                uint64_t moves = nonet_session_count(session);
                uint32_t below = moves > UINT32_MAX ? UINT32_MAX : (uint32_t)moves;
                nonet_session_play(
                    session, nonet_session_nth(session, nonet_random_below(&random, below)), &why);
            }
            nonet_session_free(session);
        }
}

/* ---- A step ---- */

struct step {
    const char *game, *id, *goal;
    const json_t *json, *replies, *wrong, *notes;
    int level;   /* of the computer that replies; 0: none */
    int learner; /* the seat that is to move */
    struct attempt solution[DEEPEST];
    int solved;                  /* the number of tries that the solution has; 0: none found */
    struct attempt answered[16]; /* a try for each answer to a wrong one */
};

static const char *text_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

static struct nonet_session *open_step(const char *game, const json_t *step) {
    char lines[8192];
    struct nonet_text text = NONET_TEXT_IN(lines);
    const char *key;
    const json_t *value;
    size_t i;
    nonet_text_format(&text, "%s\n", game);
    json_object_foreach((json_t *)(uintptr_t)json_object_get(step, "options"), key, value)
        nonet_text_format(&text, "%s=%s\n", key, json_string_value(value));
    if (text_of(step, "from") != NULL)
        nonet_text_format(&text, "from=%s\n", text_of(step, "from"));
    json_array_foreach(json_object_get(step, "moves"), i, value)
        nonet_text_format(&text, " %s\n", json_string_value(value));
    const struct nonet_chance chance = {1, 2}; /* what a step leaves open, the page deals */
    struct nonet_setup_error error;
    struct nonet_session *session = nonet_setup_read(lines, &chance, &error);
    if (session == NULL) {
        char reason[512];
        struct nonet_text why = NONET_TEXT_IN(reason);
        nonet_setup_explain(&error, NULL, &why);
        complain("%s %s: %s", game, text_of(step, "id"), reason);
    }
    return session;
}

/* Plays the listed replies until the learner is to move again. Returns how many. */
static int reply(struct nonet_session *session, const struct step *step, int from) {
    int count = 0;
    struct nonet_message why;
    while (nonet_session_turn(session) != 0 && nonet_session_turn(session) != step->learner) {
        const char *text = json_string_value(json_array_get(step->replies, (size_t)(from + count)));
        if (text == NULL || !nonet_session_play_text(session, text, &why))
            break;
        count++;
    }
    return count;
}

static bool undo_to(struct nonet_session *session, int ply) {
    while (nonet_session_ply(session) > ply)
        nonet_session_undo(session);
    return true;
}

/* Whether the page answers the last try, and takes it back. */
static bool is_answered(const struct step *step) {
    size_t i;
    const json_t *answer;
    json_array_foreach(step->wrong, i,
                       answer) if (lesson_goal_met(text_of(answer, "when"), &try)) return true;
    return false;
}

/* The places that the step points at. */
static void find_marked(const struct nonet_session *session, const struct step *step,
                        bool marked[NONET_MAX_PLACES]) {
    static struct nonet_scene scene;
    nonet_scene_for(nonet_session_options(session), nonet_session_state(session),
                    nonet_session_turn(session), &scene);
    for (int place = 0; place < NONET_MAX_PLACES; place++) {
        size_t i;
        const json_t *name;
        marked[place] = false;
        json_array_foreach(json_object_get(step->json, "mark"), i, name) marked[place] |=
            place < scene.place_count &&
            strcmp(scene.places[place].name, json_string_value(name)) == 0;
    }
}

/* Looks for tries that meet the goal, so many moves deep; first for those that the step points at.
 */
static bool solve(struct nonet_session *session, struct step *step, int depth, int made,
                  int replied) {
    struct attempt *attempts = calloc(MOST_TRIES, sizeof *attempts);
    int count = list_attempts(session, attempts), ply = nonet_session_ply(session);
    bool found = false, marked[NONET_MAX_PLACES];
    find_marked(session, step, marked);
    prove(session, step->goal);
    for (int i = 0; i < 2 * count && !found; i++) {
        const struct attempt *attempt = &attempts[i % count];
        bool points = attempt->count > 0 && marked[attempt->places[attempt->count - 1]];
        if (points != (i < count))
            continue;
        make(session, attempt);
        step->solution[made] = *attempt;
        if (depth == 1) {
            found = lesson_goal_met(step->goal, &try) && !slips(session, attempt);
            if (found)
                step->solved = made + 1;
            continue;
        }
        if (try.outcome != LESSON_LEGAL || json_array_size(step->replies) == 0 || is_answered(step))
            continue;
        struct nonet_message why;
        nonet_session_play(session, try.move, &why);
        int more = reply(session, step, replied);
        if (nonet_session_turn(session) == step->learner)
            found = solve(session, step, depth - 1, made + 1, replied + more);
        undo_to(session, ply);
        nonet_session_prune(session,
                            nonet_session_first_child(session, nonet_session_node(session)));
    }
    free(attempts);
    return found;
}

/* Answers at the position where the session stands: whether tries get them, and none of these
 * meets the goal. */
static void find_answers(struct nonet_session *session, struct step *step) {
    struct attempt *attempts = calloc(MOST_TRIES, sizeof *attempts);
    int count = list_attempts(session, attempts);
    prove(session, step->goal);
    size_t j;
    const json_t *answer;
    for (int i = 0; i < count; i++) {
        make(session, &attempts[i]);
        bool met = lesson_goal_met(step->goal, &try), answered = false;
        json_array_foreach(step->wrong, j, answer) {
            if (!lesson_goal_met(text_of(answer, "when"), &try))
                continue;
            bool first =
                !answered && step->answered[j].count == 0 && step->answered[j].text[0] == '\0';
            if ((met || first) && slips(session, &attempts[i]))
                break;
            if (met)
                complain("%s %s: \"%s\" also answers a try that meets the goal", step->game,
                         step->id, text_of(answer, "when"));
            if (first)
                step->answered[j] = attempts[i];
            answered = true;
        }
    }
    free(attempts);
}

/* A game against the level that replies: until the goal is met. Notes which remarks were made. */
static bool play_out(struct nonet_session *session, struct step *step, struct nonet_random *random,
                     bool *noted) {
    static struct nonet_player *player;
    struct nonet_message why;
    if (player == NULL)
        player = nonet_player_open();
    int start = nonet_session_ply(session);
    while (nonet_session_turn(session) != 0 && nonet_session_ply(session) < start + 400) {
        nonet_move move;
        if (nonet_session_turn(session) == step->learner) {
            uint64_t moves = nonet_session_count(session);
            uint32_t below = moves > UINT32_MAX ? UINT32_MAX : (uint32_t)moves;
            move = nonet_session_nth(session, nonet_random_below(random, below));
        } else {
            static struct nonet_report report;
            const struct nonet_player_limits limits = {
                .level = step->level, .searches = 1, .seed = nonet_random_next(random)};
            if (!nonet_player_begin(player, session, &limits))
                return false;
            while (!nonet_player_advance(player, 0, 1000))
                ;
            nonet_player_report(player, &report);
            move = report.moves[0].move;
            nonet_player_end(player);
        }
        struct attempt attempt = of_move(session, move);
        lesson_try_move(session, attempt.text, &try);
        size_t j;
        const json_t *note;
        json_array_foreach(step->notes, j, note) noted[j] =
            noted[j] || lesson_goal_met(text_of(note, "when"), &try);
        if (lesson_goal_met(step->goal, &try))
            return true;
        nonet_session_play(session, move, &why);
    }
    return false;
}

static void check_game_step(struct nonet_session *session, struct step *step) {
    bool noted[32] = {false}, met = false;
    struct nonet_random random = {11};
    size_t said = 0;
    for (int i = 0; i < LESSON_GAMES && !(met && said == json_array_size(step->notes)); i++) {
        met = play_out(session, step, &random, noted) || met;
        said = 0;
        for (size_t j = 0; j < json_array_size(step->notes); j++)
            said += noted[j];
        undo_to(session, 0);
        while (nonet_session_first_child(session, 0) != NONET_NO_NODE)
            nonet_session_prune(session, nonet_session_first_child(session, 0));
    }
    if (!met)
        complain("%s %s: no game reaches the goal", step->game, step->id);
    for (size_t j = 0; j < json_array_size(step->notes); j++)
        if (!noted[j])
            complain("%s %s: \"%s\" never happens", step->game, step->id,
                     text_of(json_array_get(step->notes, j), "when"));
}

static bool check_goal(const struct nonet_session *session, const struct step *step,
                       const char *goal) {
    struct lesson_fault fault;
    if (goal != NULL && lesson_goal_check(session, goal, &fault))
        return true;
    complain("%s %s: goal \"%s\"%s%s", step->game, step->id, goal ? goal : "", goal ? ": " : "",
             goal ? fault.what : "");
    return false;
}

/* The keys that a goal or an answer names, once some try has been found for it. */
static void add_keys(struct set *keys, const char *goal) {
    for (const char *at = goal; (at = strstr(at, "refused ")) != NULL;) {
        char key[96];
        at += strlen("refused ");
        snprintf(key, sizeof key, "%.*s", (int)strcspn(at, " ,)"), at);
        add(keys, key);
    }
}

/* A session at the step; null if it cannot be opened. */
static struct nonet_session *check_step(const char *game, const json_t *json, struct step *step,
                                        struct set *keys, struct set *kinds) {
    *step = (struct step){.game = game,
                          .id = text_of(json, "id"),
                          .goal = text_of(json, "goal"),
                          .json = json,
                          .replies = json_object_get(json, "replies"),
                          .wrong = json_object_get(json, "wrong"),
                          .notes = json_object_get(json, "notes")};
    step->level = (int)json_integer_value(json_object_get(step->replies, "level"));
    struct nonet_session *session = open_step(game, json);
    if (session == NULL)
        return NULL;
    step->learner = nonet_session_turn(session);
    bool good = check_goal(session, step, step->goal);
    if (step->learner == 0) {
        complain("%s %s: the game is over before the step begins", game, step->id);
        good = false;
    }
    size_t j;
    const json_t *entry;
    json_array_foreach(step->wrong, j, entry) good =
        check_goal(session, step, text_of(entry, "when")) && good;
    json_array_foreach(step->notes, j, entry) good =
        check_goal(session, step, text_of(entry, "when")) && good;
    static struct nonet_scene scene;
    nonet_scene_for(nonet_session_options(session), nonet_session_state(session), step->learner,
                    &scene);
    json_array_foreach(json_object_get(json, "mark"), j, entry) {
        int place = 0;
        while (place < scene.place_count &&
               strcmp(scene.places[place].name, json_string_value(entry)) != 0)
            place++;
        if (place == scene.place_count)
            complain("%s %s: there is no place %s to mark", game, step->id,
                     json_string_value(entry));
    }
    if (!good)
        return session;
    if (step->level > 0) {
        check_game_step(session, step);
        return session;
    }
    for (int depth = 1; depth <= DEEPEST && !solve(session, step, depth, 0, 0); depth++)
        ;
    if (step->solved == 0) {
        complain("%s %s: the goal \"%s\" cannot be reached", game, step->id, step->goal);
        return session;
    }
    add_keys(keys, step->goal);
    /* The answers at every position on the way. */
    find_answers(session, step);
    int replied = 0, ply = nonet_session_ply(session);
    struct nonet_message why;
    for (int i = 0; i < step->solved; i++) {
        make(session, &step->solution[i]);
        if (try.outcome == LESSON_LEGAL)
            add_kinds(kinds, &try);
        if (i + 1 < step->solved) {
            nonet_session_play(session, try.move, &why);
            replied += reply(session, step, replied);
            find_answers(session, step);
        }
    }
    undo_to(session, ply);
    json_array_foreach(step->wrong, j, entry) {
        if (step->answered[j].count == 0 && step->answered[j].text[0] == '\0')
            complain("%s %s: no try is answered by \"%s\"", game, step->id, text_of(entry, "when"));
        else
            add_keys(keys, text_of(entry, "when"));
    }
    return session;
}

/* ---- A game's lessons ---- */

static json_t *load(const char *folder, const char *game) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.json", folder, game);
    json_error_t error;
    json_t *lessons = json_load_file(path, 0, &error);
    /* A new game may be without lessons; that the others have theirs is checked with their words.
     */
    if (lessons == NULL && json_error_code(&error) != json_error_cannot_open_file)
        complain("%s: %s", path, error.text);
    return lessons;
}

static void compare(const char *game, const char *what, const struct set *met,
                    const struct set *taught) {
    for (int i = 0; i < met->count; i++)
        if (!has(taught, met->words[i]))
            complain("%s: no lesson meets %s \"%s\"", game, what, met->words[i]);
    for (int i = 0; i < taught->count; i++)
        if (!has(met, taught->words[i]))
            complain("%s: nobody at the table meets %s \"%s\"", game, what, taught->words[i]);
}

static json_t *tell_attempt(const struct attempt *attempt) {
    json_t *touches = json_array();
    for (int i = 0; i < attempt->count; i++)
        json_array_append_new(touches, json_integer(attempt->places[i]));
    return json_pack("{s:s, s:o}", "move", attempt->text, "touches", touches);
}

static json_t *tell_step(const struct step *step) {
    json_t *solution = json_array(), *wrong = json_array();
    for (int i = 0; i < step->solved; i++)
        json_array_append_new(solution, tell_attempt(&step->solution[i]));
    for (size_t i = 0; i < json_array_size(step->wrong); i++)
        json_array_append_new(wrong, tell_attempt(&step->answered[i]));
    return json_pack("{s:s, s:i, s:o, s:o}", "id", step->id, "level", step->level, "solution",
                     solution, "wrong", wrong);
}

static void check_lessons(const char *folder, const struct nonet_game *game, bool tell) {
    struct set keys = {0}, kinds = {0}, met_keys = {0}, met_kinds = {0};
    json_t *lessons = load(folder, game->id), *told = json_array();
    const json_t *steps = json_object_get(lessons, "steps"), *json;
    size_t i, count = json_array_size(steps);
    struct step step = {0};
    json_array_foreach(steps, i, json) {
        nonet_session_free(check_step(game->id, json, &step, &keys, &kinds));
        json_array_append_new(told, tell_step(&step));
        if (!tell && step.solved > 0)
            printf("%s %s: in %d\n", game->id, step.id, step.solved);
    }
    if (tell)
        json_dumpf(told, stdout, JSON_COMPACT);
    else if (lessons != NULL) {
        if (count < LEAST_STEPS || count > MOST_STEPS)
            complain("%s: %zu steps", game->id, count);
        if (step.level != 1 || strcmp(step.goal, "over") != 0)
            complain("%s: the last step is no game against level 1", game->id);
        meet(game, &met_keys, &met_kinds);
        compare(game->id, "refusal", &met_keys, &keys);
        compare(game->id, "touch", &met_kinds, &kinds);
    }
    json_decref(told);
    json_decref(lessons);
    forget(&keys);
    forget(&kinds);
    forget(&met_keys);
    forget(&met_kinds);
}

int main(int argc, char **argv) {
    const char *only = argc > 2 ? argv[2] : NULL;
    bool check_one = argc > 3; /* one game, but checked and not told */
    if (argc < 2)
        return 2;
    for (int i = 0; i < nonet_game_count; i++)
        if (only == NULL || strcmp(only, nonet_games[i]->id) == 0)
            check_lessons(argv[1], nonet_games[i], only != NULL && !check_one);
    return faults > 0;
}
