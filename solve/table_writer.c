#include "table_writer.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/files.h"
#include "rules/ranking.h"
#include "table/codec.h"
#include "table/fingerprint.h"
#include "table/format.h"
#include "table_preface.h"

/* Larger blocks make tables smaller and probes slower; docs/tables.md has the figures. One chapter
 * at a time is kept in memory. */
enum {
    LISTED_ENTRIES = 256,
    RANKED_ENTRIES = 2048,
    CHAPTER_BYTES = 1 << 25,
    THREADS_MOST = 16,
};

struct buffer {
    unsigned char *bytes;
    size_t size, room;
};

struct table_writer {
    struct nonet_options options;
    struct nonet_table_header header;
    struct nonet_table_section *section; /* the one being written */
    char path[PATH_MAX], part[FILES_PATH];
    int file;
    uint64_t written;
    char failure[256]; /* empty: no failure so far */
    /* The chapter being collected. */
    size_t room, count; /* of entries */
    unsigned char *states;
    uint16_t *codes;
    int value;                             /* the next one of the entry; all before it are there */
    unsigned char last[NONET_STATE_MAX];   /* state added last */
    struct buffer index, prefaces, blocks; /* of sections before, of this section */
    struct nonet_codec codec;
};

static void fail(struct table_writer *writer, const char *what, const char *reason) {
    if (writer->failure[0] != '\0')
        return;
    struct nonet_text text = NONET_TEXT_IN(writer->failure);
    nonet_text_format(&text, "%s%s%s", what, reason[0] != '\0' ? ": " : "", reason);
}

/* Room for `size` bytes more. */
static bool reserve(struct buffer *buffer, size_t size) {
    if (buffer->room - buffer->size >= size)
        return true;
    size_t room = 2 * buffer->room + size;
    unsigned char *larger = realloc(buffer->bytes, room);
    if (larger == NULL)
        return false;
    buffer->bytes = larger;
    buffer->room = room;
    return true;
}

static bool append(struct buffer *buffer, const void *bytes, size_t size) {
    if (size == 0)
        return true;
    if (!reserve(buffer, size))
        return false;
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    return true;
}

/* What the index says about a preface or a block. */
static bool append_entry(struct buffer *buffer, const unsigned char *part, size_t size) {
    unsigned char entry[NONET_TABLE_PART];
    nonet_store32(entry, (uint32_t)size);
    nonet_store32(entry + 4, nonet_table_checksum(0, part, size));
    return append(buffer, entry, sizeof entry);
}

static void put_out(struct table_writer *writer, const unsigned char *bytes, size_t size,
                    uint64_t offset) {
    while (size > 0 && writer->failure[0] == '\0') {
        ssize_t done = pwrite(writer->file, bytes, size, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            fail(writer, "cannot write the table", strerror(errno));
            return;
        }
        bytes += done;
        size -= (size_t)done;
        offset += (uint64_t)done;
    }
}

static void write_out(struct table_writer *writer, const unsigned char *bytes, size_t size) {
    put_out(writer, bytes, size, writer->written);
    writer->written += size;
}

static const char part_mark[] = ".part-";

/* Opens a file for this process alone, and removes files that killed processes left. */
static bool open_part(struct table_writer *writer, struct nonet_text *why) {
    if (!files_clear(writer->path, part_mark)) {
        nonet_text_format(why, "%s is being written by another process", writer->path);
        return false;
    }
    writer->file = files_create(writer->path, part_mark, 0666, writer->part);
    if (writer->file < 0)
        nonet_text_format(why, "cannot write %s: %s", writer->path, strerror(errno));
    return writer->file >= 0;
}

static void release(struct table_writer *writer) {
    free(writer->states);
    free(writer->codes);
    free(writer->index.bytes);
    free(writer->prefaces.bytes);
    free(writer->blocks.bytes);
    free(writer);
}

static void begin_section(struct table_writer *writer, enum nonet_table_part part) {
    writer->section = &writer->header.section[part];
    writer->room = (size_t)writer->section->block_entries * writer->section->chapter_blocks;
    nonet_codec_init(&writer->codec, writer->section->key_size);
}

