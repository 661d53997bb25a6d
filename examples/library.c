/* A program that plays with the installed library. Build it and run it:
 *
 *     cc library.c $(pkg-config --cflags --libs nonet) -o library && ./library trix
 *
 * Two computer players of different levels play a game. Then a move is tried that is not legal. */
#include <nonet/nonet.h>
#include <stdio.h>

static int fail(const struct nonet_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(int argc, char **argv) {
    struct nonet_error error;
    struct nonet_variant *variant =
        nonet_variant_open(argc > 1 ? argv[1] : "quadrangle", NULL, &error);
    if (variant == NULL)
        return fail(&error);
    struct nonet_round *round = nonet_round_open(variant, NULL, &error);
    if (round == NULL)
        return fail(&error);

    int turn;
    while ((turn = nonet_round_turn(round)) != 0) {
        /* With a level and a seed, the same position always gets the same answer. */
        const struct nonet_thinking thinking = {.level = turn == 1 ? 5 : 2, .seed = 1};
        uint32_t move;
        if (nonet_round_choose(round, &thinking, &move, &error) != NONET_OK)
            return fail(&error);
        printf("%d. player %d: %s\n", nonet_round_ply(round) + 1, turn,
               nonet_round_move_text(round, move, &error));
        if (nonet_round_play(round, move, &error) != NONET_OK)
            return fail(&error);
    }
    printf("%s", nonet_round_draw(round, NONET_VIEW_ALL, NONET_PICTURE_TEXT, &error));
    for (int player = 1; player <= nonet_round_players(round); player++)
        if (nonet_round_winners(round) >> (player - 1) & 1)
            printf("player %d wins\n", player);
    printf("because: %s\n", nonet_round_reason(round, &error));

    nonet_round_undo(round);
    if (nonet_round_play_text(round, "e9", &error) != NONET_OK)
        printf("e9 is refused: %s\n", error.message);
    nonet_round_close(round);
    nonet_variant_close(variant);
    return 0;
}
