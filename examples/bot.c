/* A small player of Quadrangle, as a start for a bot of your own. Try it:
 *
 *     cc -O2 -o bot examples/bot.c && nonet match quadrangle cmd:./bot level:3
 *
 * It speaks the Universal Game Interface (docs/ugi.md): lines of text come in, lines of text go
 * out. A bot has three things to do, and this file has a part for each: know the rules, choose a
 * move, and hold the conversation. It wins where it can, prevents the other player's win where it
 * must, and otherwise places a piece anywhere. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- The rules: players 0 and 1 place pieces on a 4x4 board; the first to own the corners of a
 * rectangle wins. A set of cells is a number with a bit for each: a1 is bit 0, d4 is bit 15. ----
 */

enum { CELLS = 16, FULL = 0xffff };
static int owned[2], turn, winning[64], winning_count; /* winning: sets of four corners */

/* The square of the distance between two cells. */
static int distance(int a, int b) {
    int x = a % 4 - b % 4, y = a / 4 - b / 4;
    return x * x + y * y;
}

/* The middle of two cells, as a number that is different for each point. */
static int middle(int a, int b) {
    return (a % 4 + b % 4) + 8 * (a / 4 + b / 4);
}

/* A rectangle is two diagonals, a-b and c-d, with the same middle and the same length. */
static void list_rectangles(bool only_upright) {
    winning_count = 0;
    for (int a = 0; a < CELLS; a++)
        for (int b = a + 1; b < CELLS; b++)
            for (int c = a + 1; c < CELLS; c++)
                for (int d = c + 1; d < CELLS; d++) {
                    bool upright = c % 4 == a % 4 || c / 4 == a / 4; /* a-c is a side */
                    if (c != b && d != b && middle(a, b) == middle(c, d) &&
                        distance(a, b) == distance(c, d) && (upright || !only_upright))
                        winning[winning_count++] = 1 << a | 1 << b | 1 << c | 1 << d;
                }
}

static bool has_rectangle(int cells) {
    for (int i = 0; i < winning_count; i++)
        if ((cells & winning[i]) == winning[i])
            return true;
    return false;
}

static const char *result(void) {
    return has_rectangle(owned[0])         ? "p1win"
           : has_rectangle(owned[1])       ? "p2win"
           : (owned[0] | owned[1]) == FULL ? "draw"
                                           : "none";
}

/* ---- The choice: this is where your ideas go. ---- */

static int choose(void) {
    int empty[CELLS], count = 0, taken = owned[0] | owned[1];
    for (int cell = 0; cell < CELLS; cell++)
        if (!(taken >> cell & 1))
            empty[count++] = cell;
    for (int other = 0; other < 2; other++) /* first win, then prevent the other's win */
        for (int i = 0; i < count; i++)
            if (has_rectangle(owned[other ? 1 - turn : turn] | 1 << empty[i]))
                return empty[i];
    return count > 0 ? empty[rand() % count] : 0;
}

/* ---- The conversation. ---- */

static void play(const char *move) {
    if (move[0] < 'a' || move[0] > 'd' || move[1] < '1' || move[1] > '4')
        return;
    owned[turn] |= 1 << (4 * (move[1] - '1') + move[0] - 'a');
    turn = 1 - turn;
}

/* The board from its top rank, A and B for the pieces: "..../.B../.A../....". */
static void read_board(const char *board) {
    for (int rank = 3, file = 0; *board != '\0' && rank >= 0; board++) {
        if ((*board == 'A' || *board == 'B') && file < 4)
            owned[*board - 'A'] |= 1 << (4 * rank + file);
        rank -= *board == '/';
        file = *board == '/' ? 0 : file + 1;
    }
}

/* The next word of the command, or an empty one. */
static const char *next_word(void) {
    const char *word = strtok(NULL, " \r\n");
    return word != NULL ? word : "";
}

/* position startpos [moves M…], position fen BOARD TURN [moves M…] */
static void set_position(void) {
    owned[0] = owned[1] = turn = 0;
    if (strcmp(next_word(), "fen") == 0) {
        read_board(next_word());
        turn = *next_word() == '2';
    }
    next_word(); /* "moves" */
    for (const char *move = next_word(); *move != '\0'; move = next_word())
        play(move);
}

static void answer_query(void) {
    const char *word = next_word();
    if (strcmp(word, "gameover") == 0)
        puts(strcmp(result(), "none") == 0 ? "response false" : "response true");
    else if (strcmp(word, "p1turn") == 0)
        puts(turn == 0 ? "response true" : "response false");
    else if (strcmp(word, "result") == 0)
        printf("response %s\n", result());
}

int main(void) {
    char line[4096];
    srand((unsigned)time(NULL));
    list_rectangles(false);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strstr(line, "setoption name rectangles") != NULL) /* others do not concern us */
            list_rectangles(strstr(line, "value upright") != NULL);
        const char *command = strtok(line, " \r\n");
        if (command == NULL)
            continue;
        if (strcmp(command, "ugi") == 0) { /* who are you? */
            puts("id name Example bot in C\nid author the Nonet maintainers");
            puts("option name rectangles type combo default any var any var upright\nugiok");
        } else if (strcmp(command, "isready") == 0) {
            puts("readyok");
        } else if (strcmp(command, "position") == 0) { /* where the game stands */
            set_position();
        } else if (strcmp(command, "go") == 0) { /* your move; we need no clock */
            int cell = choose();
            printf("bestmove %c%c\n", 'a' + cell % 4, '1' + cell / 4);
        } else if (strcmp(command, "query") == 0) {
            answer_query();
        } else if (strcmp(command, "quit") == 0) {
            return 0;
        }
        fflush(stdout); /* without it, the other program would wait for ever */
    }
}