struct table_writer *table_writer_open(const char *path, const struct nonet_options *options,
                                       enum table_layout layout, struct nonet_text *why) {
    const struct nonet_game *game = options->game;
    struct table_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        nonet_text_add(why, "there is no memory left");
        return NULL;
    }
    struct nonet_table_header *header = &writer->header;
    header->has_margin = (game->facts & NONET_POINTS) != 0;
    header->values = (uint16_t)nonet_values_of_position(options);
    header->state_size = game->state_size;
    header->section[NONET_TABLE_LISTED].key_size = game->state_size;
    size_t room[NONET_TABLE_SECTIONS];
    for (int i = 0; i < NONET_TABLE_SECTIONS; i++) {
        struct nonet_table_section *section = &header->section[i];
        section->block_entries = i == NONET_TABLE_RANKED ? RANKED_ENTRIES : LISTED_ENTRIES;
        section->chapter_blocks =
            (uint32_t)(CHAPTER_BYTES / section->block_entries /
                       (sizeof writer->codes[0] * header->values + section->key_size));
        room[i] = (size_t)section->block_entries * section->chapter_blocks;
    }
    struct nonet_text name = NONET_TEXT_IN(header->name);
    nonet_options_write(options, &name);
    writer->options = *options;
    writer->codes = malloc(room[NONET_TABLE_RANKED] * header->values * sizeof writer->codes[0]);
    writer->states = malloc(room[NONET_TABLE_LISTED] * game->state_size);
    struct nonet_text whole = NONET_TEXT_IN(writer->path);
    nonet_text_add(&whole, path);
    struct stat there;
    if (writer->codes == NULL || writer->states == NULL)
        nonet_text_add(why, "there is no memory left");
    else if (whole.cut)
        nonet_text_add(why, "the table's file name is too long");
    else if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        nonet_text_format(why, "%s is %s", path,
                          S_ISDIR(there.st_mode) ? "a directory" : "not a regular file");
    else if (open_part(writer, why)) {
        begin_section(writer, layout == TABLE_RANKED ? NONET_TABLE_RANKED : NONET_TABLE_LISTED);
        writer->written = NONET_TABLE_HEADER + name.length;
        return writer;
    }
    release(writer);
    return NULL;
}

/* A share of a chapter's blocks, packed by one thread. */
struct share {
    const struct table_writer *writer;
    size_t first, end; /* blocks */
    struct buffer packed, entries;
    bool done;
    struct nonet_codec_model model;
};

static void *pack_share(void *argument) {
    struct share *share = argument;
    const struct table_writer *writer = share->writer;
    size_t block_entries = writer->section->block_entries, state_size = writer->section->key_size;
    size_t values = writer->header.values;
    for (size_t block = share->first; block < share->end; block++) {
        size_t from = block * block_entries;
        size_t count = writer->count - from < block_entries ? writer->count - from : block_entries;
        const unsigned char *keys = writer->states + from * state_size;
        size_t room = nonet_codec_room(&writer->codec, count * values);
        if (!reserve(&share->packed, room))
            return NULL;
        unsigned char *packed = share->packed.bytes + share->packed.size;
        size_t size = nonet_codec_pack(&writer->codec, &share->model, NONET_LEARN_NOTHING, keys,
                                       writer->codes + from * values, count * values, packed, room);
        if (size == SIZE_MAX || !append_entry(&share->entries, packed, size) ||
            !append(&share->entries, keys, state_size))
            return NULL;
        share->packed.size += size;
    }
    share->done = true;
    return NULL;
}

/* Packs the chapter's blocks on all processors. The result does not depend on their number. */
static bool pack_blocks(struct table_writer *writer, struct share *shares, int threads) {
    size_t blocks = (writer->count - 1) / writer->section->block_entries + 1;
    pthread_t thread[THREADS_MOST];
    bool started[THREADS_MOST] = {false};
    for (int i = 0; i < threads; i++) {
        shares[i].writer = writer;
        shares[i].first = blocks * (size_t)i / (size_t)threads;
        shares[i].end = blocks * (size_t)(i + 1) / (size_t)threads;
        started[i] = i > 0 && pthread_create(&thread[i], NULL, pack_share, &shares[i]) == 0;
    }
    for (int i = 0; i < threads; i++)
        if (!started[i])
            pack_share(&shares[i]);
    bool done = true;
    for (int i = 0; i < threads; i++) {
        if (started[i])
            pthread_join(thread[i], NULL);
        done = done && shares[i].done;
    }
    return done;
}

/* Packs and writes what has been collected. */
static void write_chapter(struct table_writer *writer) {
    if (writer->count == 0 || writer->failure[0] != '\0')
        return;
    struct nonet_table_section *section = writer->section;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int threads = processors < 1 ? 1 : processors > THREADS_MOST ? THREADS_MOST : (int)processors;
    struct share *shares = calloc((size_t)threads, sizeof *shares);
    unsigned char *preface = malloc(NONET_CODEC_PREFACE);
    if (shares == NULL || preface == NULL) {
        fail(writer, "there is no memory left to pack the table", "");
    } else if (!table_preface(&writer->codec, &shares[0].model,
                              section->key_size > 0 ? writer->states : NULL, writer->codes,
                              writer->count * writer->header.values,
                              (size_t)section->block_entries * writer->header.values)) {
        fail(writer, "the table has more different values than its format can hold", "");
    } else {
        size_t size = nonet_codec_write(&writer->codec, preface);
        if (!append_entry(&writer->prefaces, preface, size) ||
            !pack_blocks(writer, shares, threads))
            fail(writer, "there is no memory left to pack the table", "");
        write_out(writer, preface, size);
        for (int i = 0; i < threads; i++) {
            write_out(writer, shares[i].packed.bytes, shares[i].packed.size);
            if (!append(&writer->blocks, shares[i].entries.bytes, shares[i].entries.size))
                fail(writer, "there is no memory left for the table's index", "");
        }
    }
    for (int i = 0; shares != NULL && i < threads; i++) {
        free(shares[i].packed.bytes);
        free(shares[i].entries.bytes);
    }
    free(shares);
    free(preface);
    writer->count = 0;
}

