#include "verify.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/siphash.h"
#include "host/clock.h"
#include "host/files.h"
#include "rules/ranking.h"
#include "table/codec.h"
#include "table/table.h"

enum { THREADS_MOST = 64, CHUNK = 4096 };

/* Listed states are bytes from a file: only those that play has reached are given to the game. */
enum mark { UNKNOWN, REACHED, CHECKED };

/* Codes are kept as bytes if all of them fit. */
struct verification {
    struct nonet_options options;
    const struct solve_limits *limits;
    struct nonet_table *table;
    struct nonet_table_facts facts;
    uint64_t count; /* entries: the ranked ones, then the listed ones */
    int values;     /* of each entry */
    bool has_margin;
    int tiers;
    uint64_t *tier_start; /* number of each tier's first position, then the total */
    void *ranking_index;
    size_t index_size;
    unsigned char *states; /* the listed ones */
    uint8_t *narrow;
    uint16_t *wide;
    _Atomic uint32_t *slots; /* number in the list + 1, by the state's hash */
    uint64_t slot_mask;
    struct nonet_siphash_key key; /* of the hash, because the states come from an unknown source */
    _Atomic uint8_t *marks;       /* enum mark of every listed state */
    /* Progress of the current pass over the entries. */
    const char *what;
    bool (*pass)(struct verification *v, struct nonet_table *table, uint64_t from, uint64_t to,
                 struct verify_report *report, uint64_t *wrong);
    uint64_t first, end, chunk; /* entries of this pass, and how many a worker takes at a time */
    _Atomic uint64_t taken, done, wrong;
    double begun, told;
    pthread_mutex_t lock;
    struct verify_report *report;
};

/* The code of one of an entry's values. */
static int code_of(const struct verification *v, uint64_t entry, int value) {
    uint64_t at = entry * (uint64_t)v->values + (uint64_t)value;
    return v->narrow != NULL ? v->narrow[at] : v->wide[at];
}

static int finished_code(const struct verification *v, const void *state, int value) {
    const struct nonet_game *game = v->options.game;
    int players = v->options.players;
    int own = (game->next(&v->options, state) - 1 + value) % players, other = (own + 1) % players;
    struct nonet_result result = {0};
    game->result(&v->options, state, &result);
    bool wins = result.winners >> own & 1, loses = (result.winners & ~(1 << own)) != 0;
    int size = result.has_points ? abs(result.points[own] - result.points[other]) : 0;
    return wins && loses ? 0 : (wins ? 2 : 1) + 2 * size;
}

/* The entry of a state, or the count of all if it has none. */
static uint64_t find_state(const struct verification *v, const void *state) {
    const struct nonet_game *game = v->options.game;
    uint64_t number;
    int tier = v->facts.ranked == 0
                   ? -1
                   : game->ranking->rank(&v->options, v->ranking_index, state, &number);
    if (tier >= 0)
        return v->tier_start[tier] + number;
    if (v->facts.listed == 0)
        return v->count;
    struct nonet_state canonical;
    nonet_canonical(&v->options, state, &canonical);
    for (uint64_t at = nonet_siphash(&v->key, &canonical, game->state_size);; at++) {
        uint32_t found = atomic_load_explicit(&v->slots[at & v->slot_mask], memory_order_relaxed);
        if (found == 0)
            return v->count;
        if (memcmp(v->states + (uint64_t)(found - 1) * game->state_size, &canonical,
                   game->state_size) == 0)
            return v->facts.ranked + found - 1;
    }
}

static void state_of(const struct verification *v, uint64_t entry, struct nonet_state *state) {
    const struct nonet_game *game = v->options.game;
    if (entry >= v->facts.ranked) {
        memcpy(state, v->states + (entry - v->facts.ranked) * game->state_size, game->state_size);
        return;
    }
    int low = 0, high = v->tiers - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (v->tier_start[middle] <= entry)
            low = middle;
        else
            high = middle - 1;
    }
    game->ranking->unrank(&v->options, v->ranking_index, low, entry - v->tier_start[low], state);
}

