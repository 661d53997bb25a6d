#include "checkpoint.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "host/files.h"
#include "table/fingerprint.h"

static const char suffix[] = ".checkpoint";

struct header {
    char magic[8];
    uint64_t game; /* hash of its name, and its fingerprint */
    uint32_t process, processes, byte_order, zero;
    uint64_t size, checksum; /* of what follows; the checksum depends on a key */
};

enum { BUFFER = 1 << 20 };

struct checkpoint {
    int file;
    bool is_new, failed;
    char path[PATH_MAX], temporary[FILES_PATH];
    struct header header;
    struct nonet_siphash_key key;
    uint64_t begin;        /* the checksum of the header alone */
    uint64_t left, offset; /* bytes still to be read, and their place in the file */
    size_t used, at;
    unsigned char buffer[BUFFER];
};

/* Extends the checksum by the next part. It begins with the checksum of the header, in which size
 * and checksum are still 0. */
static uint64_t join(const struct checkpoint *checkpoint, uint64_t sum, const void *bytes,
                     size_t size) {
    uint64_t both[2] = {sum, nonet_siphash(&checkpoint->key, bytes, size)};
    return nonet_siphash(&checkpoint->key, both, sizeof both);
}

static struct header header_of(const struct checkpoint_owner *owner) {
    char game[256];
    struct nonet_text text = NONET_TEXT_IN(game);
    nonet_options_write(owner->options, &text);
    return (struct header){
        .magic = "nonetcp3",
        .game = nonet_hash(game, text.length) ^ nonet_table_fingerprint(owner->options, NULL),
        .process = (uint32_t)owner->process,
        .processes = (uint32_t)owner->processes,
        .byte_order = 0x01020304,
    };
}

/* A checkpoint without a file yet; null if there is no folder or no memory. */
static struct checkpoint *prepare(const struct checkpoint_owner *owner, const char *name) {
    struct checkpoint *checkpoint =
        owner->folder != NULL ? malloc(sizeof(struct checkpoint)) : NULL;
    if (checkpoint == NULL)
        return NULL;
    memset(checkpoint, 0, offsetof(struct checkpoint, buffer));
    checkpoint->header = header_of(owner);
    checkpoint->key = owner->key;
    checkpoint->begin = join(checkpoint, 0, &checkpoint->header, sizeof checkpoint->header);
    checkpoint->header.checksum = checkpoint->begin;
    struct nonet_text path = NONET_TEXT_IN(checkpoint->path);
    nonet_text_format(&path, "%s/%s", owner->folder, name);
    if (owner->processes > 1)
        nonet_text_format(&path, "-%d-of-%d", owner->process + 1, owner->processes);
    nonet_text_add(&path, suffix);
    if (!path.cut)
        return checkpoint;
    free(checkpoint);
    return NULL;
}

struct checkpoint *checkpoint_create(const struct checkpoint_owner *owner, const char *name) {
    struct checkpoint *checkpoint = prepare(owner, name);
    if (checkpoint == NULL)
        return NULL;
    checkpoint->is_new = true;
    checkpoint->file = files_create(checkpoint->path, ".new-", 0600, checkpoint->temporary);
    if (checkpoint->file >= 0 && lseek(checkpoint->file, sizeof checkpoint->header, SEEK_SET) >= 0)
        return checkpoint;
    if (checkpoint->file >= 0)
        close(checkpoint->file);
    free(checkpoint);
    return NULL;
}

/* Reads the next buffer. */
static bool refill(struct checkpoint *checkpoint) {
    checkpoint->at = 0;
    checkpoint->used = checkpoint->left < BUFFER ? (size_t)checkpoint->left : BUFFER;
    checkpoint->left -= checkpoint->used;
    if (checkpoint->used == 0 ||
        !files_fetch(checkpoint->file, checkpoint->offset, checkpoint->buffer, checkpoint->used))
        return false;
    checkpoint->offset += checkpoint->used;
    return true;
}

/* Reads the whole file once for its checksum, and goes back to the beginning. */
static bool is_sound(struct checkpoint *checkpoint, uint64_t size, uint64_t checksum) {
    uint64_t sum = checkpoint->begin;
    checkpoint->left = size;
    checkpoint->offset = sizeof checkpoint->header;
    while (checkpoint->left > 0) {
        if (!refill(checkpoint))
            return false;
        sum = join(checkpoint, sum, checkpoint->buffer, checkpoint->used);
    }
    checkpoint->left = size;
    checkpoint->offset = sizeof checkpoint->header;
    checkpoint->used = checkpoint->at = 0;
    return sum == checksum;
}

