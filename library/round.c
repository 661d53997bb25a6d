/* A game in progress: a session, with the texts, the prober and the player that were asked for. */
#include <stdlib.h>
#include <string.h>

#include "host/files.h"
#include "host/prober.h"
#include "host/thinker.h"
#include "inside.h"
#include "rules/observation.h"
#include "rules/wide.h"
#include "study/describe.h"
#include "study/draw_svg.h"
#include "study/draw_text.h"
#include "study/playouts.h"
#include "study/tensor.h"

struct nonet_round {
    struct nonet_session *session;
    const struct nonet_words *words;
    bool from_position;       /* it was opened from a text */
    struct nonet_state first; /* of these options: a move that `why` knows there has a text */
    char *bytes;              /* of the text that was returned last */
    size_t size;
    struct nonet_scene *scratch; /* null until numbers are asked for */
    struct prober *prober;       /* null until a value is asked for */
    struct thinker *thinker;     /* null until a player is asked */
};

static const struct nonet_options *options_of(const struct nonet_round *round) {
    return nonet_session_options(round->session);
}

/* An empty text in the round's own memory, with at least this much room. */
static bool begin_text(struct nonet_round *round, size_t room, struct nonet_text *text,
                       struct nonet_error *error) {
    if (round->size < room) {
        char *bytes = realloc(round->bytes, room);
        if (bytes == NULL) {
            library_no_memory(error);
            return false;
        }
        round->bytes = bytes;
        round->size = room;
    }
    *text = nonet_text_in(round->bytes, round->size);
    return true;
}

/* The text that was begun; or null if it did not fit, since half of it would be misread. */
static const char *finished(const struct nonet_text *text, struct nonet_error *error) {
    if (!text->cut)
        return text->bytes;
    library_fail(error, NONET_ERROR_MEMORY, "the answer is too long");
    return NULL;
}

/* ---- Opening and closing ---- */

static bool find_first(struct nonet_round *round) {
    const struct nonet_options *options = options_of(round);
    const struct nonet_wide *wide = options->game->wide;
    void *workspace =
        wide != NULL ? aligned_alloc(64, (wide->workspace_size + 63) / 64 * 64) : NULL;
    if (wide != NULL && workspace == NULL)
        return false;
    options->game->start(options, &round->first, workspace);
    free(workspace);
    return true;
}

/* A round of the session, which it owns from now on. */
static struct nonet_round *new_round(struct nonet_session *session, const struct nonet_words *words,
                                     struct nonet_error *error) {
    struct nonet_round *round = calloc(1, sizeof *round);
    if (round == NULL) {
        nonet_session_free(session);
        library_no_memory(error);
        return NULL;
    }
    round->session = session;
    round->words = words;
    round->from_position = nonet_session_began_elsewhere(session);
    if (!round->from_position) {
        memcpy(&round->first, nonet_session_state_before(session, 0),
               options_of(round)->game->state_size);
    } else if (!find_first(round)) {
        nonet_round_close(round);
        library_no_memory(error);
        return NULL;
    }
    return round;
}

static bool draw_chance(struct nonet_chance *chance, struct nonet_error *error) {
    if (files_random(chance, sizeof *chance))
        return true;
    library_fail(error, NONET_ERROR_SYSTEM, "the system gives no random numbers");
    return false;
}

struct nonet_round *nonet_round_open(const struct nonet_variant *variant, const char *from,
                                     struct nonet_error *error) {
    if (variant == NULL) {
        library_bad_argument(error, "variant");
        return NULL;
    }
    const struct nonet_setup setup = {variant->options, from};
    struct nonet_chance chance = {0};
    if (variant->options.game->deal != NULL && !draw_chance(&chance, error))
        return NULL;
    struct nonet_setup_error why;
    struct nonet_session *session = nonet_setup_open(&setup, &chance, &why);
    if (session == NULL) {
        library_refuse_setup(error, variant->words, &why);
        return NULL;
    }
    struct nonet_round *round = new_round(session, variant->words, error);
    if (round != NULL)
        round->from_position = from != NULL;
    return round;
}

