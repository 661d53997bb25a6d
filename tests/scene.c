/* What a scene shows besides the pieces: what cells mean, and of the end of a game, the pieces that
 * decided it, which are lit, and figures that name what counted. The expected values come from the
 * rules pages, and from what must hold for all finished games. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "rules/session.h"
#include "variants.h"

static struct nonet_scene scene;

/* The scene for everybody after these moves, with spaces between. */
static struct nonet_session *play_moves(const char *id, const char *option, const char *moves) {
    struct nonet_options options = options_of(id);
    struct nonet_message why;
    CHECK(option == NULL || nonet_options_set(&options, option, &why), "%s", option);
    nonet_options_deal(&options, 1, 2);
    struct nonet_session *session = nonet_session_new(&options);
    char *copy = strdup(moves);
    for (char *move = strtok(copy, " "); move != NULL; move = strtok(NULL, " "))
        CHECK(nonet_session_play_text(session, move, &why), "%s: %s", id, move);
    free(copy);
    nonet_scene_for(&options, nonet_session_state(session), NONET_SPECTATOR, &scene);
    return session;
}

/* The names of the places with lit pieces, in the order of places. */
static const char *lit_places(void) {
    static char names[512];
    struct nonet_text text = NONET_TEXT_IN(names);
    names[0] = '\0';
    for (int place = 0; place < scene.place_count; place++)
        for (int i = 0; i < scene.piece_count; i++)
            if (scene.pieces[i].lit && scene.pieces[i].place == place)
                nonet_text_format(&text, "%s%s", text.length > 0 ? " " : "",
                                  scene.places[place].name);
    return names;
}

static bool has_figure(int owner, int points, const char *places) {
    for (int i = 0; i < scene.figure_count; i++) {
        const struct nonet_figure *figure = &scene.figures[i];
        char names[64];
        struct nonet_text text = NONET_TEXT_IN(names);
        for (int k = 0; k < figure->count; k++)
            nonet_text_format(&text, "%s%s", k > 0 ? " " : "",
                              scene.places[figure->places[k]].name);
        if (figure->owner == owner && figure->points == points && strcmp(names, places) == 0)
            return true;
    }
    return false;
}

/* The example of the rules page, which lists every rectangle, tris and pair of pincers. Figures
 * begin with their lowest cell and continue around. */
static void mix3_example(void **state) {
    (void)state;
    struct nonet_session *session =
        play_moves("mix3", NULL, "a1 b1 c1 d1 b2 a2 c2 d2 a3 b3 c3 a4 d3 b4 c4 d4");
    static const struct {
        int owner, points;
        const char *places;
    } expected[] = {
        {1, 2, "a1 c1 c3 a3"}, {1, 1, "c1 c2 c3"},    {1, 1, "c2 c3 c4"}, {1, 1, "a1 b2 c3"},
        {1, 1, "c1 b2 a3"},    {1, 1, "a1 c1"},       {1, 1, "a3 c3"},    {1, 1, "a1 a3"},
        {2, 2, "a2 d2 d4 a4"}, {2, 2, "b1 d1 d4 b4"}, {2, 2, "a2 d2"},    {2, 1, "b1 d1"},
        {2, 1, "b4 d4"},       {2, 1, "a2 a4"},       {2, 1, "b1 b3"},    {2, 1, "d2 d4"},
    };
    int count = sizeof expected / sizeof *expected;
    for (int i = 0; i < count; i++)
        CHECK(has_figure(expected[i].owner, expected[i].points, expected[i].places), "%d: %s",
              expected[i].owner, expected[i].places);
    CHECK(scene.figure_count == count, "%d figures", scene.figure_count);
    /* Player 2 wins: the corners of that player's rectangles. */
    assert_string_equal(lit_places(), "b1 d1 a2 d2 a4 b4 d4");
    nonet_session_free(session);
}

/* Also from the rules page: the three neutral pieces and the red one are Red's group. */
static void ksar_example(void **state) {
    (void)state;
    struct nonet_session *session =
        play_moves("ksar", "frame=3x4", "n1x2@a3 n3x1@a2 n2x1@b1 1x2@c3");
    assert_string_equal(lit_places(), "b1 a2 a3 c3");
    nonet_session_free(session);
}

static bool is_winner(const struct nonet_result *result, int player) {
    return player > 0 && result->winners >> (player - 1) & 1;
}