struct checkpoint *checkpoint_open(const struct checkpoint_owner *owner, const char *name) {
    struct checkpoint *checkpoint = prepare(owner, name);
    if (checkpoint == NULL)
        return NULL;
    struct header found;
    uint64_t size;
    char ignored[256];
    struct nonet_text why = NONET_TEXT_IN(ignored);
    checkpoint->file = files_open(checkpoint->path, &size, &why);
    if (checkpoint->file >= 0) {
        if (files_fetch(checkpoint->file, 0, &found, sizeof found) &&
            found.size == size - sizeof found) {
            checkpoint->header.size = found.size;
            checkpoint->header.checksum = found.checksum;
            if (memcmp(&found, &checkpoint->header, sizeof found) == 0 &&
                is_sound(checkpoint, found.size, found.checksum))
                return checkpoint;
        }
        close(checkpoint->file);
    }
    free(checkpoint);
    return NULL;
}

uint64_t checkpoint_left(const struct checkpoint *checkpoint) {
    return checkpoint->left + checkpoint->used - checkpoint->at;
}

bool checkpoint_is_new(const struct checkpoint *checkpoint) {
    return checkpoint->is_new;
}

static void flush(struct checkpoint *checkpoint) {
    struct header *header = &checkpoint->header;
    if (checkpoint->used == 0)
        return;
    header->size += checkpoint->used;
    header->checksum = join(checkpoint, header->checksum, checkpoint->buffer, checkpoint->used);
    if (!files_write(checkpoint->file, checkpoint->buffer, checkpoint->used))
        checkpoint->failed = true;
    checkpoint->used = 0;
}

bool checkpoint_transfer(struct checkpoint *checkpoint, void *bytes, uint64_t size) {
    for (unsigned char *rest = bytes; size > 0 && !checkpoint->failed;) {
        size_t part;
        if (checkpoint->is_new) {
            part = BUFFER - checkpoint->used < size ? BUFFER - checkpoint->used : (size_t)size;
            memcpy(checkpoint->buffer + checkpoint->used, rest, part);
            checkpoint->used += part;
            if (checkpoint->used == BUFFER)
                flush(checkpoint);
        } else {
            if (checkpoint->at == checkpoint->used && !refill(checkpoint)) {
                checkpoint->failed = true;
                break;
            }
            part = checkpoint->used - checkpoint->at < size ? checkpoint->used - checkpoint->at
                                                            : (size_t)size;
            memcpy(rest, checkpoint->buffer + checkpoint->at, part);
            checkpoint->at += part;
        }
        rest += part;
        size -= part;
    }
    return !checkpoint->failed;
}

bool checkpoint_close(struct checkpoint *checkpoint) {
    bool good = !checkpoint->failed;
    if (checkpoint->is_new) {
        flush(checkpoint);
        good = !checkpoint->failed && lseek(checkpoint->file, 0, SEEK_SET) == 0 &&
               files_write(checkpoint->file, &checkpoint->header, sizeof checkpoint->header) &&
               files_rename(checkpoint->file, checkpoint->temporary, checkpoint->path);
        if (!good)
            unlink(checkpoint->temporary);
    }
    good = close(checkpoint->file) == 0 && good;
    free(checkpoint);
    return good;
}

static void tier_name(int tier, char name[16]) {
    snprintf(name, 16, "tier%02d", tier);
}

bool checkpoint_keep_tier(const struct checkpoint_owner *owner, int tier, void *values,
                          uint64_t size) {
    char name[16];
    tier_name(tier, name);
    struct checkpoint *checkpoint = checkpoint_create(owner, name);
    if (checkpoint == NULL)
        return false;
    checkpoint_transfer(checkpoint, values, size);
    return checkpoint_close(checkpoint);
}

bool checkpoint_fetch_tier(const struct checkpoint_owner *owner, int tier, void *values,
                           uint64_t size) {
    char name[16];
    tier_name(tier, name);
    struct checkpoint *checkpoint = checkpoint_open(owner, name);
    if (checkpoint == NULL)
        return false;
    bool good =
        checkpoint_left(checkpoint) == size && checkpoint_transfer(checkpoint, values, size);
    return checkpoint_close(checkpoint) && good;
}

bool checkpoint_forget(const char *folder) {
    DIR *directory = folder != NULL ? opendir(folder) : NULL;
    if (directory == NULL)
        return false;
    bool any = false;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strstr(entry->d_name, suffix) != NULL)
            any |= unlinkat(dirfd(directory), entry->d_name, 0) == 0;
    closedir(directory);
    return any;
}