struct nonet_round *nonet_round_open_seen(const struct nonet_variant *variant, int seat,
                                          const char *first, const char *const *moves, size_t count,
                                          const char *seen, struct nonet_error *error) {
    const char *wrong = variant == NULL                                           ? "variant"
                        : seat < 1 || seat > variant->options.players             ? "seat"
                        : first == NULL                                           ? "first"
                        : count > NONET_MAX_PLIES || (count > 0 && moves == NULL) ? "moves"
                        : count > 0 && seen == NULL                               ? "seen"
                                                                                  : NULL;
    for (size_t i = 0; wrong == NULL && i < count; i++)
        if (moves[i] == NULL)
            wrong = "moves";
    if (wrong != NULL) {
        library_bad_argument(error, wrong);
        return NULL;
    }
    char **copies = malloc((count + 1) * sizeof *copies);
    if (copies == NULL) {
        library_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        copies[i] = (char *)moves[i];
    char reason[sizeof error->message];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct nonet_options options = variant->options;
    nonet_options_deal(&options, 0, 0); /* whatever it deals is replaced by what was seen */
    struct nonet_session *session =
        nonet_observation_open(&options, seat, first, copies, (int)count, seen, &why);
    free(copies);
    if (session == NULL) {
        library_fail(error, NONET_ERROR_POSITION, reason);
        return NULL;
    }
    return new_round(session, variant->words, error);
}

const char *nonet_round_write(struct nonet_round *round, struct nonet_error *error) {
    if (round == NULL) {
        library_bad_argument(error, "round");
        return NULL;
    }
    size_t room = NONET_POSITION_TEXT + NONET_MAX_OPTIONS * 2 * NONET_OPTION_TEXT +
                  (size_t)nonet_session_ply(round->session) * (NONET_MOVE_TEXT + 2);
    struct nonet_text text;
    if (!begin_text(round, room, &text, error))
        return NULL;
    nonet_setup_write(round->session, &text);
    return finished(&text, error);
}

struct nonet_round *nonet_round_read(const char *lines, const struct nonet_words *words,
                                     struct nonet_error *error) {
    if (lines == NULL) {
        library_bad_argument(error, "lines");
        return NULL;
    }
    struct nonet_chance chance;
    if (!draw_chance(&chance, error))
        return NULL;
    struct nonet_setup_error why;
    struct nonet_session *session = nonet_setup_read(lines, &chance, &why);
    if (session == NULL) {
        library_refuse_setup(error, words, &why);
        return NULL;
    }
    return new_round(session, words, error);
}

struct nonet_round *nonet_round_copy(struct nonet_round *round, struct nonet_error *error) {
    const char *lines = nonet_round_write(round, error);
    struct nonet_round *copy = lines != NULL ? nonet_round_read(lines, round->words, error) : NULL;
    if (copy != NULL)
        copy->from_position = round->from_position;
    return copy;
}

void nonet_round_close(struct nonet_round *round) {
    if (round == NULL)
        return;
    thinker_close(round->thinker);
    prober_close(round->prober);
    nonet_session_free(round->session);
    free(round->scratch);
    free(round->bytes);
    free(round);
}

/* ---- Playing ---- */

int nonet_round_turn(const struct nonet_round *round) {
    return round != NULL ? nonet_session_turn(round->session) : 0;
}

int nonet_round_players(const struct nonet_round *round) {
    return round != NULL ? options_of(round)->players : 0;
}

int nonet_round_ply(const struct nonet_round *round) {
    return round != NULL ? nonet_session_ply(round->session) : 0;
}

int nonet_round_played(const struct nonet_round *round, int index, uint32_t *move,
                       struct nonet_error *error) {
    if (index < 0 || index >= nonet_round_ply(round) || move == NULL)
        return library_bad_argument(error, move == NULL ? "move" : "index");
    *move = nonet_session_move(round->session, index);
    return NONET_OK;
}

uint64_t nonet_round_legal_count(struct nonet_round *round) {
    return round != NULL ? nonet_session_count(round->session) : 0;
}

size_t library_legal(const struct nonet_session *session, uint64_t first, uint32_t *moves,
                     size_t room) {
    uint64_t count = nonet_session_count(session);
    size_t listed = 0;
    for (uint64_t i = first; moves != NULL && i < count && listed < room; i++)
        moves[listed++] = nonet_session_nth(session, i);
    return listed;
}

size_t nonet_round_legal(struct nonet_round *round, uint64_t first, uint32_t *moves, size_t room) {
    return round != NULL ? library_legal(round->session, first, moves, room) : 0;
}

static bool is_move(const struct nonet_round *round, nonet_move move) {
    const struct nonet_options *options = options_of(round);
    struct nonet_message why;
    return options->game->why(options, &round->first, move, &why) ||
           why.phrase != &nonet_common[NONET_SAY_NO_SUCH_MOVE];
}

const char *nonet_round_move_text(struct nonet_round *round, uint32_t move,
                                  struct nonet_error *error) {
    if (round == NULL) {
        library_bad_argument(error, "round");
        return NULL;
    }
    if (!is_move(round, move)) {
        const struct nonet_message why = nonet_say(&nonet_common[NONET_SAY_NO_SUCH_MOVE]);
        library_refuse(error, NONET_ERROR_MOVE, round->words, &why);
        return NULL;
    }
    struct nonet_text text;
    if (!begin_text(round, NONET_MOVE_TEXT, &text, error))
        return NULL;
    options_of(round)->game->print(options_of(round), move, &text);
    return finished(&text, error);
}

int nonet_round_parse(const struct nonet_round *round, const char *text, uint32_t *move,
                      struct nonet_error *error) {
    if (round == NULL || text == NULL || move == NULL)
        return library_bad_argument(error, round == NULL  ? "round"
                                           : text == NULL ? "text"
                                                          : "move");
    struct nonet_message why;
    if (options_of(round)->game->parse(options_of(round), text, move, &why))
        return NONET_OK;
    return library_refuse(error, NONET_ERROR_MOVE, round->words, &why);
}

int nonet_round_why(const struct nonet_round *round, uint32_t move, struct nonet_error *error) {
    if (round == NULL)
        return library_bad_argument(error, "round");
    struct nonet_message why;
    if (nonet_session_legal(round->session, move, &why))
        return NONET_OK;
    return library_refuse(error, NONET_ERROR_MOVE, round->words, &why);
}

int nonet_round_play(struct nonet_round *round, uint32_t move, struct nonet_error *error) {
    if (round == NULL)
        return library_bad_argument(error, "round");
    struct nonet_message why;
    if (nonet_session_play(round->session, move, &why))
        return NONET_OK;
    /* A program that plays and undoes for hours has not kept what it undid. */
    if (why.phrase == &nonet_common[NONET_SAY_MOST_POSITIONS]) {
        nonet_session_trim(round->session);
        if (nonet_session_play(round->session, move, &why))
            return NONET_OK;
    }
    return library_refuse(error, NONET_ERROR_MOVE, round->words, &why);
}

int nonet_round_play_text(struct nonet_round *round, const char *text, struct nonet_error *error) {
    uint32_t move;
    int code = nonet_round_parse(round, text, &move, error);
    return code == NONET_OK ? nonet_round_play(round, move, error) : code;
}

int nonet_round_undo(struct nonet_round *round) {
    return round != NULL && nonet_session_undo(round->session);
}

int nonet_round_redo(struct nonet_round *round) {
    return round != NULL && nonet_session_redo(round->session);
}

void nonet_round_restart(struct nonet_round *round) {
    if (round == NULL)
        return;
    nonet_session_go(round->session, 0);
    nonet_session_trim(round->session);
}

/* ---- The result ---- */

uint32_t nonet_round_winners(const struct nonet_round *round) {
    if (round == NULL)
        return 0;
    struct nonet_result result;
    nonet_session_result(round->session, &result);
    return result.winners;
}

int nonet_round_share(const struct nonet_round *round, int player) {
    if (player < 1 || player > nonet_round_players(round) || nonet_round_turn(round) != 0)
        return 0;
    struct nonet_result result;
    nonet_session_result(round->session, &result);
    return nonet_result_share(options_of(round), &result, player);
}

int nonet_round_points(const struct nonet_round *round, int player, int *points,
                       struct nonet_error *error) {
    if (player < 1 || player > nonet_round_players(round) || points == NULL)
        return library_bad_argument(error, points == NULL ? "points" : "player");
    struct nonet_result result;
    nonet_session_result(round->session, &result);
    if (!result.has_points)
        return library_fail(error, NONET_ERROR_NOT_THERE, "there are no points");
    *points = result.points[player - 1];
    return NONET_OK;
}

const char *nonet_round_reason(struct nonet_round *round, struct nonet_error *error) {
    struct nonet_text text;
    if (round == NULL) {
        library_bad_argument(error, "round");
        return NULL;
    }
    if (!begin_text(round, sizeof error->message, &text, error))
        return NULL;
    struct nonet_result result;
    nonet_session_result(round->session, &result);
    if (result.reason.phrase != NULL)
        nonet_message_write(&result.reason, library_catalogue(round->words), &text);
    return finished(&text, error);
}

/* ---- What is seen ---- */

static bool is_viewer(const struct nonet_round *round, int viewer, struct nonet_error *error) {
    if (round != NULL && viewer >= NONET_VIEW_ALL && viewer <= options_of(round)->players)
        return true;
    library_bad_argument(error, round == NULL ? "round" : "viewer");
    return false;
}

const char *nonet_round_text(struct nonet_round *round, int viewer, struct nonet_error *error) {
    struct nonet_text text;
    if (!is_viewer(round, viewer, error) || !begin_text(round, NONET_POSITION_TEXT, &text, error))
        return NULL;
    const struct nonet_options *options = options_of(round);
    const void *state = nonet_session_state(round->session);
    struct nonet_state seen;
    if (viewer != NONET_VIEW_ALL) {
        nonet_observe(options, state, viewer, &seen);
        state = &seen;
    }
    options->game->write(options, state, &text);
    return finished(&text, error);
}

static_assert((int)NONET_VIEW_ALL == (int)DESCRIBE_ALL &&
                  (int)NONET_VIEW_PUBLIC == (int)NONET_SPECTATOR,
              "one numbering of viewers");

const char *nonet_round_position(struct nonet_round *round, int viewer, struct nonet_error *error) {
    struct nonet_text text;
    if (!is_viewer(round, viewer, error) ||
        !begin_text(round, DESCRIBE_POSITION_ROOM, &text, error))
        return NULL;
    if (!describe_position(&text, round->session, viewer, round->from_position)) {
        library_no_memory(error);
        return NULL;
    }
    return finished(&text, error);
}

/* The scene for a viewer, to be freed. Null with the error. */
static struct nonet_scene *new_scene(const struct nonet_round *round, int viewer,
                                     struct nonet_error *error) {
    struct nonet_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL) {
        library_no_memory(error);
        return NULL;
    }
    const struct nonet_options *options = options_of(round);
    const void *state = nonet_session_state(round->session);
    if (viewer == NONET_VIEW_ALL)
        options->game->scene(options, state, scene);
    else
        nonet_scene_for(options, state, viewer, scene);
    return scene;
}

