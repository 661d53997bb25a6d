#include "proof_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/random.h"
#include "host/clock.h"
#include "host/files.h"
#include "table/fingerprint.h"
#include "table/format.h"

static const unsigned char magic[8] = {'N', 'o', 'n', 'e', 't', 'P', 10, 26};

enum {
    VERSION = 1,
    HEADER = 80,
    NAME_MOST = 255,
    MARGIN_MOST = 2 * NONET_MAX_MARGIN + 1,
};

struct proof_claim proof_claim_of(int score, int number) {
    return number == 0 ? (struct proof_claim){.goal = score, .at_least = true}
                       : (struct proof_claim){.goal = score + 1, .at_least = false};
}

int proof_context(const struct proof_walk *walk) {
    int context = 2 * walk->depth + (walk->last != 0);
    return context < PROOF_CONTEXTS ? context : PROOF_CONTEXTS - 1;
}

static void store64(unsigned char *bytes, uint64_t value) {
    nonet_store32(bytes, (uint32_t)value);
    nonet_store32(bytes + 4, (uint32_t)(value >> 32));
}

static uint64_t load64(const unsigned char *bytes) {
    return nonet_load32(bytes) | (uint64_t)nonet_load32(bytes + 4) << 32;
}

/* Numbers count moves in an order that follows from the bounds. A program with other canonical
 * forms or bounds would take them for something else. So the fingerprint is that of a table, and of
 * the bounds of the positions of some fixed random games. */
static uint64_t fingerprint(const struct nonet_options *options) {
    enum { GAMES = 8 };
    const struct nonet_game *game = options->game;
    struct nonet_random random = {1};
    uint64_t words[2] = {nonet_table_fingerprint(options, NULL)};
    for (int i = 0; i < GAMES; i++) {
        struct nonet_state state = {0};
        nonet_move moves[NONET_MAX_MOVES];
        int low, high, count;
        game->start(options, &state, NULL);
        while ((count = game->moves(options, &state, moves)) > 0) {
            game->play(options, &state, NULL, moves[nonet_random_below(&random, (uint32_t)count)]);
            game->bounds(options, &state, &low, &high);
            words[1] =
                (uint64_t)(low + NONET_MAX_MARGIN) << 32 | (uint32_t)(high + NONET_MAX_MARGIN);
            words[0] = nonet_hash_words(words, sizeof words);
        }
    }
    return words[0];
}

/* --- Writing --- */

static void write_header(const struct proof_certificate *certificate, const char *name,
                         unsigned char header[HEADER + NAME_MOST], size_t length) {
    memset(header, 0, HEADER);
    memcpy(header, magic, sizeof magic);
    nonet_store32(header + 8, VERSION);
    nonet_store32(header + 12, (uint32_t)length);
    store64(header + 16, fingerprint(certificate->options));
    nonet_store32(header + 24, (uint32_t)certificate->score);
    nonet_store32(header + 28, certificate->limit);
    uint32_t checksum = 0;
    for (int i = 0; i < PROOF_CLAIMS; i++) {
        const struct proof_part *part = &certificate->part[i];
        store64(header + 32 + 16 * i, part->choices);
        store64(header + 40 + 16 * i, part->size);
        checksum = nonet_table_checksum(checksum, part->bytes, part->size);
    }
    nonet_store32(header + 64, checksum);
    memcpy(header + HEADER, name, length);
    checksum = nonet_table_checksum(0, header, HEADER - 4);
    nonet_store32(header + HEADER - 4, nonet_table_checksum(checksum, name, length));
}

bool proof_file_write(const char *path, const struct proof_certificate *certificate,
                      struct nonet_text *why) {
    static const char mark[] = ".part-";
    char name[256], part[FILES_PATH];
    unsigned char header[HEADER + NAME_MOST];
    struct nonet_text text = NONET_TEXT_IN(name);
    nonet_options_write(certificate->options, &text);
    write_header(certificate, name, header, text.length);
    if (!files_clear(path, mark)) {
        nonet_text_format(why, "%s is being written by another process", path);
        return false;
    }
    int file = files_create(path, mark, 0666, part);
    bool good = file >= 0 && files_write(file, header, HEADER + text.length);
    for (int i = 0; i < PROOF_CLAIMS && good; i++)
        good = files_write(file, certificate->part[i].bytes, certificate->part[i].size);
    good = good && files_rename(file, part, path);
    if (!good)
        nonet_text_format(why, "cannot write %s: %s", path, strerror(errno));
    if (!good && file >= 0)
        unlink(part);
    if (file >= 0)
        close(file);
    return good;
}

/* --- Reading --- */

bool proof_file_is(const char *path) {
    unsigned char begin[sizeof magic];
    char ignored[256];
    struct nonet_text why = NONET_TEXT_IN(ignored);
    uint64_t size;
    int file = files_open(path, &size, &why);
    bool is = file >= 0 && files_fetch(file, 0, begin, sizeof begin) &&
              memcmp(begin, magic, sizeof magic) == 0;
    if (file >= 0)
        close(file);
    return is;
}

struct verification {
    const struct solve_limits *limits;
    struct budget budget;
    struct proof_file_report *report;
    struct nonet_options options;
    struct proof_certificate certificate;
    uint32_t checksum;
    /* Of the current proof. */
    struct proof_unpacker unpacker;
    const struct proof_part *part;
    uint64_t before; /* bytes of the proofs before it */
    double begun;
};

static bool refuse(struct nonet_text *why, const char *reason) {
    nonet_text_add(why, reason);
    return false;
}

