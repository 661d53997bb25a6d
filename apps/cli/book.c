/* nonet book: makes a book of openings (search/book.h, docs/books.md) by long searches.
 *
 * Position by position: the one that good play is most likely to lead to comes next. It is searched
 * for its most promising moves, then the position after each of them is searched for what the move
 * is worth. A line of the book depends only on the lines before it and on how searches are limited,
 * not on threads. So a file that was cut short is continued as if it had not been, and a finished
 * one can be made longer. */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "host/thinker.h"
#include "progress.h"
#include "search/book.h"
#include "search/player.h"
#include "solve/workers.h"

enum { WIDTH = 8 }; /* moves of a position */

/* What a thread needs to search. */
struct searcher {
    struct maker *maker;
    struct nonet_session *session;
    struct nonet_player *player;
    struct nonet_report *report;
};

struct maker {
    struct nonet_options options;
    uint64_t positions, nodes, seed, threads;
    struct nonet_book *book;
    struct nonet_text text; /* of the book so far */
    struct searcher searchers[THINKER_MAX_THREADS];

    /* The position whose line is being made, and its moves. */
    struct nonet_state state;
    struct nonet_book_move moves[WIDTH];
    int count;
    atomic_int next; /* the move that no thread has taken yet */
    atomic_bool failed;
};

static int no_memory(void) {
    return cli_fail(CLI_FAILED, "there is no memory left");
}

/* ---- Searching ---- */