enum { SCENE_ROOM = 1 << 20 };

const char *nonet_round_scene(struct nonet_round *round, int viewer, struct nonet_error *error) {
    struct nonet_text text;
    if (!is_viewer(round, viewer, error) || !begin_text(round, SCENE_ROOM, &text, error))
        return NULL;
    struct nonet_scene *scene = new_scene(round, viewer, error);
    if (scene == NULL)
        return NULL;
    struct nonet_json json = nonet_json_in(&text);
    describe_scene(&json, scene, library_catalogue(round->words));
    free(scene);
    return finished(&text, error);
}

const char *nonet_round_draw(struct nonet_round *round, int viewer, int picture,
                             struct nonet_error *error) {
    struct nonet_text text;
    if (picture != NONET_PICTURE_TEXT && picture != NONET_PICTURE_SVG) {
        library_bad_argument(error, "picture");
        return NULL;
    }
    if (!is_viewer(round, viewer, error) || !begin_text(round, DRAW_SVG_ROOM, &text, error))
        return NULL;
    struct nonet_scene *scene = new_scene(round, viewer, error);
    if (scene == NULL)
        return NULL;
    const struct nonet_catalogue *catalogue = library_catalogue(round->words);
    const struct draw_text_style as_text = {
        .unicode = true, .coordinates = true, .catalogue = catalogue};
    const struct draw_svg_style as_svg = {options_of(round)->game->title, true, catalogue};
    if (picture == NONET_PICTURE_SVG)
        draw_svg(scene, &as_svg, &text);
    else
        draw_text(scene, &as_text, &text);
    free(scene);
    return finished(&text, error);
}

