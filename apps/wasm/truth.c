/* The truth about a position: tables of exact values, of which the page brings the bytes, and the
 * judge of moves.
 *
 * A table is held in pages of TABLE_PAGE bytes. The page may bring all of them, or only those that
 * are missing: then a probe fails, and what it wanted is remembered. So one look at all moves tells
 * all that has to be fetched. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "page.h"
#include "rules/swap.h"
#include "study.h"
#include "study/describe.h"
#include "study/judge.h"
#include "table/format.h"

enum { TABLE_PAGE = 4096 };
static const uint64_t largest_table = (uint64_t)1 << 32;

/* ---- The table ---- */

static struct nonet_table *table;     /* null while there is none */
static struct nonet_table *with_swap; /* the same for games with the swap rule, once there is one */
static char table_name[NONET_TABLE_NAME_MAX + 1];
static uint64_t table_size;
static uint32_t page_count;
static unsigned char **pages; /* null: not here */
static bool *wanted;
static struct judge *judge; /* null before the first judging */
static bool judging;
static struct nonet_options judged;        /* the options of the position */
static char position[NONET_POSITION_TEXT]; /* its text; empty where something is hidden */

static void drop_judging(void) {
    judge_close(judge);
    judge = NULL;
    judging = false;
    for (int i = 0; i < REVIEWS; i++)
        review_end(i);
    bench_exact_end();
}

static void close_table(void) {
    nonet_table_close(with_swap);
    nonet_table_close(table);
    with_swap = table = NULL;
}

void EXPORT(study_table_end)(void) {
    drop_judging(); /* it may use the table */
    close_table();
    for (uint32_t i = 0; i < page_count; i++)
        free(pages[i]);
    free(pages);
    free(wanted);
    pages = NULL;
    wanted = NULL;
    page_count = 0;
}

/* The same table serves with and without the swap rule. */
static void write_table_name(struct nonet_text *out) {
    struct nonet_options without = nonet_swap_without(nonet_session_options(page_session()));
    nonet_options_write(&without, out);
}

/* What the table of the current game is called, such as "kolem:steps=8". */
bool EXPORT(study_table_name)(void) {
    if (page_session() == NULL)
        return page_no(PAGE_NO_GAME);
    struct nonet_text text = page_answer();
    write_table_name(&text);
    return page_answered(&text);
}

/* A table of this size, none of whose bytes are here yet. The table before it is dropped. */
bool EXPORT(study_table_begin)(uint64_t size) {
    study_table_end();
    if (size == 0 || size > largest_table)
        return page_no(PAGE_DAMAGED);
    uint32_t count = (uint32_t)((size + TABLE_PAGE - 1) / TABLE_PAGE);
    pages = calloc(count, sizeof *pages);
    wanted = calloc(count, sizeof *wanted);
    if (pages == NULL || wanted == NULL) {
        study_table_end();
        return page_no(PAGE_NO_MEMORY);
    }
    page_count = count;
    table_size = size;
    return true;
}

int EXPORT(study_table_page_size)(void) {
    return TABLE_PAGE;
}

/* Room for the bytes of a page, which are here from now on. Null if there is no memory. */
unsigned char *EXPORT(study_table_page)(uint32_t number) {
    if (number >= page_count)
        return NULL;
    if (pages[number] == NULL)
        pages[number] = malloc(TABLE_PAGE);
    return pages[number];
}

static bool fetch(void *unused, uint64_t offset, void *bytes, size_t size) {
    (void)unused;
    if (size == 0)
        return true;
    if (offset >= table_size || table_size - offset < size)
        return false;
    uint32_t first = (uint32_t)(offset / TABLE_PAGE);
    uint32_t last = (uint32_t)((offset + size - 1) / TABLE_PAGE);
    bool all = true;
    for (uint32_t i = first; i <= last; i++) {
        wanted[i] = pages[i] == NULL;
        all = all && !wanted[i];
    }
    if (!all)
        return false;
    unsigned char *to = bytes;
    while (size > 0) {
        size_t within = (size_t)(offset % TABLE_PAGE);
        size_t part = TABLE_PAGE - within < size ? TABLE_PAGE - within : size;
        memcpy(to, pages[offset / TABLE_PAGE] + within, part);
        to += part;
        offset += part;
        size -= part;
    }
    return true;
}

/* The pages that were wanted and are not here: the first and how many, of each run. */
bool EXPORT(study_table_missing)(void) {
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '[');
    for (uint32_t i = 0; i < page_count; i++) {
        uint32_t first = i;
        while (i < page_count && wanted[i])
            i++;
        if (i == first)
            continue;
        nonet_json_open(&json, '[');
        nonet_json_number(&json, first);
        nonet_json_number(&json, i - first);
        nonet_json_close(&json, ']');
    }
    nonet_json_close(&json, ']');
    return page_answered(&text);
}

static bool lacks_bytes(const struct nonet_message *why) {
    return why->phrase == &nonet_table_phrases[NONET_TABLE_UNREADABLE];
}