/* Codes on a scale: from the quickest loss to the longest, draws, then from the longest win to the
 * quickest. With points: from the greatest loss to the greatest win. */
static int worth(const struct verification *v, int code) {
    int size = (code + 1) / 2; /* at least 1 */
    int good = v->has_margin ? size : NONET_CODE_MAX - size;
    return code == 0 ? 0 : code % 2 == 0 ? good : -good;
}

/* The code before a move, from the one after it: one ply more. With two players that is the other
 * player's, so it is turned. With more, every value stays with its player. */
static int code_before(const struct verification *v, int code) {
    if (code == 0)
        return 0;
    int turned = v->values > 1 ? code : code % 2 == 0 ? code - 1 : code + 1;
    return v->has_margin ? turned : turned + 2;
}

/* Values are counted from the player to move, who is the last one after the move. */
static int value_after(const struct verification *v, int value) {
    return value > 0 ? value - 1 : v->values - 1;
}

enum verdict { RIGHT, UNUSED, NO_SUCCESSOR, WRONG_VALUE };

/* What an entry should say. */
struct finding {
    struct nonet_state state, successor;
    int expected[NONET_MAX_PLAYERS];
    int wrong; /* the first value that is wrong */
};

/* The player to move takes what is best for themselves. Against each other player they play with
 * all the rest, and take what is worst for that one. */
static void learn(const struct verification *v, struct finding *finding, int value, int code) {
    int *expected = &finding->expected[value];
    int better = *expected < 0 ? 1 : worth(v, code) - worth(v, *expected);
    if (value == 0 ? better > 0 : *expected < 0 || better < 0)
        *expected = code;
}

/* What a move gives: the codes of the position after it, which is in the table or finished. */
static bool follow(const struct verification *v, struct finding *finding) {
    const struct nonet_game *game = v->options.game;
    uint64_t next = find_state(v, &finding->successor);
    bool finished = next == v->count && game->turn(&v->options, &finding->successor) == 0;
    if (next == v->count && !finished)
        return false;
    for (int value = 0; value < v->values; value++) {
        int after = value_after(v, value);
        int code =
            finished ? finished_code(v, &finding->successor, after) : code_of(v, next, after);
        learn(v, finding, value, code_before(v, code));
    }
    if (finished || next < v->facts.ranked)
        return true;
    /* Atomic: another thread may reach and check it meanwhile, and one check is enough. */
    uint8_t unknown = UNKNOWN;
    if (v->marks[next - v->facts.ranked] == unknown)
        atomic_compare_exchange_strong(&v->marks[next - v->facts.ranked], &unknown, REACHED);
    return true;
}

static enum verdict check_entry(const struct verification *v, uint64_t entry,
                                struct finding *finding, uint64_t *successors) {
    const struct nonet_game *game = v->options.game;
    struct nonet_state *state = &finding->state;
    state_of(v, entry, state);
    /* A position may have several numbers; only one of them is ever looked up. */
    if (entry < v->facts.ranked && find_state(v, state) != entry)
        return UNUSED;
    nonet_move moves[NONET_MAX_MOVES];
    int count = game->moves(&v->options, state, moves);
    for (int value = 0; value < v->values; value++)
        finding->expected[value] = count == 0 ? finished_code(v, state, value) : -1;
    for (int i = 0; i < count; i++) {
        memcpy(&finding->successor, state, game->state_size);
        game->play(&v->options, &finding->successor, NULL, moves[i]);
        if (!follow(v, finding))
            return NO_SUCCESSOR;
    }
    *successors += (uint64_t)count;
    for (finding->wrong = 0; finding->wrong < v->values; finding->wrong++)
        if (finding->expected[finding->wrong] != code_of(v, entry, finding->wrong))
            return WRONG_VALUE;
    return RIGHT;
}

static void count_entry(const struct verification *v, uint64_t entry,
                        struct verify_report *report) {
    report->positions++;
    for (int value = 0; value < v->values; value++) {
        int code = code_of(v, entry, value);
        report->of[value].draws += code == 0;
        report->of[value].wins += code > 0 && code % 2 == 0;
        report->of[value].losses += code % 2 != 0;
        if (code > 0 && (code - 1) / 2 > report->of[value].longest)
            report->of[value].longest = (code - 1) / 2;
    }
}