/* ---- For programs that learn ---- */

/* The scene that is worked with is kept: it is large, and asked for at every step. */
static bool has_scratch(struct nonet_round *round) {
    if (round->scratch == NULL)
        round->scratch = calloc(1, sizeof *round->scratch);
    return round->scratch != NULL;
}

size_t nonet_round_tensor_size(struct nonet_round *round) {
    if (round == NULL || !has_scratch(round))
        return 0;
    return (size_t)tensor_size(options_of(round), nonet_session_state(round->session),
                               round->scratch);
}

int nonet_round_tensor(struct nonet_round *round, int viewer, float *numbers, size_t room,
                       struct nonet_error *error) {
    if (!is_viewer(round, viewer, error))
        return NONET_ERROR_ARGUMENT;
    if (!has_scratch(round))
        return library_no_memory(error);
    if (numbers == NULL || room < nonet_round_tensor_size(round))
        return library_bad_argument(error, numbers == NULL ? "numbers" : "room");
    tensor_write(options_of(round), nonet_session_state(round->session), viewer, round->scratch,
                 numbers);
    return NONET_OK;
}

int nonet_round_mask(struct nonet_round *round, uint8_t *mask, size_t room,
                     struct nonet_error *error) {
    if (round == NULL || mask == NULL)
        return library_bad_argument(error, round == NULL ? "round" : "mask");
    const struct nonet_options *options = options_of(round);
    if (options->game->action_count == NULL)
        return library_fail(error, NONET_ERROR_NOT_THERE, "this game has no numbered actions");
    size_t actions = (size_t)options->game->action_count(options);
    if (room < actions)
        return library_bad_argument(error, "room");
    memset(mask, 0, actions);
    uint64_t count = nonet_session_count(round->session);
    for (uint64_t i = 0; i < count; i++) {
        int action = nonet_action_of(options, nonet_session_nth(round->session, i));
        if (action >= 0) /* a bad game shows too little */
            mask[action] = 1;
    }
    return NONET_OK;
}

