/* Proofs of Ksar in small frames (solve/proof.h) against a plain minimax and against the search of
 * computer players, which shares no code with them; and forged certificates, none of which may be
 * believed. Called as "proof short", as under sanitizers, it leaves the larger frames alone. */
#include "solve/proof.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "check.h"
#include "host/files.h"
#include "search/exact.h"
#include "solve/checkpoint.h"
#include "solve/proof_file.h"
#include "solve/proof_search.h"
#include "variants.h"

enum { MEMORY = 64 << 20 };

static bool is_short;
static char folder[] = "/tmp/nonet-proof-XXXXXX";
static char reason[NONET_POSITION_TEXT + 512];

static const char *path_of(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static struct solve_limits limits_of(int threads) {
    return (struct solve_limits){.threads = threads, .memory = MEMORY, .checkpoint_seconds = 5};
}

static struct proof_report solve(const struct nonet_options *options,
                                 const struct solve_limits *limits, const char *path) {
    struct proof_report report;
    struct nonet_text why = NONET_TEXT_IN(reason);
    CHECK(solve_proof(options, limits, path, &report, &why), "%s: %s", variant_name(options),
          reason);
    return report;
}

static bool verify(const char *path, struct proof_file_report *report) {
    struct solve_limits limits = limits_of(1);
    struct nonet_text why = NONET_TEXT_IN(reason);
    bool good = proof_file_verify(path, &limits, report, &why);
    assert_true(good || why.length > 0);
    return good;
}

static struct nonet_state start_of(const struct nonet_options *options) {
    struct nonet_state state = {0};
    options->game->start(options, &state, NULL);
    return state;
}

static struct nonet_state after(const struct nonet_options *options, const void *state,
                                nonet_move move) {
    struct nonet_state next = {0};
    memcpy(&next, state, options->game->state_size);
    options->game->play(options, &next, NULL, move);
    return next;
}

/* --- Other ways to the same values --- */

/* All moves to all ends: twice the margin, and one for the winner. */
static int minimax(const struct nonet_options *options, const void *state) {
    nonet_move moves[NONET_MAX_MOVES];
    int count = options->game->moves(options, state, moves);
    if (count == 0) {
        struct nonet_result result = {0};
        options->game->result(options, state, &result);
        return 2 * (result.points[0] - result.points[1]) + (result.winners == 1 ? 1 : -1);
    }
    bool first = options->game->turn(options, state) == 1;
    int best = 0;
    for (int i = 0; i < count; i++) {
        struct nonet_state next = after(options, state, moves[i]);
        int score = minimax(options, &next);
        if (i == 0 || (first ? score > best : score < best))
            best = score;
    }
    return best;
}

static void *new_exact(const struct nonet_options *options) {
    void *exact = aligned_alloc(NONET_EXACT_ALIGN, MEMORY);
    assert_non_null(exact);
    nonet_exact_begin(exact, MEMORY, options);
    return exact;
}

static int exact_score(void *exact, const void *state) {
    struct nonet_proof proof;
    nonet_exact_ask(exact, state, 1);
    assert_int_equal(nonet_exact_advance(exact, UINT64_MAX / 2), NONET_EXACT_SETTLED);
    assert_true(nonet_exact_answer(exact, &proof));
    return nonet_value_signed(&proof.value);
}

/* --- Values --- */

static void tiny_frames(void **unused) {
    (void)unused;
    static const char *const frames[] = {"ksar:frame=3x3", "ksar:frame=3x4", "ksar:frame=4x3"};
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        struct nonet_options options = options_of(frames[i]);
        struct solve_limits limits = limits_of(1);
        struct nonet_state start = start_of(&options);
        struct proof_report report = solve(&options, &limits, NULL);
        assert_int_equal(nonet_value_signed(&report.value), minimax(&options, &start));
    }
}

/* Every frame up to 30 cells, or 20 if it shall be short: the same value from one thread, from two
 * and from the other search, and a certificate that proves it. */
static void small_frames(void **unused) {
    (void)unused;
    for (int width = 3; width <= 10; width++)
        for (int depth = width; width * depth <= (is_short ? 20 : 30); depth++) {
            char name[32], path[64];
            snprintf(name, sizeof name, "ksar:frame=%dx%d", width, depth);
            snprintf(path, sizeof path, "%dx%d", width, depth);
            struct nonet_options options = options_of(name);
            struct nonet_state start = start_of(&options);
            void *exact = new_exact(&options);
            int score = exact_score(exact, &start);
            free(exact);
            for (int threads = 1; threads <= 2; threads++) {
                struct solve_limits limits = limits_of(threads);
                struct proof_file_report checked;
                struct proof_report report = solve(&options, &limits, path_of(path));
                assert_int_equal(nonet_value_signed(&report.value), score);
                assert_true(report.memory <= MEMORY);
                CHECK(verify(path_of(path), &checked), "%s: %s", name, reason);
                assert_int_equal(nonet_value_signed(&checked.value), score);
                assert_string_equal(checked.game, name);
                assert_int_equal(checked.choices, report.choices);
                assert_int_equal(checked.positions, report.checked);
            }
        }
}