static bool check_pass(struct verification *v, struct nonet_table *table, uint64_t from,
                       uint64_t to, struct verify_report *report, uint64_t *wrong) {
    (void)table;
    struct finding finding;
    for (*wrong = from; *wrong < to; ++*wrong) {
        if (*wrong >= v->facts.ranked) {
            /* Marked first: another thread that reaches it meanwhile has nothing to do. */
            _Atomic uint8_t *mark = &v->marks[*wrong - v->facts.ranked];
            if (*mark != REACHED)
                continue;
            *mark = CHECKED;
        }
        enum verdict verdict = check_entry(v, *wrong, &finding, &report->successors);
        if (verdict == UNUSED) {
            report->unused++;
            continue;
        }
        if (verdict != RIGHT)
            return false;
        count_entry(v, *wrong, report);
    }
    return true;
}

/* Unpacks a block into memory; a worker takes one block. Its states must be in increasing order. */
static bool load_pass(struct verification *v, struct nonet_table *table, uint64_t from, uint64_t to,
                      struct verify_report *report, uint64_t *wrong) {
    (void)to, (void)report;
    const unsigned char *states;
    const uint16_t *codes;
    size_t count, state_size = v->options.game->state_size;
    struct nonet_message why;
    *wrong = from;
    if (!nonet_table_block(table, v->first > 0 || v->facts.ranked == 0,
                           (uint32_t)((from - v->first) / v->chunk), &states, &codes, &count, &why))
        return false;
    size_t values = (size_t)v->values;
    for (size_t i = 0; i < count * values; i++) {
        if (v->narrow != NULL)
            v->narrow[from * values + i] = (uint8_t)codes[i];
        else
            v->wide[from * values + i] = codes[i];
    }
    if (from < v->facts.ranked)
        return true;
    uint64_t number = from - v->facts.ranked;
    for (size_t i = 1; i < count; i++)
        if (memcmp(states + (i - 1) * state_size, states + i * state_size, state_size) >= 0) {
            *wrong = from + i;
            return false;
        }
    memcpy(v->states + number * state_size, states, count * state_size);
    return true;
}

/* Enters the states of a block by their hash. No state occurs twice: they also increase from block
 * to block. */
static bool enter_pass(struct verification *v, struct nonet_table *table, uint64_t from,
                       uint64_t to, struct verify_report *report, uint64_t *wrong) {
    (void)table, (void)report;
    size_t size = v->options.game->state_size;
    uint64_t first = from - v->facts.ranked, end = to - v->facts.ranked;
    *wrong = from;
    if (first > 0 && memcmp(v->states + (first - 1) * size, v->states + first * size, size) >= 0)
        return false;
    for (uint64_t i = first; i < end; i++) {
        uint64_t at = nonet_siphash(&v->key, v->states + i * size, size);
        uint32_t empty = 0;
        while (!atomic_compare_exchange_strong(&v->slots[at & v->slot_mask], &empty,
                                               (uint32_t)i + 1)) {
            at++;
            empty = 0;
        }
    }
    return true;
}

static void tell_progress(struct verification *v) {
    if (v->limits->progress == NULL || pthread_mutex_trylock(&v->lock) != 0)
        return;
    double time = clock_now(), share = (double)v->done / (double)v->count;
    if (time - v->told >= 0.2) {
        v->told = time;
        solve_tell(v->limits, v->what, share, time - v->begun);
    }
    pthread_mutex_unlock(&v->lock);
}

struct worker {
    struct verification *v;
    struct nonet_table *table;
    pthread_t thread;
    bool started;
    struct verify_report report;
};

/* Chunks are taken in increasing order, and a chunk that was taken is finished. So the first wrong
 * entry of a pass is found, for any number of workers. */