/* Searches a position; the report is the searcher's. */
static bool search(struct searcher *searcher, const struct nonet_state *state) {
    const struct maker *maker = searcher->maker;
    const struct nonet_player_limits limits = {
        .level = NONET_SEARCH_LEVELS, .nodes = maker->nodes, .searches = 1, .seed = maker->seed};
    char position[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(position);
    struct nonet_message why;
    maker->options.game->write(&maker->options, state, &text);
    if (!nonet_session_read(searcher->session, position, &why) ||
        !nonet_player_begin(searcher->player, searcher->session, &limits))
        return false;
    while (!nonet_player_advance(searcher->player, 0, UINT64_MAX))
        ;
    nonet_player_report(searcher->player, searcher->report);
    nonet_player_end(searcher->player);
    return true;
}

/* What a score is worth to all players. The search may know what each of them can expect; if it
 * does not, the others share what the player leaves to them. */
static void share_worth(const struct nonet_options *options, int player,
                        const struct nonet_opinion *opinion, int16_t worth[NONET_MAX_PLAYERS]) {
    int sum = 0, others = options->players - 1;
    for (int i = 0; i < options->players; i++)
        sum += opinion->chances[i];
    for (int i = 0; i < options->players; i++) {
        if (sum > 0)
            worth[i] = (int16_t)(2 * opinion->chances[i] - NONET_SCORE_WON);
        else if (i + 1 == player)
            worth[i] = opinion->score;
        else
            worth[i] = (int16_t)((NONET_SCORE_WON - opinion->score) / others - NONET_SCORE_WON);
    }
}

static bool judge_move(struct searcher *searcher, struct nonet_book_move *move) {
    const struct maker *maker = searcher->maker;
    const struct nonet_options *options = &maker->options;
    struct nonet_state played = maker->state, after;
    options->game->play(options, &played, NULL, move->move);
    nonet_canonical(options, &played, &after);
    int player = options->game->turn(options, &after);
    if (player != 0) {
        if (!search(searcher, &after))
            return false;
        share_worth(options, player, &searcher->report->moves[0], move->worth);
        return true;
    }
    struct nonet_result result = {0};
    options->game->result(options, &after, &result);
    for (int i = 0; i < options->players; i++)
        move->worth[i] = (int16_t)nonet_score_of_share(nonet_result_share(options, &result, i + 1));
    return true;
}

static void *judge_moves(void *argument) {
    struct searcher *searcher = argument;
    struct maker *maker = searcher->maker;
    for (int i; (i = atomic_fetch_add(&maker->next, 1)) < maker->count;)
        if (!judge_move(searcher, &maker->moves[i]))
            atomic_store(&maker->failed, true);
    return NULL;
}

/* Finds the most promising moves of the position, and what they are worth. */
static bool judge_position(struct maker *maker) {
    nonet_move moves[WIDTH];
    struct searcher *first = &maker->searchers[0];
    if (!search(first, &maker->state))
        return false;
    maker->count = nonet_book_choose(&maker->options, &maker->state, first->report, WIDTH, moves);
    for (int i = 0; i < maker->count; i++)
        maker->moves[i] = (struct nonet_book_move){.move = moves[i]};
    atomic_store(&maker->next, 0);
    workers_run(first, sizeof *first, (int)maker->threads, judge_moves);
    return !atomic_load(&maker->failed);
}

/* ---- The file ---- */

static int refuse_file(const char *path, const char *line) {
    return cli_fail(CLI_FAILED, "%s is not a book that was made so: it begins with \"%s\"",
                    cli_printable(path), nonet_quote(line).text);
}

static int refuse_line(const char *path, const struct nonet_message *why) {
    char bytes[256];
    struct nonet_text reason = NONET_TEXT_IN(bytes);
    nonet_message_write(why, host_language, &reason);
    return cli_fail(CLI_FAILED, "%s: %s", cli_printable(path), bytes);
}

/* Whether the file has nothing but the beginning of a first line. */
static bool is_hardly_begun(FILE *file, const char *begun, const char *line) {
    return fseek(file, 0, SEEK_END) == 0 && ftell(file) == (long)strlen(line) &&
           strncmp(begun, line, strlen(line)) == 0;
}

/* Takes over the lines that the file has, as far as they are whole, and leaves the file after them.
 */
static int continue_book(struct maker *maker, FILE *file, const char *path, const char *begun) {
    struct nonet_message why;
    char line[NONET_BOOK_LINE] = "";
    struct nonet_text *text = &maker->text;
    while (fgets(line, sizeof line, file) != NULL && strchr(line, '\n') != NULL &&
           strncmp(line, "end ", 4) != 0) {
        if (text->length == 0 && strcmp(line, begun) != 0)
            return refuse_file(path, line);
        if (text->length > 0 && !nonet_book_add(maker->book, line, &why))
            return refuse_line(path, &why);
        nonet_text_add(text, line);
    }
    if (text->length == 0 && !is_hardly_begun(file, begun, line))
        return refuse_file(path, line);
    if (text->cut || fseek(file, (long)text->length, SEEK_SET) != 0 ||
        ftruncate(fileno(file), (off_t)text->length) != 0)
        return cli_fail(CLI_FAILED, "%s: %s", cli_printable(path), host_error(errno));
    if (text->length > 0)
        return CLI_DONE;
    nonet_text_add(text, begun);
    return cli_output_to(file, begun);
}

static int add_line(struct maker *maker, FILE *file) {
    char bytes[NONET_BOOK_LINE];
    struct nonet_text line = NONET_TEXT_IN(bytes);
    struct nonet_message why;
    if (!judge_position(maker))
        return no_memory();
    nonet_book_write(&maker->options, &maker->state, maker->moves, maker->count, &line);
    if (!nonet_book_add(maker->book, bytes, &why))
        return cli_fail_because(CLI_FAILED, "", &why);
    nonet_text_add(&maker->text, bytes);
    if (maker->text.cut)
        return cli_fail(CLI_FAILED, "the book is too large");
    return cli_output_to(file, bytes);
}

static int make(struct maker *maker, FILE *file) {
    struct cli_progress progress;
    cli_progress_begin(&progress);
    int code = CLI_DONE, before = nonet_book_count(maker->book);
    int all = (int)maker->positions - before;
    for (int done = 0; done < all && code == CLI_DONE; done++) {
        cli_progress_positions(&progress, done, all);
        if (!nonet_book_next(maker->book, &maker->state))
            break;
        code = add_line(maker, file);
    }
    cli_progress_end(&progress);
    size_t end = maker->text.length;
    nonet_book_end(&maker->text);
    return code == CLI_DONE ? cli_output_to(file, maker->text.bytes + end) : code;
}

static int work(struct maker *maker, const char *path) {
    char how[128], begun[512];
    struct nonet_text made = NONET_TEXT_IN(how), first = NONET_TEXT_IN(begun);
    nonet_text_format(&made, "--nodes %" PRIu64 " --seed %" PRIu64 " nonet %s", maker->nodes,
                      maker->seed, NONET_VERSION);
    nonet_book_begin(&maker->options, how, &first);
    FILE *file = fopen(path, "r+");
    if (file == NULL && errno == ENOENT)
        file = fopen(path, "w+x");
    if (file == NULL)
        return cli_fail(CLI_FAILED, "%s: %s", cli_printable(path), host_error(errno));
    int code = continue_book(maker, file, path, begun);
    if (code == CLI_DONE)
        code = make(maker, file);
    if (fclose(file) != 0 && code == CLI_DONE)
        code = cli_fail(CLI_FAILED, "%s: %s", cli_printable(path), host_error(errno));
    return code;
}

/* ---- The command ---- */

static bool open_maker(struct maker *maker) {
    char *bytes = malloc(NONET_BOOK_SIZE);
    maker->book = nonet_book_new(&maker->options);
    if (bytes == NULL || maker->book == NULL) {
        free(bytes);
        return false;
    }
    maker->text = nonet_text_in(bytes, NONET_BOOK_SIZE);
    for (uint64_t i = 0; i < maker->threads; i++) {
        struct searcher *searcher = &maker->searchers[i];
        *searcher = (struct searcher){.maker = maker,
                                      .session = nonet_session_new(&maker->options),
                                      .player = nonet_player_open(),
                                      .report = malloc(sizeof *searcher->report)};
        if (searcher->session == NULL || searcher->player == NULL || searcher->report == NULL)
            return false;
    }
    return true;
}

static void close_maker(struct maker *maker) {
    for (uint64_t i = 0; i < maker->threads; i++) {
        if (maker->searchers[i].session != NULL)
            nonet_session_free(maker->searchers[i].session);
        nonet_player_close(maker->searchers[i].player);
        free(maker->searchers[i].report);
    }
    nonet_book_free(maker->book);
    free(maker->text.bytes);
}

static int run(int argc, char **argv) {
    static struct maker maker = {.positions = 100, .nodes = 200000};
    const char *positions = NULL, *nodes = NULL, *seed = NULL, *output = NULL, *threads = NULL;
    const struct cli_flag flags[] = {{"--positions", &positions, NULL}, {"--nodes", &nodes, NULL},
                                     {"--seed", &seed, NULL},           {"--output", &output, NULL},
                                     {"--threads", &threads, NULL},     {0}};
    struct cli_arguments arguments;
    int code = cli_parse(argc, argv, flags, &arguments);
    if (code != CLI_DONE)
        return code;
    if (arguments.game == NULL || output == NULL || arguments.word_count > 0 ||
        arguments.from != NULL)
        return cli_fail(CLI_USAGE, "name a game and --output FILE; see --help");
    maker.options = arguments.options;
    if (!nonet_book_suits(&maker.options))
        return cli_fail(CLI_USAGE, "a book is for games without the swap rule in which all see "
                                   "everything, moves can be listed, and nothing is dealt");
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    maker.threads = processors < 1                     ? 1
                    : processors > THINKER_MAX_THREADS ? THINKER_MAX_THREADS
                                                       : (uint64_t)processors;
    if ((code = cli_number_flag("--positions", positions, 1, NONET_BOOK_LINES, &maker.positions)) !=
            CLI_DONE ||
        (code = cli_number_flag("--nodes", nodes, 1, INT64_MAX, &maker.nodes)) != CLI_DONE ||
        (code = cli_number_flag("--seed", seed, 0, INT64_MAX, &maker.seed)) != CLI_DONE ||
        (code = cli_number_flag("--threads", threads, 1, THINKER_MAX_THREADS, &maker.threads)) !=
            CLI_DONE)
        return code;
    code = open_maker(&maker) ? work(&maker, output) : no_memory();
    close_maker(&maker);
    return code;
}

const struct cli_command cli_book = {
    .name = "book",
    .usage = "GAME [-o key=value]… --output FILE [flags]",
    .brief = "make a book of openings, from which level 10 plays",
    .help =
        "Writes a book by long searches. A file that has some of its positions already is\n"
        "continued.\n\n"
        "  -o key=value   set an option of the game; nonet games lists them\n"
        "  --output FILE  where the book goes\n"
        "  --positions N  until the book has N positions; by default 100\n"
        "  --nodes N      look at N positions for each score; by default 200000\n"
        "  --seed N       fixes all random choices; by default 0\n"
        "  --threads T    search on T threads; by default, one for each processor. The book is\n"
        "                 the same\n",
    .run = run,
};