/* What the table says after a search on two threads is true wherever it says something. */
static void what_the_table_knows(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("ksar:frame=5x5");
    struct solve_limits limits = limits_of(2);
    struct budget budget = {.limit = MEMORY};
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct nonet_random random = {1};
    struct nonet_state start = start_of(&options);
    struct proof_search *search = proof_search_new(&options, &limits, &budget, &why);
    void *exact = new_exact(&options);
    assert_non_null(search);
    int low, high, known = 0;
    for (int goal = -1; goal <= 1; goal += 2)
        assert_true(proof_search_ask(search, &start, goal, &low, &high));
    for (int game = 0; game < 200; game++) {
        nonet_move moves[NONET_MAX_MOVES], hint;
        struct nonet_state state = start;
        int count;
        while ((count = options.game->moves(&options, &state, moves)) > 0) {
            state = after(&options, &state, moves[nonet_random_below(&random, (uint32_t)count)]);
            proof_search_look_up(search, &state, &low, &high, &hint);
            if (low == high || hint != 0xffffff) {
                int score = exact_score(exact, &state);
                CHECK(low <= score && score <= high, "%d is not from %d to %d", score, low, high);
                known++;
            }
        }
    }
    assert_true(known > 200);
    free(exact);
    proof_search_free(search);
    assert_int_equal(budget.used, 0);
}

static void who_is_taken(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        bool taken;
    } games[] = {{"ksar:frame=7x8", true},
                 {"ksar:frame=10x10", false},
                 {"ksar:frame=4x4,swap=yes", false},
                 {"chasm:players=2", false},
                 {"trix", false}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct nonet_options options = options_of(games[i].name);
        assert_int_equal(solve_proof_applies(&options), games[i].taken);
    }
}

static void too_little_memory(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("ksar:frame=4x5");
    struct solve_limits limits = {.threads = 1, .memory = 1 << 20};
    struct proof_report report;
    struct nonet_text why = NONET_TEXT_IN(reason);
    assert_false(solve_proof(&options, &limits, NULL, &report, &why));
    assert_non_null(strstr(reason, "1 MB of memory"));
    limits.memory = MEMORY;
    solve(&options, &limits, path_of("little"));
    struct proof_file_report checked;
    why = (struct nonet_text)NONET_TEXT_IN(reason);
    limits.memory = 1 << 16;
    assert_false(proof_file_verify(path_of("little"), &limits, &checked, &why));
    assert_non_null(strstr(reason, "memory"));
}

/* --- Killed and continued --- */

static int notes;

static void count_note(void *context, const char *line) {
    (void)context, (void)line;
    notes++;
}

static void remove_work(const char *work) {
    checkpoint_forget(work);
    rmdir(work);
}

/* Starts a solve in another process, and kills it when it has kept a checkpoint. A solve that is
 * done before that is begun again. */