/* ---- What a position is worth ---- */

static const double most_seconds = 1e6;
static const uint64_t most_nodes = 1000000000000000;

const char *nonet_round_probe(struct nonet_round *round, double seconds,
                              struct nonet_error *error) {
    struct nonet_text text;
    if (round == NULL || !(seconds >= 0 && seconds <= most_seconds)) {
        library_bad_argument(error, round == NULL ? "round" : "seconds");
        return NULL;
    }
    if (!begin_text(round, PROBER_ROOM, &text, error))
        return NULL;
    char reason[sizeof error->message];
    struct nonet_text why = NONET_TEXT_IN(reason);
    const struct prober_limits limits = prober_usual_limits(seconds);
    if (round->prober == NULL)
        round->prober = prober_open(options_of(round), &limits, &why);
    else
        prober_allow(round->prober, seconds);
    if (round->prober == NULL || !prober_describe(round->prober, round->session, &text, &why)) {
        library_fail(error, NONET_ERROR_UNPROVEN, reason);
        return NULL;
    }
    return finished(&text, error);
}

static bool read_thinking(const struct nonet_thinking *given, int *level,
                          struct thinker_limits *limits, struct nonet_error *error) {
    static const struct nonet_thinking usual = {0};
    const struct nonet_thinking *t = given != NULL ? given : &usual;
    const char *wrong = t->level < 0 || t->level > NONET_SEARCH_LEVELS       ? "level"
                        : t->threads < 0 || t->threads > THINKER_MAX_THREADS ? "threads"
                        : t->nodes > most_nodes                              ? "nodes"
                        : !(t->seconds >= 0 && t->seconds <= most_seconds)   ? "seconds"
                        : t->memory != 0 && (t->memory < 1000000 || t->memory > SIZE_MAX / 2)
                            ? "memory"
                            : NULL;
    if (wrong != NULL) {
        library_bad_argument(error, wrong);
        return false;
    }
    *level = t->level == 0 ? NONET_SEARCH_LEVELS : t->level;
    *limits = (struct thinker_limits){.nodes = t->nodes,
                                      .seconds = t->seconds,
                                      .threads = t->threads == 0 ? 1 : t->threads,
                                      .memory = (size_t)t->memory,
                                      .seed = t->seed};
    return true;
}