/* Opens the table for the current game. If it is refused, the answer is the reason's key. */
enum study_table EXPORT(study_table_open)(void) {
    if (page_session() == NULL || pages == NULL) {
        page_no(PAGE_NO_GAME);
        return STUDY_TABLE_REFUSED;
    }
    struct nonet_options options = nonet_swap_without(nonet_session_options(page_session()));
    struct nonet_message why;
    drop_judging();
    close_table();
    table = nonet_table_open(&options, fetch, NULL, table_size, &why);
    if (table == NULL) {
        page_no(why.phrase->key);
        return lacks_bytes(&why) ? STUDY_TABLE_MISSING : STUDY_TABLE_REFUSED;
    }
    struct nonet_text name = NONET_TEXT_IN(table_name);
    write_table_name(&name);
    return STUDY_TABLE_OPEN;
}

/* ---- The judge ---- */

struct nonet_table *study_table(void) {
    char name[NONET_TABLE_NAME_MAX + 1];
    struct nonet_text text = NONET_TEXT_IN(name);
    write_table_name(&text);
    if (table == NULL || strcmp(name, table_name) != 0)
        return NULL;
    const struct nonet_options *options = nonet_session_options(page_session());
    if (options->game->inner == NULL)
        return table;
    if (with_swap == NULL)
        with_swap = nonet_table_open_again(table, options);
    return with_swap;
}

/* Begins to judge the moves of the current position (judge.h). */
bool EXPORT(study_judge)(uint64_t proof_nodes, uint64_t nodes, uint64_t seed, int no_line) {
    if (page_session() == NULL)
        return page_no(PAGE_NO_GAME);
    const struct judge_limits limits = {
        .table = study_table(),
        .proof_nodes = proof_nodes,
        .nodes = nodes,
        .seed = seed,
        .no_line = no_line != 0,
    };
    if (judge == NULL)
        judge = judge_open();
    judging = judge != NULL && judge_begin(judge, page_session(), &limits);
    judged = *nonet_session_options(page_session());
    struct nonet_text text = NONET_TEXT_IN(position);
    position[0] = '\0';
    if (!page_hides())
        judged.game->write(&judged, nonet_session_state(page_session()), &text);
    return judging || page_no(PAGE_NO_MEMORY);
}

/* Goes on with it; a number of enum judge_status. */
int EXPORT(study_advance)(uint64_t nodes) {
    return judging ? (int)judge_advance(judge, nodes) : JUDGE_SETTLED;
}

static void text_member(struct nonet_json *json, const char *name, const char *text) {
    nonet_json_name(json, name);
    if (text != NULL)
        nonet_json_string(json, text);
    else
        nonet_json_null(json);
}

static void numbers_member(struct nonet_json *json, const char *name, const int16_t *numbers,
                           int count) {
    nonet_json_name(json, name);
    nonet_json_open(json, '[');
    for (int i = 0; i < count; i++)
        nonet_json_number(json, numbers[i]);
    nonet_json_close(json, ']');
}

static void write_move(struct nonet_json *json, const struct nonet_options *options,
                       const struct judge_move *move) {
    static const char *const known[] = {
        [NONET_ESTIMATED] = "estimated", [NONET_SEARCHED] = "searched", [NONET_PROVEN] = "proven"};
    char name[NONET_MOVE_TEXT];
    struct nonet_text text = NONET_TEXT_IN(name);
    options->game->print(options, move->move, &text);
    uint16_t touched[NONET_MAX_TOUCHES];
    int16_t places[NONET_MAX_TOUCHES];
    int touches = options->game->touches(options, move->move, touched);
    for (int i = 0; i < touches; i++)
        places[i] = (int16_t)touched[i];
    nonet_json_open(json, '{');
    text_member(json, "text", name);
    numbers_member(json, "places", places, touches);
    nonet_json_bool_member(json, "judged", move->judged);
    text_member(json, "known", known[move->opinion.known]);
    describe_value(json, move->valued ? &move->opinion.value : NULL);
    nonet_json_number_member(json, "score", move->opinion.score);
    text_member(json, "by", move->by);
    if (options->players > 2 && move->judged)
        numbers_member(json, "chances", move->opinion.chances, options->players);
    else
        text_member(json, "chances", NULL);
    nonet_json_number_member(json, "twin", move->twin);
    nonet_json_close(json, '}');
}

/* What is known so far. `trouble` is the key of the reason why the table had to be given up. */
bool EXPORT(study_verdict)(void) {
    static struct judge_verdict verdict;
    if (!judging)
        return page_none();
    struct nonet_message why;
    judge_verdict(judge, &verdict);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    nonet_json_number_member(&json, "turn", verdict.turn);
    text_member(&json, "position", position[0] != '\0' ? position : NULL);
    text_member(&json, "by", verdict.by);
    nonet_json_number_member(&json, "depth", verdict.depth);
    nonet_json_number_member(&json, "nodes", (int64_t)verdict.nodes);
    text_member(&json, "trouble", judge_table_failed(judge, &why) ? why.phrase->key : NULL);
    nonet_json_name(&json, "moves");
    nonet_json_open(&json, '[');
    for (int i = 0; i < verdict.count; i++)
        write_move(&json, &judged, &verdict.moves[i]);
    nonet_json_close(&json, ']');
    describe_moves(&json, "line", &judged, verdict.line, verdict.line_length);
    nonet_json_close(&json, '}');
    return page_answered(&text);
}