static void solve_and_kill(const struct nonet_options *options, struct solve_limits limits) {
    char checkpoint[300];
    snprintf(checkpoint, sizeof checkpoint, "%s/proof.checkpoint", limits.work);
    limits.checkpoint_seconds = 0;
    do {
        pid_t child = fork();
        if (child == 0) {
            struct proof_report report;
            struct nonet_text why = NONET_TEXT_IN(reason);
            for (;;) /* the checkpoint of a solve that is done is gone */
                solve_proof(options, &limits, NULL, &report, &why);
        }
        assert_true(child > 0);
        while (access(checkpoint, R_OK) != 0)
            usleep(1000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    } while (access(checkpoint, R_OK) != 0);
}

static void killed(void **unused) {
    (void)unused;
    /* Large enough for a checkpoint on a fast machine. */
    struct nonet_options options = options_of(is_short ? "ksar:frame=5x6" : "ksar:frame=5x7");
    char work[256];
    snprintf(work, sizeof work, "%s", path_of("work"));
    struct solve_limits limits = limits_of(2);
    limits.note = count_note;
    limits.work = work;
    memcpy(&limits.work_key, "0123456789abcdef", sizeof limits.work_key);
    assert_int_equal(mkdir(work, 0700), 0);
    for (int larger = 0; larger < 2; larger++) {
        solve_and_kill(&options, limits);
        limits.memory = larger ? 2 * MEMORY : MEMORY / 2;
        struct proof_report report = solve(&options, &limits, path_of("continued"));
        limits.memory = MEMORY;
        struct proof_file_report checked;
        assert_int_equal(nonet_value_signed(&report.value), 3);
        CHECK(verify(path_of("continued"), &checked), "%s", reason);
        assert_int_equal(notes, 0);
        assert_false(checkpoint_forget(work));
    }
    /* One that somebody else wrote is not believed. */
    solve_and_kill(&options, limits);
    limits.work_key.word[0]++;
    struct proof_report report = solve(&options, &limits, NULL);
    assert_int_equal(nonet_value_signed(&report.value), 3);
    assert_int_equal(notes, 1);
    remove_work(work);
}

/* --- Forged certificates --- */

static unsigned char *read_file(const char *path, size_t *size) {
    struct nonet_text why = NONET_TEXT_IN(reason);
    char *bytes = files_read(path, 1 << 20, size, &why);
    assert_non_null(bytes);
    return (unsigned char *)bytes;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void damaged(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("ksar:frame=4x5");
    struct solve_limits limits = limits_of(1);
    struct proof_file_report checked;
    size_t size;
    solve(&options, &limits, path_of("good"));
    unsigned char *bytes = read_file(path_of("good"), &size);
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] ^= (unsigned char)(1 << bit);
            write_file(path_of("bad"), bytes, size);
            CHECK(!verify(path_of("bad"), &checked), "byte %zu", i);
            bytes[i] ^= (unsigned char)(1 << bit);
        }
    for (size_t less = 0; less < size; less++) {
        write_file(path_of("bad"), bytes, less);
        assert_false(verify(path_of("bad"), &checked));
    }
    bytes[size] = 0; /* files_read leaves room for it */
    write_file(path_of("bad"), bytes, size + 1);
    assert_false(verify(path_of("bad"), &checked));
    write_file(path_of("bad"), bytes, size);
    assert_true(verify(path_of("bad"), &checked));
    free(bytes);
}

/* The numbers of a proof and, for each, the position it is about. */
enum { MOST_NUMBERS = 4096 };
struct script {
    int count, at, number[MOST_NUMBERS], context[MOST_NUMBERS];
    bool refutable[MOST_NUMBERS]; /* another choice is known to be wrong: */
    int wrong[MOST_NUMBERS];
    struct proof_search *search;
    void *exact;
};

/* Proves a claim in a way of its own: leaves where they are possible, and otherwise the first move
 * that the other search finds good. */
static int prove(void *context, const struct proof_walk *walk, const void *state,
                 const nonet_move *moves, int count) {
    struct script *script = context;
    int at = script->count++, right = -1;
    assert_true(at < MOST_NUMBERS);
    bool leaf = proof_walk_settles(walk, state);
    for (int i = 0; i < count; i++) {
        struct nonet_state next = after(walk->options, state, moves[i]);
        bool reaches = exact_score(script->exact, &next) >= walk->claim.goal;
        if (reaches == walk->claim.at_least && right < 0)
            right = i + 1;
        if (reaches != walk->claim.at_least) {
            script->refutable[at] = true;
            script->wrong[at] = i + 1;
        }
    }
    if (!leaf && !script->refutable[at]) {
        script->refutable[at] = true;
        script->wrong[at] = 0; /* it is no leaf */
    }
    script->number[at] = leaf ? 0 : right;
    script->context[at] = proof_context(walk);
    return script->number[at];
}

static void pack(const struct script *script, struct proof_part *part) {
    struct proof_packer packer;
    proof_packer_begin(&packer);
    for (int i = 0; i < script->count; i++)
        proof_pack(&packer, script->context[i], script->number[i]);
    proof_packer_end(&packer);
    assert_false(packer.failed);
    free(part->bytes);
    *part = (struct proof_part){(uint64_t)script->count, packer.bytes, packer.size};
}

static bool believed(const struct proof_certificate *certificate) {
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct proof_file_report checked;
    CHECK(proof_file_write(path_of("forged"), certificate, &why), "%s", reason);
    return verify(path_of("forged"), &checked);
}

/* With right checksums: every number in turn is replaced by one that is wrong, is left out, or is
 * followed by one more; the score is another; it is about another frame. */