static void *work(void *argument) {
    struct worker *worker = argument;
    struct verification *v = worker->v;
    for (;;) {
        uint64_t from = atomic_fetch_add(&v->taken, v->chunk);
        if (from >= v->end || from > v->wrong)
            return NULL;
        uint64_t to = v->end - from < v->chunk ? v->end : from + v->chunk, wrong;
        uint64_t before = worker->report.positions + worker->report.unused;
        if (!v->pass(v, worker->table, from, to, &worker->report, &wrong)) {
            uint64_t first = v->wrong;
            while (wrong < first && !atomic_compare_exchange_weak(&v->wrong, &first, wrong)) {
            }
            return NULL;
        }
        v->done += v->pass == check_pass ? worker->report.positions + worker->report.unused - before
                                         : to - from;
        tell_progress(v);
    }
}

static void begin(struct verification *v, const char *what) {
    v->what = what;
    v->done = 0;
    v->begun = clock_now();
}

/* One pass over entries; returns the first wrong one, or the count of all. */
static uint64_t run_pass(struct verification *v, struct worker *workers, int threads,
                         uint64_t first, uint64_t end, uint64_t chunk) {
    v->taken = v->first = first;
    v->end = end;
    v->chunk = chunk;
    v->wrong = v->count;
    for (int i = 1; i < threads; i++)
        workers[i].started = workers[i].table != NULL &&
                             pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    work(&workers[0]);
    for (int i = 1; i < threads; i++)
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);
    return v->wrong;
}

static void say_code(const struct verification *v, int code, struct nonet_text *out) {
    struct nonet_value value = nonet_value_of_code(code, v->has_margin);
    nonet_text_add(out, value.outcome == NONET_WIN    ? "win"
                        : value.outcome == NONET_DRAW ? "draw"
                                                      : "loss");
    if (v->has_margin)
        nonet_text_format(out, " by %d", value.margin);
    else if (value.outcome != NONET_DRAW)
        nonet_text_format(out, " in %d", value.distance);
}

static void say_finding(const struct verification *v, uint64_t entry, struct nonet_text *out) {
    const struct nonet_game *game = v->options.game;
    struct finding finding;
    uint64_t successors = 0;
    enum verdict verdict = check_entry(v, entry, &finding, &successors);
    char position[NONET_POSITION_TEXT], after[NONET_POSITION_TEXT];
    struct nonet_text text = NONET_TEXT_IN(position), next = NONET_TEXT_IN(after);
    game->write(&v->options, &finding.state, &text);
    nonet_text_format(out, "entry %llu, \"%s\", ", (unsigned long long)entry, position);
    if (verdict == NO_SUCCESSOR) {
        game->write(&v->options, &finding.successor, &next);
        nonet_text_format(out, "has a move to \"%s\", which the table lacks", after);
        return;
    }
    if (v->values > 1)
        nonet_text_format(
            out, "player %d: ",
            (game->next(&v->options, &finding.state) - 1 + finding.wrong) % v->options.players + 1);
    nonet_text_add(out, "expected ");
    say_code(v, finding.expected[finding.wrong], out);
    nonet_text_add(out, ", found ");
    say_code(v, code_of(v, entry, finding.wrong), out);
}

static bool fetch(void *context, uint64_t offset, void *bytes, size_t size) {
    return files_fetch(*(const int *)context, offset, bytes, size);
}

static bool say_message(const struct nonet_message *message, struct nonet_text *why) {
    nonet_message_write(message, NULL, why);
    return false;
}

