#include "book.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"

enum {
    /* A ply further from the start counts as much as a move that is so much worse. */
    PLY = 20,
    UNREACHED = -1,
    END = 21, /* bytes of the last line: "end ", a hash, the end of the line */
};

enum { NO_BOOK, OTHER_VERSION, OTHER_GAME, DAMAGED, BAD_LINE, TOO_LARGE, NO_MEMORY };
static const struct nonet_phrase phrases[] = {
    [NO_BOOK] = {"book.no-book", "this is not a book of openings"},
    [OTHER_VERSION] = {"book.other-version",
                       "the book has format version {0}, and this program reads version {1}"},
    [OTHER_GAME] = {"book.other-game", "the book is for {0}, not for {1}"},
    [DAMAGED] = {"book.damaged", "the book is damaged: its checksum is not that of its text"},
    [BAD_LINE] = {"book.bad-line",
                  "line {0} of the book is not a position with legal moves and their scores"},
    [TOO_LARGE] = {"book.too-large", "the book is too large"},
    [NO_MEMORY] = {"book.no-memory", "there is not enough memory for the book"},
};

struct line;

struct option {
    struct nonet_book_move searched;
    struct line *after; /* the line of the position after it; null if there is none */
};

/* A position of the book. */
struct line {
    int depth; /* plies from the first line, along lines; or UNREACHED */
    int cost;  /* of the best way from there: what its moves lose, and PLY for each */
    int mover, count;
    struct option options[NONET_BOOK_MOVES];
    int16_t worth[NONET_MAX_PLAYERS]; /* of its best move */
    alignas(NONET_STATE_ALIGN) unsigned char state[];
};

struct nonet_book {
    const struct nonet_options *options;
    int count, reached;
    struct line **lines;  /* in the order of the text */
    struct line **sorted; /* by their states */
    struct line **queue;  /* the `reached` ones that can be reached from the first, by depth */
};

/* ---- Positions ---- */

bool nonet_book_suits(const struct nonet_options *options) {
    const struct nonet_game *game = options->game;
    return nonet_is_open(options) && game->deal == NULL && game->inner == NULL;
}

static void position_after(const struct nonet_options *options, const void *state, nonet_move move,
                           struct nonet_state *after) {
    struct nonet_state played;
    memcpy(&played, state, options->game->state_size);
    options->game->play(options, &played, NULL, move);
    nonet_canonical(options, &played, after);
}

/* The index of the first of these states that equals the one at `index`. */
static int first_equal(const struct nonet_options *options, const struct nonet_state *states,
                       int index) {
    int first = 0;
    while (memcmp(&states[first], &states[index], options->game->state_size) != 0)
        first++;
    return first;
}