static void forged(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("ksar:frame=4x5"),
                         other = options_of("ksar:frame=5x4");
    struct budget budget = {0};
    struct script scripts[PROOF_CLAIMS] = {{0}};
    void *exact = new_exact(&options);
    struct nonet_state start = start_of(&options);
    struct proof_certificate certificate = {
        .options = &options, .score = exact_score(exact, &start), .limit = 8};
    int changed = 0;
    for (int i = 0; i < PROOF_CLAIMS; i++) {
        struct nonet_text why = NONET_TEXT_IN(reason);
        scripts[i].exact = exact;
        struct proof_walk walk = {.options = &options,
                                  .claim = proof_claim_of(certificate.score, i),
                                  .limit = certificate.limit,
                                  .choose = prove,
                                  .context = &scripts[i],
                                  .budget = &budget};
        CHECK(proof_walk(&walk, &why), "%s", reason);
        assert_int_equal(walk.choices, scripts[i].count);
        pack(&scripts[i], &certificate.part[i]);
    }
    assert_true(believed(&certificate));
    for (int i = 0; i < PROOF_CLAIMS; i++) {
        struct script *script = &scripts[i];
        for (int j = 0; j < script->count; j++) {
            if (!script->refutable[j])
                continue;
            int right = script->number[j];
            script->number[j] = script->wrong[j];
            pack(script, &certificate.part[i]);
            assert_false(believed(&certificate));
            script->number[j] = PROOF_NUMBER_MOST;
            pack(script, &certificate.part[i]);
            assert_false(believed(&certificate));
            assert_non_null(strstr(reason, "none of its moves"));
            script->number[j] = right;
            changed++;
        }
        script->count--;
        pack(script, &certificate.part[i]);
        assert_false(believed(&certificate));
        script->count += 2;
        pack(script, &certificate.part[i]);
        assert_false(believed(&certificate));
        assert_non_null(strstr(reason, "more than is asked"));
        script->count--;
        pack(script, &certificate.part[i]);
    }
    assert_true(changed > 20);
    for (int by = -2; by <= 2; by++) {
        certificate.score += by;
        assert_int_equal(believed(&certificate), by == 0);
        certificate.score -= by;
    }
    certificate.options = &other;
    assert_false(believed(&certificate));
    certificate.options = &options;
    certificate.limit = 1;
    assert_false(believed(&certificate));
    for (int i = 0; i < PROOF_CLAIMS; i++)
        free(certificate.part[i].bytes);
    free(exact);
    assert_int_equal(budget.used, 0);
}

/* Proofs of random bytes, with right checksums: none is believed. */
static void nonsense(void **unused) {
    (void)unused;
    struct nonet_options options = options_of("ksar:frame=5x5");
    struct nonet_random random = {1};
    unsigned char bytes[PROOF_CLAIMS][64];
    for (int i = 0; i < 300; i++) {
        struct proof_certificate certificate = {
            .options = &options,
            .score = (int)nonet_random_below(&random, 9) - 4,
            .limit = nonet_random_below(&random, 3),
        };
        for (int j = 0; j < PROOF_CLAIMS; j++) {
            for (size_t k = 0; k < sizeof bytes[j]; k++)
                bytes[j][k] = (unsigned char)nonet_random_below(&random, 256);
            certificate.part[j] = (struct proof_part){nonet_random_next(&random), bytes[j],
                                                      nonet_random_below(&random, 64)};
        }
        assert_false(believed(&certificate));
    }
}

/* Bytes of any kind unpack to numbers within bounds, and what was packed comes back. */
static void numbers(void **unused) {
    (void)unused;
    enum { COUNT = 20000 };
    static int number[COUNT], context[COUNT];
    struct nonet_random random = {1};
    struct proof_packer packer;
    struct proof_unpacker unpacker;
    proof_packer_begin(&packer);
    for (int i = 0; i < COUNT; i++) {
        int bits = (int)nonet_random_below(&random, PROOF_NUMBER_BITS + 1);
        number[i] = (int)nonet_random_below(&random, 1u << bits);
        context[i] = (int)nonet_random_below(&random, PROOF_CONTEXTS);
        proof_pack(&packer, context[i], number[i]);
    }
    proof_packer_end(&packer);
    assert_false(packer.failed);
    proof_unpacker_begin(&unpacker, packer.bytes, packer.size);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(proof_unpack(&unpacker, context[i]), number[i]);
    assert_true(proof_unpacker_is_done(&unpacker));
    for (size_t i = 0; i < packer.size; i++)
        packer.bytes[i] = (unsigned char)nonet_random_below(&random, 256);
    proof_unpacker_begin(&unpacker, packer.bytes, packer.size);
    for (int i = 0; i < 2 * COUNT; i++) {
        int found = proof_unpack(&unpacker, context[i % COUNT]);
        assert_true(found >= 0 && found <= PROOF_NUMBER_MOST);
    }
    free(packer.bytes);
}

static int remove_folder(void **unused) {
    (void)unused;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(int argc, char **argv) {
    is_short = argc > 1 && strcmp(argv[1], "short") == 0;
    if (mkdtemp(folder) == NULL)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_frames),  cmocka_unit_test(small_frames),
        cmocka_unit_test(who_is_taken), cmocka_unit_test(what_the_table_knows),
        cmocka_unit_test(killed),       cmocka_unit_test(too_little_memory),
        cmocka_unit_test(damaged),      cmocka_unit_test(forged),
        cmocka_unit_test(nonsense),     cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