/* Room for all codes, the listed states and the table to find them. */
static bool make_room(struct verification *v, struct nonet_text *why) {
    size_t code_size = (v->facts.greatest > UINT8_MAX ? 2 : 1) * (size_t)v->values,
           state_size = v->options.game->state_size;
    uint64_t listed = v->facts.listed, slots = 1;
    if (listed >= UINT32_MAX / 2) {
        nonet_text_add(why, "the table lists too many positions to check");
        return false;
    }
    while (slots < listed + listed / 2 + 1)
        slots *= 2;
    const struct nonet_ranking *ranking = v->options.game->ranking;
    if (v->facts.ranked > 0)
        v->index_size = ranking->large_index_size != NULL
                            ? ranking->large_index_size(&v->options, ranking->tiers(&v->options))
                            : ranking->index_size(&v->options);
    uint64_t need = v->count * code_size + listed * (state_size + 1) + slots * sizeof v->slots[0] +
                    v->index_size;
    if (v->limits->memory > 0 && need > v->limits->memory) {
        nonet_text_format(why, "checking takes %llu MB of memory, more than the limit of %llu MB",
                          (unsigned long long)((need >> 20) + 1),
                          (unsigned long long)(v->limits->memory >> 20));
        return false;
    }
    void *codes = malloc(v->count * code_size + 1);
    if (v->facts.greatest <= UINT8_MAX)
        v->narrow = codes;
    else
        v->wide = codes;
    v->states = malloc(listed * state_size + 1);
    v->slots = calloc(slots, sizeof v->slots[0]);
    v->marks = calloc(listed + 1, sizeof v->marks[0]);
    v->slot_mask = slots - 1;
    if (codes != NULL && v->states != NULL && v->slots != NULL && v->marks != NULL)
        return true;
    nonet_text_format(why, "there are not %llu MB of memory left for the check",
                      (unsigned long long)((need >> 20) + 1));
    return false;
}

/* An index for the check alone: large if possible, because every position is looked up. */
static bool open_ranking(struct verification *v, struct nonet_text *why) {
    const struct nonet_ranking *ranking = v->options.game->ranking;
    v->tiers = ranking->tiers(&v->options);
    v->ranking_index = malloc(v->index_size + 1);
    v->tier_start = calloc((size_t)v->tiers + 1, sizeof v->tier_start[0]);
    if (v->ranking_index == NULL || v->tier_start == NULL) {
        nonet_text_add(why, "there is not enough memory left for the check");
        return false;
    }
    if (ranking->large_index_size != NULL)
        ranking->build_large_index(&v->options, v->tiers, v->ranking_index);
    else
        ranking->build_index(&v->options, v->ranking_index);
    for (int tier = 0; tier < v->tiers; tier++)
        v->tier_start[tier + 1] =
            v->tier_start[tier] + ranking->size(&v->options, v->ranking_index, tier);
    return true;
}

/* Reads the blocks of one kind into memory. */
static bool load_section(struct verification *v, struct worker *workers, int threads, bool listed,
                         struct nonet_text *why) {
    uint64_t first = listed ? v->facts.ranked : 0, end = listed ? v->count : v->facts.ranked;
    uint64_t entries = listed ? v->facts.listed_entries : v->facts.ranked_entries;
    v->pass = load_pass;
    uint64_t wrong = run_pass(v, workers, threads, first, end, entries);
    if (wrong == v->count && listed) {
        v->pass = enter_pass;
        wrong = run_pass(v, workers, threads, first, end, entries);
    }
    if (wrong == v->count)
        return true;
    const unsigned char *states;
    const uint16_t *codes;
    size_t count;
    struct nonet_message message;
    if (nonet_table_block(v->table, listed, (uint32_t)((wrong - first) / entries), &states, &codes,
                          &count, &message))
        nonet_text_format(why, "entry %llu is out of order", (unsigned long long)wrong);
    else
        nonet_message_write(&message, NULL, why);
    return false;
}

/* All states of the list must have been reached by play. */
static bool check_list(const struct verification *v, struct nonet_text *why) {
    for (uint64_t i = 0; i < v->facts.listed; i++) {
        if (v->marks[i] != UNKNOWN)
            continue;
        nonet_text_format(why, "entry %llu is not a position that a game can reach",
                          (unsigned long long)(v->facts.ranked + i));
        return false;
    }
    return true;
}

