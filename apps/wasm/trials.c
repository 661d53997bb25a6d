/* The bench for designers: games that computer players play to measure a game (study/trial.h), and
 * what a table says about openings (study/balance.h). Several workers play the games of a run, one
 * game after the other; the page collects their records, and any engine makes figures of them. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "page.h"
#include "study.h"
#include "study/describe.h"

static struct trial *trial; /* null before the first run */
static bool playing;

/* ---- Playing ---- */

/* Options from lines as page_new takes them: the id of a game, then an option in each line. Chance
 * decides anew in every game, so nothing is dealt. */
static bool read_setting(struct nonet_options *options, struct nonet_message *why) {
    char *rest = NULL, *line = strtok_r(page_input(), "\n", &rest);
    const struct nonet_game *game = line != NULL ? nonet_game_find(line) : NULL;
    if (game == NULL) {
        *why = nonet_say(&nonet_common[NONET_SAY_NO_GAME], nonet_quote(line != NULL ? line : ""));
        return false;
    }
    nonet_options_default(options, game);
    while ((line = strtok_r(NULL, "\n", &rest)) != NULL)
        if (!nonet_options_set(options, line, why))
            return false;
    return nonet_options_check(options, why);
}

/* Begins a run of the setting in the input, with players of this level. */
bool EXPORT(bench_begin)(int level, uint64_t seed) {
    struct trial_wish wish = {.seed = seed};
    struct nonet_message why;
    if (level < 1 || level > TRIAL_LEVEL)
        return page_none();
    if (!read_setting(&wish.options, &why))
        return page_refuse(&why);
    for (int i = 0; i < NONET_MAX_PLAYERS; i++)
        wish.levels[i] = level;
    playing = false;
    trial_close(trial);
    trial = trial_open(&wish);
    return trial != NULL || page_no(PAGE_NO_MEMORY);
}

/* Begins one of its games. */
bool EXPORT(bench_game)(uint32_t number) {
    playing = trial != NULL && trial_begin(trial, number);
    return playing || page_no(trial != NULL ? PAGE_NO_MEMORY : PAGE_NO_GAME);
}

/* Looks at up to so many more positions, and tells how that went: enum trial_status. */
int EXPORT(bench_go_on)(uint64_t nodes) {
    return playing ? (int)trial_advance(trial, nodes) : TRIAL_NO_MEMORY;
}

/* The record of a game that is done. */
bool EXPORT(bench_record)(void) {
    if (!playing)
        return page_no(PAGE_NO_GAME);
    struct nonet_text text = page_answer();
    trial_write(trial_game(trial), &text);
    return page_answered(&text);
}

/* ---- Figures ---- */

/* The figures of the games whose records are the lines of the input. */
bool EXPORT(bench_figures)(int players) {
    static struct trial_figures figures;
    if (players < 2 || players > NONET_MAX_PLAYERS)
        return page_none();
    size_t lines = 1;
    for (const char *at = page_input(); (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    struct trial_game *games = malloc(lines * sizeof *games);
    if (games == NULL)
        return page_no(PAGE_NO_MEMORY);
    int count = 0;
    bool good = true;
    char *rest = NULL;
    for (char *line = strtok_r(page_input(), "\n", &rest); good && line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        good = trial_read(line, &games[count++]);
    if (good)
        trial_figures(games, count, players, &figures);
    free(games);
    if (!good)
        return page_no(PAGE_DAMAGED);
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    describe_figures(&json, &figures);
    nonet_json_close(&json, '}');
    return page_answered(&text);
}

/* ---- By a table ---- */

static struct balance *openings; /* null if none are asked for */
static struct nonet_options solved;

void EXPORT(bench_exact_end)(void) {
    balance_close(openings);
    openings = NULL;
}

/* Begins to look at the openings of the current game, by its table. */
bool EXPORT(bench_exact)(void) {
    bench_exact_end();
    if (page_session() == NULL)
        return page_no(PAGE_NO_GAME);
    if (study_table() == NULL)
        return page_none();
    solved = *nonet_session_options(page_session());
    openings = balance_open(&solved, study_table());
    return openings != NULL || page_no(PAGE_NO_MEMORY);
}

/* Looks at so many more positions; a number of enum balance_status. */
int EXPORT(bench_exact_go_on)(int positions) {
    return openings != NULL ? (int)balance_advance(openings, positions) : BALANCE_FAILED;
}

/* What is known so far. */
bool EXPORT(bench_exact_tell)(void) {
    if (openings == NULL)
        return page_none();
    struct nonet_text text = page_answer();
    struct nonet_json json = nonet_json_in(&text);
    nonet_json_open(&json, '{');
    describe_balance(&json, &solved, openings);
    nonet_json_close(&json, '}');
    return page_answered(&text);
}