/* Where a state is among the sorted lines, or would be. */
static int place_of(const struct nonet_book *book, const void *state, bool *found) {
    int low = 0, high = book->count;
    *found = false;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = memcmp(book->sorted[middle]->state, state, book->options->game->state_size);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct line *find(const struct nonet_book *book, const struct nonet_state *canonical) {
    bool found;
    int at = place_of(book, canonical, &found);
    return found ? book->sorted[at] : NULL;
}

/* ---- What moves are worth ---- */

static const int16_t *worth_of(const struct option *option) {
    return option->after != NULL ? option->after->worth : option->searched.worth;
}

/* To the player who makes it. */
static int score_of(const struct line *line, const struct option *option) {
    return worth_of(option)[line->mover - 1];
}

static const struct option *best_of(const struct line *line) {
    const struct option *best = &line->options[0];
    for (int i = 1; i < line->count; i++)
        if (score_of(line, &line->options[i]) > score_of(line, best))
            best = &line->options[i];
    return best;
}

static const struct option *worst_of(const struct line *line) {
    const struct option *worst = &line->options[0];
    for (int i = 1; i < line->count; i++)
        if (score_of(line, &line->options[i]) < score_of(line, worst))
            worst = &line->options[i];
    return worst;
}

/* Finds out which lines follow which. A line may be reached in several ways, and where positions
 * come back, even from itself; only ways that are the shortest count, so there are no circles. */
static void connect(struct nonet_book *book) {
    for (int i = 0; i < book->count; i++)
        book->lines[i]->depth = UNREACHED;
    book->lines[0]->depth = 0;
    book->queue[0] = book->lines[0];
    book->reached = 1;
    for (int i = 0; i < book->reached; i++) {
        struct line *line = book->queue[i];
        for (int k = 0; k < line->count; k++) {
            struct nonet_state state;
            position_after(book->options, line->state, line->options[k].searched.move, &state);
            struct line *after = find(book, &state);
            if (after != NULL && after->depth == UNREACHED) {
                after->depth = line->depth + 1;
                book->queue[book->reached++] = after;
            }
            bool follows = after != NULL && after->depth == line->depth + 1;
            line->options[k].after = follows ? after : NULL;
        }
    }
}

static void settle(struct nonet_book *book) {
    connect(book);
    for (int i = book->reached - 1; i >= 0; i--) {
        struct line *line = book->queue[i];
        memcpy(line->worth, worth_of(best_of(line)), sizeof line->worth);
    }
}

/* ---- Reading ---- */

static bool scan_score(const char **cursor, int16_t *score) {
    uint32_t number;
    bool minus = nonet_scan_word(cursor, "-");
    if (!nonet_scan_number(cursor, NONET_SCORE_WON, &number))
        return false;
    *score = (int16_t)(minus ? -(int)number : (int)number);
    return true;
}

/* With two players there is one score, for the player who makes the move. */
static bool scan_worth(const struct nonet_options *options, int mover, const char **cursor,
                       int16_t worth[NONET_MAX_PLAYERS]) {
    if (options->players == 2) {
        if (!scan_score(cursor, &worth[mover - 1]))
            return false;
        worth[2 - mover] = (int16_t)-worth[mover - 1];
        return true;
    }
    for (int i = 0; i < options->players; i++)
        if ((i > 0 && !nonet_scan_word(cursor, "/")) || !scan_score(cursor, &worth[i]))
            return false;
    return true;
}

/* " MOVE SCORE" */
static bool scan_move(const struct nonet_options *options, struct line *line, const char **cursor) {
    char text[NONET_MOVE_TEXT];
    struct nonet_message why;
    if (line->count == NONET_BOOK_MOVES || !nonet_scan_word(cursor, " "))
        return false;
    struct nonet_book_move *move = &line->options[line->count].searched;
    size_t length = strcspn(*cursor, " \n");
    if (length >= sizeof text)
        return false;
    memcpy(text, *cursor, length);
    text[length] = '\0';
    *cursor += length;
    line->count++;
    return options->game->parse(options, text, &move->move, &why) &&
           options->game->why(options, line->state, move->move, &why) &&
           nonet_scan_word(cursor, " ") && scan_worth(options, line->mover, cursor, move->worth);
}

/* Whether two of the moves lead to the same position: then they count as one, and only one of them
 * can be found again. */
static bool names_images(const struct nonet_options *options, const struct line *line) {
    struct nonet_state after[NONET_BOOK_MOVES];
    for (int i = 0; i < line->count; i++) {
        position_after(options, line->state, line->options[i].searched.move, &after[i]);
        if (first_equal(options, after, i) < i)
            return true;
    }
    return false;
}

/* "POSITION | MOVE SCORE MOVE SCORE …" */
static bool scan_line(const struct nonet_options *options, const char *text, struct line *line) {
    char position[NONET_BOOK_LINE];
    struct nonet_message why;
    struct nonet_state state, canonical;
    size_t length = strcspn(text, "\n");
    const char *bar = length < sizeof position ? memchr(text, '|', length) : NULL;
    if (bar == NULL || bar == text || bar[-1] != ' ')
        return false;
    length = (size_t)(bar - text) - 1;
    memcpy(position, text, length);
    position[length] = '\0';
    if (!options->game->read(options, position, &state, NULL, &why))
        return false;
    nonet_canonical(options, &state, &canonical);
    if (memcmp(&canonical, &state, options->game->state_size) != 0)
        return false;
    memcpy(line->state, &state, options->game->state_size);
    line->mover = options->game->turn(options, &state);
    const char *cursor = bar + 1;
    while (line->mover != 0 && *cursor != '\n' && *cursor != '\0')
        if (!scan_move(options, line, &cursor))
            return false;
    return line->count > 0 && !names_images(options, line);
}

static struct line *new_line(const struct nonet_options *options) {
    size_t size = sizeof(struct line) + options->game->state_size;
    size = (size + alignof(struct line) - 1) / alignof(struct line) * alignof(struct line);
    struct line *line = aligned_alloc(alignof(struct line), size);
    if (line != NULL)
        memset(line, 0, size);
    return line;
}

/* The first line is about the first position, and no position has two. */
static bool fits(const struct nonet_book *book, const struct line *line, int *place) {
    struct nonet_state start, canonical;
    bool found;
    *place = place_of(book, line->state, &found);
    if (book->count > 0)
        return !found;
    book->options->game->start(book->options, &start, NULL);
    nonet_canonical(book->options, &start, &canonical);
    return memcmp(&canonical, line->state, book->options->game->state_size) == 0;
}

bool nonet_book_add(struct nonet_book *book, const char *text, struct nonet_message *why) {
    if (book->count == NONET_BOOK_LINES) {
        *why = nonet_say(&phrases[TOO_LARGE]);
        return false;
    }
    struct line *line = new_line(book->options);
    if (line == NULL) {
        *why = nonet_say(&phrases[NO_MEMORY]);
        return false;
    }
    int place;
    if (!scan_line(book->options, text, line) || !fits(book, line, &place)) {
        free(line);
        *why = nonet_say(&phrases[BAD_LINE], nonet_number(book->count + 2));
        return false;
    }
    memmove(&book->sorted[place + 1], &book->sorted[place],
            (size_t)(book->count - place) * sizeof(struct line *));
    book->sorted[place] = line;
    book->lines[book->count++] = line;
    return true;
}

int nonet_book_count(const struct nonet_book *book) {
    return book->count;
}

struct nonet_book *nonet_book_new(const struct nonet_options *options) {
    struct nonet_book *book = calloc(1, sizeof *book);
    if (book == NULL)
        return NULL;
    *book = (struct nonet_book){
        .options = options,
        .lines = calloc(NONET_BOOK_LINES, sizeof(struct line *)),
        .sorted = calloc(NONET_BOOK_LINES, sizeof(struct line *)),
        .queue = calloc(NONET_BOOK_LINES, sizeof(struct line *)),
    };
    if (book->lines == NULL || book->sorted == NULL || book->queue == NULL) {
        nonet_book_free(book);
        return NULL;
    }
    return book;
}

void nonet_book_free(struct nonet_book *book) {
    if (book == NULL)
        return;
    for (int i = 0; i < book->count; i++)
        free(book->lines[i]);
    free(book->lines);
    free(book->sorted);
    free(book->queue);
    free(book);
}

/* ---- The whole text ---- */

static void write_hash(const char *bytes, size_t size, char end[END + 1]) {
    snprintf(end, END + 1, "end %016" PRIx64 "\n", nonet_hash(bytes, size));
}

void nonet_book_begin(const struct nonet_options *options, const char *how,
                      struct nonet_text *out) {
    nonet_text_format(out, "nonet-book %d ", NONET_BOOK_VERSION);
    nonet_options_write(options, out);
    nonet_text_format(out, " %s\n", how);
}

void nonet_book_end(struct nonet_text *text) {
    char end[END + 1];
    write_hash(text->bytes, text->length, end);
    nonet_text_add(text, end);
}

/* The first line, which the cursor is moved past. */
static bool scan_first(const struct nonet_options *options, const char **cursor,
                       struct nonet_message *why) {
    char own[256], named[256];
    struct nonet_text game = NONET_TEXT_IN(own), name = NONET_TEXT_IN(named);
    uint32_t version;
    if (!nonet_scan_word(cursor, "nonet-book ") ||
        !nonet_scan_number(cursor, INT32_MAX, &version) || !nonet_scan_word(cursor, " ")) {
        *why = nonet_say(&phrases[NO_BOOK]);
        return false;
    }
    if (version != NONET_BOOK_VERSION) {
        *why = nonet_say(&phrases[OTHER_VERSION], nonet_number((int32_t)version),
                         nonet_number(NONET_BOOK_VERSION));
        return false;
    }
    nonet_options_write(options, &game);
    nonet_text_bytes(&name, *cursor, strcspn(*cursor, " \n"));
    if (strcmp(own, named) != 0) {
        *why = nonet_say(&phrases[OTHER_GAME], nonet_quote(named), nonet_quote(own));
        return false;
    }
    *cursor += strcspn(*cursor, "\n");
    *cursor += **cursor == '\n';
    return true;
}

struct nonet_book *nonet_book_read(const struct nonet_options *options, const char *text,
                                   struct nonet_message *why) {
    const char *cursor = text;
    char end[END + 1];
    size_t size = strlen(text);
    if (!scan_first(options, &cursor, why))
        return NULL;
    size_t length = size >= END ? size - END : 0;
    write_hash(text, length, end);
    if (strcmp(text + length, end) != 0) {
        *why = nonet_say(&phrases[DAMAGED]);
        return NULL;
    }
    struct nonet_book *book = nonet_book_new(options);
    bool good = book != NULL;
    if (!good)
        *why = nonet_say(&phrases[NO_MEMORY]);
    for (; good && cursor < text + length; cursor += strcspn(cursor, "\n") + 1)
        good = nonet_book_add(book, cursor, why);
    if (!good) {
        nonet_book_free(book);
        return NULL;
    }
    if (book->count > 0)
        settle(book);
    return book;
}

void nonet_book_write(const struct nonet_options *options, const void *state,
                      const struct nonet_book_move *moves, int count, struct nonet_text *out) {
    int mover = options->game->turn(options, state);
    options->game->write(options, state, out);
    nonet_text_add(out, " |");
    for (int i = 0; i < count; i++) {
        nonet_text_char(out, ' ');
        options->game->print(options, moves[i].move, out);
        if (options->players == 2)
            nonet_text_format(out, " %d", moves[i].worth[mover - 1]);
        else
            for (int player = 0; player < options->players; player++)
                nonet_text_format(out, "%c%d", player == 0 ? ' ' : '/', moves[i].worth[player]);
    }
    nonet_text_char(out, '\n');
}

/* ---- Playing ---- */

/* Which move of the line leads where this one does; null if none does. */
static const struct option *option_to(const struct line *line, const struct nonet_state *after,
                                      const struct nonet_state *wanted, size_t size) {
    for (int i = 0; i < line->count; i++)
        if (memcmp(&after[i], wanted, size) == 0)
            return &line->options[i];
    return NULL;
}

/* The legal moves of a position, and for each the move of the line that it is, or an image of.
 * Returns how many there are. */
static int match_moves(const struct nonet_book *book, const struct line *line, const void *state,
                       nonet_move *moves, const struct option **which) {
    const struct nonet_options *options = book->options;
    struct nonet_state after[NONET_BOOK_MOVES], reached;
    for (int i = 0; i < line->count; i++)
        position_after(options, line->state, line->options[i].searched.move, &after[i]);
    int count = options->game->moves(options, state, moves);
    for (int i = 0; i < count; i++) {
        position_after(options, state, moves[i], &reached);
        which[i] = option_to(line, after, &reached, options->game->state_size);
    }
    return count;
}

/* One of the moves of the line that are about as good as the best. */
static const struct option *pick(const struct line *line, uint64_t lot) {
    const struct option *good[NONET_BOOK_MOVES];
    int least = score_of(line, best_of(line)) - NONET_BOOK_MARGIN;
    uint64_t count = 0;
    for (int i = 0; i < line->count; i++)
        if (score_of(line, &line->options[i]) >= least)
            good[count++] = &line->options[i];
    return good[lot % count];
}

/* The index of one of its images. */
static int pick_image(const struct option *picked, const struct option **which, int count,
                      uint64_t lot) {
    uint64_t images = 0;
    for (int i = 0; i < count; i++)
        images += which[i] == picked;
    assert(images > 0); /* it is legal in the canonical position, so an image of it is legal here */
    int at = 0;
    for (uint64_t left = lot % images; which[at] != picked || left-- > 0;)
        at++;
    return at;
}

static void report_line(const struct nonet_book *book, const void *state,
                        struct nonet_report *report) {
    const struct nonet_options *options = book->options;
    nonet_move moves[NONET_MAX_MOVES], move = report->moves[0].move;
    const struct option *which[NONET_MAX_MOVES];
    struct nonet_state at, canonical;
    memcpy(&at, state, options->game->state_size);
    for (report->line_length = 0; report->line_length < NONET_SEARCH_LINE;) {
        report->line[report->line_length++] = move;
        options->game->play(options, &at, NULL, move);
        nonet_canonical(options, &at, &canonical);
        const struct line *line = find(book, &canonical);
        if (line == NULL)
            return;
        int count = match_moves(book, line, &at, moves, which);
        move = moves[pick_image(best_of(line), which, count, 0)];
    }
}

static struct nonet_opinion opinion_of(const struct nonet_options *options, const struct line *line,
                                       const struct option *option, nonet_move move) {
    struct nonet_opinion opinion = {.move = move, .known = NONET_ESTIMATED};
    opinion.score = (int16_t)score_of(line, option);
    for (int i = 0; i < options->players && options->players > 2; i++)
        opinion.chances[i] = (int16_t)((worth_of(option)[i] + NONET_SCORE_WON) / 2);
    return opinion;
}

/* Adds the moves that the line names, or the others, but not the chosen one; best first. A move
 * that is not named is no better than the worst that is. Returns how many it added. */
static int report_moves(const struct nonet_book *book, const struct line *line, bool named,
                        int chosen, const nonet_move *moves, const struct option **which, int count,
                        struct nonet_report *report) {
    int before = report->count;
    for (int i = 0; i < count; i++) {
        if (i == chosen || (which[i] != NULL) != named)
            continue;
        const struct option *option = named ? which[i] : worst_of(line);
        struct nonet_opinion opinion = opinion_of(book->options, line, option, moves[i]);
        int at = report->count++;
        for (; at > before && report->moves[at - 1].score < opinion.score; at--)
            report->moves[at] = report->moves[at - 1];
        report->moves[at] = opinion;
    }
    return report->count - before;
}

int nonet_book_report(const struct nonet_book *book, const void *state, uint64_t seed,
                      struct nonet_report *report) {
    const struct nonet_options *options = book->options;
    struct nonet_state canonical;
    nonet_canonical(options, state, &canonical);
    const struct line *line = find(book, &canonical);
    if (line == NULL)
        return 0;
    nonet_move moves[NONET_MAX_MOVES];
    const struct option *which[NONET_MAX_MOVES];
    int count = match_moves(book, line, state, moves, which);
    const uint64_t ticket[] = {seed, nonet_hash(state, options->game->state_size)};
    uint64_t lot = nonet_hash_words(ticket, sizeof ticket);
    int chosen = pick_image(pick(line, lot & UINT32_MAX), which, count, lot >> 32);
    *report = (struct nonet_report){.by = "book", .count = 1};
    report->moves[0] = opinion_of(options, line, which[chosen], moves[chosen]);
    int named = 1 + report_moves(book, line, true, chosen, moves, which, count, report);
    report_moves(book, line, false, chosen, moves, which, count, report);
    report_line(book, state, report);
    return named;
}

/* ---- Making ---- */

/* The least cost at which each line is reached. */
static void count_costs(struct nonet_book *book) {
    for (int i = 1; i < book->reached; i++)
        book->queue[i]->cost = INT32_MAX;
    for (int i = 0; i < book->reached; i++) {
        const struct line *line = book->queue[i];
        int best = score_of(line, best_of(line));
        for (int k = 0; k < line->count; k++) {
            struct line *after = line->options[k].after;
            int cost = line->cost + best - score_of(line, &line->options[k]) + PLY;
            if (after != NULL && cost < after->cost)
                after->cost = cost;
        }
    }
}

/* Whether a position needs a line: the game goes on there, and there is none. */
static bool is_open(const struct nonet_book *book, const struct nonet_state *state) {
    const struct nonet_options *options = book->options;
    return options->game->turn(options, state) != 0 && find(book, state) == NULL;
}

bool nonet_book_next(struct nonet_book *book, void *state) {
    const struct nonet_options *options = book->options;
    struct nonet_state after;
    if (book->count == 0) {
        options->game->start(options, &after, NULL);
        nonet_canonical(options, &after, state);
        return true;
    }
    settle(book);
    count_costs(book);
    int least = INT32_MAX;
    for (int i = 0; i < book->reached; i++) {
        const struct line *line = book->queue[i];
        int best = score_of(line, best_of(line));
        for (int k = 0; k < line->count; k++) {
            const struct option *option = &line->options[k];
            int cost = line->cost + best - score_of(line, option) + PLY;
            if (option->after != NULL || cost >= least)
                continue;
            position_after(options, line->state, option->searched.move, &after);
            if (!is_open(book, &after))
                continue;
            least = cost;
            memcpy(state, &after, options->game->state_size);
        }
    }
    return least < INT32_MAX;
}

int nonet_book_choose(const struct nonet_options *options, const void *state,
                      const struct nonet_report *report, int most, nonet_move *moves) {
    struct nonet_state after[NONET_BOOK_MOVES];
    int count = 0;
    for (int i = 0; i < report->count && count < most; i++) {
        position_after(options, state, report->moves[i].move, &after[count]);
        if (first_equal(options, after, count) == count)
            moves[count++] = report->moves[i].move;
    }
    return count;
}