static bool add_code(struct table_writer *writer, const struct nonet_value *value) {
    if (writer->failure[0] != '\0')
        return false;
    int code = nonet_value_code(value);
    if (code < 0 || value->has_margin != writer->header.has_margin) {
        fail(writer, "a value is too large for the table's format, or contradicts itself", "");
        return false;
    }
    writer->codes[writer->count * writer->header.values + (size_t)writer->value++] = (uint16_t)code;
    if (code > writer->header.greatest)
        writer->header.greatest = (uint16_t)code;
    if (writer->value < writer->header.values)
        return true;
    writer->value = 0;
    writer->count++;
    writer->section->count++;
    if (writer->count == writer->room)
        write_chapter(writer);
    return writer->failure[0] == '\0';
}

/* Completes the section and its part of the index. */
static void end_section(struct table_writer *writer) {
    write_chapter(writer);
    if (!nonet_table_section_complete(writer->section))
        fail(writer, "the table has more positions than its format can hold", "");
    if (!append(&writer->index, writer->prefaces.bytes, writer->prefaces.size) ||
        !append(&writer->index, writer->blocks.bytes, writer->blocks.size))
        fail(writer, "there is no memory left for the table's index", "");
    writer->prefaces.size = writer->blocks.size = 0;
}

bool table_writer_add(struct table_writer *writer, const void *canonical_state,
                      const struct nonet_value *value) {
    size_t size = writer->header.state_size;
    assert(writer->header.values == 1);
    if (writer->section->key_size == 0) {
        end_section(writer);
        begin_section(writer, NONET_TABLE_LISTED);
    }
    if (writer->section->count > 0 && memcmp(writer->last, canonical_state, size) >= 0)
        fail(writer, "the table's states are not in rising order", "");
    if (writer->failure[0] != '\0')
        return false;
    memcpy(writer->last, canonical_state, size);
    memcpy(writer->states + writer->count * size, canonical_state, size);
    return add_code(writer, value);
}

bool table_writer_next(struct table_writer *writer, const struct nonet_value *value) {
    if (writer->section->key_size > 0)
        fail(writer, "the table's values come without states", "");
    return add_code(writer, value);
}

/* Adds the fingerprint, so that nobody reads the table with a different numbering. */
static void sign(struct table_writer *writer) {
    const struct nonet_options *options = &writer->options;
    void *index = NULL;
    if (writer->header.section[NONET_TABLE_RANKED].count > 0) {
        size_t size = options->game->ranking->index_size(options);
        index = malloc(size > 0 ? size : 1);
        if (index == NULL) {
            fail(writer, "there is no memory left to number positions", "");
            return;
        }
        options->game->ranking->build_index(options, index);
    }
    writer->header.fingerprint = nonet_table_fingerprint(options, index);
    free(index);
}

/* Writes the index, then the header, which says that the file is complete. */
static void finish(struct table_writer *writer) {
    struct nonet_table_header *header = &writer->header;
    end_section(writer);
    if (header->section[0].count + header->section[1].count == 0)
        fail(writer, "a table needs at least one position", "");
    sign(writer);
    header->index_offset = writer->written;
    header->index_size = writer->index.size;
    header->index_checksum = nonet_table_checksum(0, writer->index.bytes, writer->index.size);
    write_out(writer, writer->index.bytes, writer->index.size);
    unsigned char bytes[NONET_TABLE_HEADER + NONET_TABLE_NAME_MAX];
    size_t size = nonet_table_header_write(header, bytes);
    put_out(writer, bytes, size, 0);
}

bool table_writer_close(struct table_writer *writer, struct nonet_text *why) {
    finish(writer);
    if (writer->failure[0] == '\0' && !files_rename(writer->file, writer->part, writer->path))
        fail(writer, "cannot give the table its name", strerror(errno));
    bool good = writer->failure[0] == '\0';
    if (!good) {
        nonet_text_format(why, "%s: %s", writer->path, writer->failure);
        unlink(writer->part);
    }
    close(writer->file);
    release(writer);
    return good;
}

void table_writer_abandon(struct table_writer *writer) {
    unlink(writer->part);
    close(writer->file);
    release(writer);
}