/* What holds for every game, over or not. */
static void check_scene(const struct nonet_options *options, const void *state) {
    const char *id = options->game->id;
    bool over = options->game->turn(options, state) == 0;
    struct nonet_result result = {0};
    if (over)
        options->game->result(options, state, &result);
    nonet_scene_for(options, state, NONET_SPECTATOR, &scene);
    int lit = 0, points[NONET_MAX_PLAYERS] = {0};
    for (int i = 0; i < scene.piece_count; i++)
        lit += scene.pieces[i].lit;
    CHECK(over || (lit == 0 && scene.figure_count == 0), "%s: lit before the end", id);
    for (int i = 0; i < scene.figure_count; i++)
        points[scene.figures[i].owner - 1] += scene.figures[i].points;
    for (int player = 0; player < options->players && strcmp(id, "mix3") == 0 && over; player++)
        CHECK(points[player] == result.points[player], "%s: the figures are not the count", id);
    /* The last placement wins in Kudosu and Fullend: there the last move is marked instead. In Mix
     * 3 pincers alone may win. */
    bool decided = over && result.winners != (1u << options->players) - 1;
    static const char *const lighting[] = {"chasm",  "kolem",      "ksar",
                                           "masker", "quadrangle", "trix"};
    for (size_t i = 0; i < sizeof lighting / sizeof *lighting; i++)
        CHECK(!decided || strcmp(id, lighting[i]) != 0 || lit > 0, "%s: nothing is lit", id);
    /* Trix may be won by the other player's pieces in the winner's home. */
    for (int i = 0; i < scene.piece_count && strcmp(id, "trix") != 0; i++) {
        const struct nonet_piece *piece = &scene.pieces[i];
        CHECK(!piece->lit || piece->owner == 0 || is_winner(&result, piece->owner),
              "%s: a loser's piece is lit", id);
    }
}

static void every_game(void **test) {
    struct nonet_options *options = *test;
    struct nonet_random random = {7};
    static struct legal legal;
    void *workspace = new_workspace(options->game);
    for (int game = 0; game < (workspace == NULL ? 40 : 2); game++) {
        struct nonet_state state;
        options->game->start(options, &state, workspace);
        for (int ply = 0; ply < 400; ply++) {
            check_scene(options, &state);
            list_legal(options, &state, workspace, &random, &legal);
            if (legal.count == 0)
                break;
            uint64_t index = nonet_random_next(&random) % (uint64_t)legal.count;
            options->game->play(options, &state, workspace, legal.moves[index]);
        }
    }
    free(workspace);
}

/* The zones and homes of all cells, in the order of places. */
static void check_cells(const char *id, const char *option, const char *zones, const char *homes) {
    nonet_session_free(play_moves(id, option, ""));
    for (int cell = 0; cell < 16; cell++) {
        CHECK(scene.places[cell].zone == zones[cell] - '0', "%s: %s", id, scene.places[cell].name);
        CHECK(scene.places[cell].home == homes[cell] - '0', "%s: %s", id, scene.places[cell].name);
    }
}

static void cells_say_what_they_mean(void **test) {
    (void)test;
    static const char none[] = "0000000000000000";
    check_cells("kudosu", NULL, "1122112233443344", none);
    check_cells("trix", NULL, none, "2200200000010011");
    check_cells("trix", "camps=side", none, "2222000000001111");
    check_cells("quadrangle", NULL, none, none);
    /* b1 and c1 are in two quadrants; a1 and b1 are in one; a1 and c1 do not touch. */
    nonet_session_free(play_moves("kudosu", NULL, ""));
    assert_true(nonet_scene_parts(&scene.places[1], &scene.places[2]));
    assert_false(nonet_scene_parts(&scene.places[0], &scene.places[1]));
    assert_false(nonet_scene_parts(&scene.places[0], &scene.places[2]));
}

int main(void) {
    enum { MOST_TESTS = 256 };
    static struct CMUnitTest tests[MOST_TESTS];
    size_t count = 0;
    tests[count++] = (struct CMUnitTest){"mix3_example", mix3_example, NULL, NULL, NULL};
    tests[count++] = (struct CMUnitTest){"ksar_example", ksar_example, NULL, NULL, NULL};
    tests[count++] =
        (struct CMUnitTest){"cells_say_what_they_mean", cells_say_what_they_mean, NULL, NULL, NULL};
    for (int i = 0; i < nonet_game_count; i++) {
        static struct nonet_options variants[MOST_VARIANTS];
        int variant_count = variants_of(nonet_games[i], 1, variants);
        for (int v = 0; v < variant_count; v++) {
            struct nonet_options *options = malloc(sizeof *options);
            *options = variants[v];
            tests[count++] =
                (struct CMUnitTest){strdup(variant_name(options)), every_game, NULL, NULL, options};
        }
    }
    return _cmocka_run_group_tests("scene", tests, count, NULL, NULL);
}
