/* Fuzzes what the page calls (apps/wasm/page.c), compiled for this machine.
 *
 * The input is a list of calls, one in each line: a letter says which function, the text after it
 * is what the page would put into the engine's input; numbers are taken from the text where a
 * function wants some. Whatever is called in whatever order, answers must be complete, and a kept
 * game can be restored. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../apps/wasm/page.c"
#include "../apps/wasm/study.h"
#include "fuzzing.h"

/* The next number in a text, 0 where there is none. */
static long number_in(const char **text) {
    char *end;
    long number = strtol(*text, &end, 10);
    *text = end;
    return number;
}

/* What was kept comes back as the same game. */
static void keep_and_restore(uint64_t number) {
    static char kept[OUTPUT];
    if (!page_keep(number))
        return;
    strcpy(kept, output);
    strcpy(input, kept);
    PROMISE(page_restore(1, 2));
    PROMISE(page_keep(number));
    PROMISE(strcmp(kept, output) == 0);
}

static void think(int level, uint64_t seed) {
    if (!page_think(level, seed))
        return;
    page_advance(3);
    PROMISE(page_report());
    strcpy(input, output);
}

static void call(char function, const char *text) {
    const char *rest = text;
    int a = (int)number_in(&rest), b = (int)number_in(&rest), c = (int)number_in(&rest),
        d = (int)number_in(&rest);
    switch (function) {
    case 'l':
        page_language();
        break;
    case 'n':
        page_new((uint64_t)a, (uint64_t)b);
        break;
    case 'Q':
        page_observe(a, b & 1);
        break;
    case 'k':
        keep_and_restore((uint64_t)a);
        break;
    case 'r':
        page_restore((uint64_t)a, (uint64_t)b);
        break;
    case 'p':
        PROMISE(page_position(a) == (session != NULL));
        break;
    case 's':
        PROMISE(page_scene(a, b) == (session != NULL));
        break;
    case 'S':
        PROMISE(page_show(a, b) == (session != NULL));
        break;
    case 'o':
        PROMISE(page_setup() == (session != NULL && !page_hides()));
        break;
    case 'h':
        PROMISE(page_history(a, b) == (session != NULL));
        break;
    case 'm':
        page_play();
        break;
    case 'y':
        page_why();
        break;
    case 'v':
        page_preview(a);
        break;
    case 'd':
        page_difference(a, b);
        break;
    case 'w':
        page_wish(a, b, c, d);
        break;
    case 'g':
        page_ghost();
        break;
    case 'e':
        page_nearest();
        break;
    case 'i':
        page_region();
        break;
    case 'x':
        page_spell();
        break;
    case 't':
        think(a, (uint64_t)b);
        break;
    case 'a':
        review_begin(a & 1, b, 3, (uint64_t)a, a & 2, a & 4);
        break;
    case 'A':
        review_go_on(a & 1, (uint64_t)b);
        review_tell(a & 1, a);
        break;
    case 'B':
        if (bench_begin(1 + (a & 1), (uint64_t)a) && bench_game((uint32_t)b)) {
            bench_go_on(50);
            PROMISE(bench_record());
        }
        break;
    case 'F':
        bench_figures(a);
        break;
    case 'N':
        page_go(a);
        page_tree();
        break;
    case 'V':
        page_prune(a);
        break;
    case 'E':
        study_edit((uint64_t)a);
        break;
    case 'O':
        study_opening_keys();
        study_book_moves();
        break;
    case 'q':
        study_deduce(a);
        break;
    case 'u':
        page_undo();
        break;
    case 'R':
        page_redo();
        break;
    case 'b':
        page_box();
        break;
    case 'f':
        page_figure();
        break;
    case 'P':
        PROMISE(page_picture(a) == (session != NULL));
        break;
    }
}

/* A line's text: '|' stands for the end of a line in it. */
static void put(const char *line) {
    size_t length = strlen(line);
    memcpy(input, line, length + 1);
    for (size_t i = 0; i < length; i++)
        if (input[i] == '|')
            input[i] = '\n';
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    char *calls = malloc(size + 1);
    memcpy(calls, data, size);
    calls[size] = '\0';
    for (char *line = calls, *next; *line != '\0'; line = next) {
        size_t length = strcspn(line, "\n");
        next = line + length + (line[length] != '\0');
        line[length] = '\0';
        if (length == 0)
            continue;
        put(line + 1);
        call(line[0], line + 1);
        PROMISE(strlen(output) < OUTPUT);
    }
    free(calls);
    drop_search();
    nonet_session_free(session);
    session = NULL;
    free(words.bytes);
    words = (struct nonet_wording){0};
    return 0;
}