static bool check_all(struct verification *v, struct worker *workers, int threads,
                      struct nonet_text *why) {
    struct nonet_state start;
    v->options.game->start(&v->options, &start, NULL);
    uint64_t first = find_state(v, &start), before;
    /* A table of the first tiers only is partial: everything in it is checked. */
    bool partial = v->facts.ranked > 0 && v->facts.ranked < v->tier_start[v->tiers];
    if (first == v->count && !partial) {
        nonet_text_add(why, "the first position of the game is not in the table");
        return false;
    }
    if (first >= v->facts.ranked && first < v->count)
        v->marks[first - v->facts.ranked] = REACHED;
    begin(v, "checking");
    v->pass = check_pass;
    uint64_t wrong = run_pass(v, workers, threads, 0, v->facts.ranked, CHUNK);
    /* Repeats over the list, as long as play reaches new states. */
    do {
        before = v->done;
        if (wrong == v->count)
            wrong = run_pass(v, workers, threads, v->facts.ranked, v->count, CHUNK);
    } while (v->done > before);
    if (wrong == v->count)
        return check_list(v, why);
    say_finding(v, wrong, why);
    return false;
}

static bool run_passes(struct verification *v, struct nonet_text *why) {
    int threads = v->limits->threads < 1              ? 1
                  : v->limits->threads > THREADS_MOST ? THREADS_MOST
                                                      : v->limits->threads;
    struct worker workers[THREADS_MOST] = {{.v = v, .table = v->table}};
    for (int i = 1; i < threads; i++)
        workers[i] =
            (struct worker){.v = v, .table = nonet_table_open_again(v->table, &v->options)};
    begin(v, "reading");
    bool good = load_section(v, workers, threads, false, why) &&
                load_section(v, workers, threads, true, why) && check_all(v, workers, threads, why);
    for (int i = 0; i < threads; i++) {
        const struct verify_report *part = &workers[i].report;
        v->report->positions += part->positions;
        v->report->unused += part->unused;
        v->report->successors += part->successors;
        for (int value = 0; value < v->values; value++) {
            v->report->of[value].wins += part->of[value].wins;
            v->report->of[value].draws += part->of[value].draws;
            v->report->of[value].losses += part->of[value].losses;
            if (part->of[value].longest > v->report->of[value].longest)
                v->report->of[value].longest = part->of[value].longest;
        }
        if (i > 0)
            nonet_table_close(workers[i].table);
    }
    return good;
}

static bool verify_open(struct verification *v, int *file, uint64_t size, struct nonet_text *why) {
    struct nonet_text name = NONET_TEXT_IN(v->report->game);
    struct nonet_message message;
    if (!nonet_table_name(fetch, file, size, &name, &message))
        return say_message(&message, why);
    if (!nonet_options_read(v->report->game, &v->options, &message)) {
        nonet_text_format(why, "this program does not know the table's game, \"%s\"",
                          nonet_quote(v->report->game).text);
        return false;
    }
    v->table = nonet_table_open(&v->options, fetch, file, size, &message);
    if (v->table == NULL)
        return say_message(&message, why);
    v->facts = nonet_table_facts(v->table);
    v->has_margin = v->report->has_margin = (v->options.game->facts & NONET_POINTS) != 0;
    v->count = v->facts.ranked + v->facts.listed;
    v->values = v->report->values = v->facts.values;
    bool good =
        make_room(v, why) && (v->facts.ranked == 0 || open_ranking(v, why)) && run_passes(v, why);
    free(v->ranking_index);
    free(v->tier_start);
    free(v->states);
    free(v->narrow);
    free(v->wide);
    free((void *)v->slots);
    free((void *)v->marks);
    nonet_table_close(v->table);
    return good;
}

bool verify_table(const char *path, const struct solve_limits *limits, struct verify_report *report,
                  struct nonet_text *why) {
    memset(report, 0, sizeof *report);
    uint64_t size;
    int file = files_open(path, &size, why);
    if (file < 0)
        return false;
    struct verification v = {.limits = limits, .report = report};
    bool good = files_random(&v.key, sizeof v.key);
    if (!good)
        nonet_text_format(why, "the system gives no random numbers: %s", strerror(errno));
    pthread_mutex_init(&v.lock, NULL);
    good = good && verify_open(&v, &file, size, why);
    pthread_mutex_destroy(&v.lock);
    close(file);
    return good;
}