/* Thinks about a game that is not over. No answer depends on earlier questions. */
static const struct nonet_report *think(struct nonet_round *round, int level,
                                        const struct thinker_limits *limits,
                                        struct nonet_error *error) {
    if (round->thinker == NULL)
        round->thinker = thinker_open(options_of(round));
    const struct nonet_report *report = NULL;
    if (round->thinker != NULL) {
        thinker_new_game(round->thinker);
        thinker_prepare(round->thinker, level); /* does not count as thinking time */
        report = thinker_think(round->thinker, round->session, level, limits);
    }
    if (report == NULL)
        library_no_memory(error);
    return report;
}

const char *nonet_round_think(struct nonet_round *round, const struct nonet_thinking *thinking,
                              struct nonet_error *error) {
    int level;
    struct thinker_limits limits;
    struct nonet_text text;
    if (round == NULL) {
        library_bad_argument(error, "round");
        return NULL;
    }
    if (!read_thinking(thinking, &level, &limits, error) ||
        !begin_text(round, DESCRIBE_THOUGHTS_ROOM, &text, error))
        return NULL;
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    if (nonet_session_turn(round->session) == 0) {
        describe_no_thoughts(&json, round->session);
    } else {
        const struct nonet_report *report = think(round, level, &limits, error);
        if (report == NULL)
            return NULL;
        describe_thoughts(&json, options_of(round), report, thinker_seconds(round->thinker));
    }
    nonet_json_close(&json, '}');
    return finished(&text, error);
}

int nonet_round_choose(struct nonet_round *round, const struct nonet_thinking *thinking,
                       uint32_t *move, struct nonet_error *error) {
    int level;
    struct thinker_limits limits;
    if (round == NULL || move == NULL)
        return library_bad_argument(error, round == NULL ? "round" : "move");
    if (!read_thinking(thinking, &level, &limits, error))
        return NONET_ERROR_ARGUMENT;
    if (nonet_session_turn(round->session) == 0) {
        const struct nonet_message why = nonet_say(&nonet_common[NONET_SAY_GAME_OVER]);
        return library_refuse(error, NONET_ERROR_MOVE, round->words, &why);
    }
    const struct nonet_report *report = think(round, level, &limits, error);
    if (report == NULL)
        return NONET_ERROR_MEMORY;
    *move = report->moves[0].move;
    return NONET_OK;
}

int nonet_round_playouts(struct nonet_round *round, uint64_t games, uint64_t seed,
                         struct nonet_tally *tally, struct nonet_error *error) {
    if (round == NULL || tally == NULL)
        return library_bad_argument(error, round == NULL ? "round" : "tally");
    struct playouts sum = {0};
    if (!playouts_run(round->session, games, seed, &sum))
        return library_no_memory(error);
    *tally = (struct nonet_tally){.games = sum.games, .moves = sum.moves};
    memcpy(tally->shares, sum.shares, sizeof sum.shares);
    return NONET_OK;
}