static bool read_header(struct verification *v, int file, uint64_t size, struct nonet_text *why) {
    static const char damaged[] = "the certificate is damaged in its header";
    unsigned char header[HEADER + NAME_MOST];
    struct proof_certificate *certificate = &v->certificate;
    struct nonet_message message;
    if (size < HEADER || !files_fetch(file, 0, header, HEADER) ||
        memcmp(header, magic, sizeof magic) != 0)
        return refuse(why, "this is not a certificate");
    if (nonet_load32(header + 8) != VERSION) {
        nonet_text_format(why, "the certificate has format version %u, and this program reads %d",
                          (unsigned)nonet_load32(header + 8), VERSION);
        return false;
    }
    uint32_t length = nonet_load32(header + 12);
    if (length > NAME_MOST || !files_fetch(file, HEADER, header + HEADER, length))
        return refuse(why, damaged);
    uint32_t checksum = nonet_table_checksum(0, header, HEADER - 4);
    if (nonet_table_checksum(checksum, header + HEADER, length) !=
        nonet_load32(header + HEADER - 4))
        return refuse(why, damaged);
    memcpy(v->report->game, header + HEADER, length);
    v->report->game[length] = '\0';
    if (!nonet_options_read(v->report->game, &v->options, &message)) {
        nonet_text_format(why, "this program does not know the certificate's game, \"%s\"",
                          nonet_quote(v->report->game).text);
        return false;
    }
    certificate->score = (int32_t)nonet_load32(header + 24);
    certificate->limit = nonet_load32(header + 28);
    v->checksum = nonet_load32(header + 64);
    uint64_t rest = size - HEADER - length;
    for (int i = 0; i < PROOF_CLAIMS; i++) {
        struct proof_part *part = &certificate->part[i];
        part->choices = load64(header + 32 + 16 * i);
        uint64_t bytes = load64(header + 40 + 16 * i);
        if (bytes > rest)
            return refuse(why, damaged);
        part->size = (size_t)bytes;
        rest -= bytes;
    }
    if (rest != 0)
        return refuse(why, "the certificate is damaged: its size is not what its header says");
    if (certificate->score < -MARGIN_MOST || certificate->score > MARGIN_MOST ||
        certificate->limit > PROOF_LIMIT_MOST)
        return refuse(why, damaged);
    if (!proof_applies(&v->options)) {
        nonet_text_format(why, "%s is not a game that a certificate can be about", v->report->game);
        return false;
    }
    if (load64(header + 16) != fingerprint(&v->options))
        return refuse(why,
                      "the certificate is from an older or newer program, which numbered moves in "
                      "another way");
    return true;
}

static bool read_parts(struct verification *v, int file, struct nonet_text *why) {
    uint64_t at = HEADER + strlen(v->report->game);
    uint32_t checksum = 0;
    for (int i = 0; i < PROOF_CLAIMS; i++) {
        struct proof_part *part = &v->certificate.part[i];
        part->bytes = budget_take(&v->budget, part->size);
        if (part->bytes == NULL) {
            budget_explain(&v->budget, why);
            return false;
        }
        if (!files_fetch(file, at, part->bytes, part->size))
            return refuse(why, "the certificate cannot be read");
        at += part->size;
        checksum = nonet_table_checksum(checksum, part->bytes, part->size);
    }
    return checksum == v->checksum ||
           refuse(why, "the certificate is damaged: its checksum is wrong");
}

static void tell_progress(const struct verification *v) {
    uint64_t all = v->certificate.part[0].size + v->certificate.part[1].size;
    double share = (double)(v->before + v->unpacker.at) / (double)(all + 8);
    solve_tell(v->limits, "checking", share, clock_now() - v->begun);
}

static int next_number(void *context, const struct proof_walk *walk, const void *state,
                       const nonet_move *moves, int count) {
    (void)state, (void)moves, (void)count;
    struct verification *v = context;
    if (walk->choices == v->part->choices)
        return -1;
    if (walk->choices % 1024 == 0)
        tell_progress(v);
    return proof_unpack(&v->unpacker, proof_context(walk));
}

static bool check_part(struct verification *v, int number, struct nonet_text *why) {
    v->part = &v->certificate.part[number];
    struct proof_walk walk = {
        .options = &v->options,
        .claim = proof_claim_of(v->certificate.score, number),
        .limit = v->certificate.limit,
        .choose = next_number,
        .context = v,
        .budget = &v->budget,
    };
    if (!files_random(walk.key, sizeof walk.key)) {
        nonet_text_format(why, "the system gives no random numbers: %s", strerror(errno));
        return false;
    }
    proof_unpacker_begin(&v->unpacker, v->part->bytes, v->part->size);
    bool good = proof_walk(&walk, why);
    v->report->choices += walk.choices;
    v->report->leaves += walk.leaves;
    v->report->positions += walk.positions;
    v->before += v->part->size;
    if (good && (walk.choices != v->part->choices || !proof_unpacker_is_done(&v->unpacker)))
        return refuse(why, "the certificate says more than is asked");
    return good;
}

bool proof_file_verify(const char *path, const struct solve_limits *limits,
                       struct proof_file_report *report, struct nonet_text *why) {
    *report = (struct proof_file_report){0};
    uint64_t size;
    int file = files_open(path, &size, why);
    if (file < 0)
        return false;
    struct verification v = {.limits = limits,
                             .budget = {.limit = limits->memory},
                             .report = report,
                             .begun = clock_now()};
    bool good = read_header(&v, file, size, why) && read_parts(&v, file, why);
    close(file);
    for (int i = 0; i < PROOF_CLAIMS && good; i++)
        good = check_part(&v, i, why);
    for (int i = 0; i < PROOF_CLAIMS; i++)
        budget_give_back(&v.budget, v.certificate.part[i].bytes, v.certificate.part[i].size);
    report->value = nonet_value_of_signed(v.certificate.score);
    return good;
}
