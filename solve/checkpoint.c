#include "checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "table/fingerprint.h"

static const char suffix[] = ".checkpoint";

struct header {
    char magic[8];
    uint64_t game; /* hash of its name, with the fingerprint of how it writes positions */
    uint32_t process, processes, byte_order, zero;
    uint64_t size, checksum; /* of what follows */
};

enum { BUFFER = 1 << 20 };

struct checkpoint {
    int file;
    bool is_new, failed;
    char path[PATH_MAX], temporary[PATH_MAX + 8];
    struct header header;
    uint64_t left; /* to be read */
    size_t used, at;
    unsigned char buffer[BUFFER];
};

static uint64_t join(uint64_t sum, uint64_t more) {
    uint64_t both[2] = {sum, more};
    return nonet_hash(both, sizeof both);
}

static struct header header_of(const struct checkpoint_owner *owner) {
    char game[256];
    struct nonet_text text = NONET_TEXT_IN(game);
    nonet_options_write(owner->options, &text);
    return (struct header){
        .magic = "nonetcp2",
        .game = join(nonet_hash(game, text.length), nonet_table_fingerprint(owner->options, NULL)),
        .process = (uint32_t)owner->process,
        .processes = (uint32_t)owner->processes,
        .byte_order = 0x01020304,
    };
}

/* A checkpoint that no file belongs to yet; null without a folder or memory. */
static struct checkpoint *prepare(const struct checkpoint_owner *owner, const char *name) {
    struct checkpoint *checkpoint =
        owner->folder != NULL ? malloc(sizeof(struct checkpoint)) : NULL;
    if (checkpoint == NULL)
        return NULL;
    memset(checkpoint, 0, offsetof(struct checkpoint, buffer));
    checkpoint->header = header_of(owner);
    struct nonet_text path = NONET_TEXT_IN(checkpoint->path);
    nonet_text_format(&path, "%s/%s", owner->folder, name);
    if (owner->processes > 1)
        nonet_text_format(&path, "-%d-of-%d", owner->process + 1, owner->processes);
    nonet_text_add(&path, suffix);
    snprintf(checkpoint->temporary, sizeof checkpoint->temporary, "%s.new", checkpoint->path);
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
    checkpoint->file = open(checkpoint->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (checkpoint->file >= 0 && lseek(checkpoint->file, sizeof checkpoint->header, SEEK_SET) >= 0)
        return checkpoint;
    if (checkpoint->file >= 0)
        close(checkpoint->file);
    free(checkpoint);
    return NULL;
}

static bool write_all(int file, const unsigned char *bytes, size_t size) {
    while (size > 0) {
        ssize_t done = write(file, bytes, size);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        }
    }
    return true;
}

static bool read_all(int file, void *bytes, size_t size) {
    for (unsigned char *rest = bytes; size > 0;) {
        ssize_t done = read(file, rest, size);
        if (done == 0 || (done < 0 && errno != EINTR))
            return false;
        if (done > 0) {
            rest += done;
            size -= (size_t)done;
        }
    }
    return true;
}

/* The next buffer of what can be read. */
static bool refill(struct checkpoint *checkpoint) {
    checkpoint->at = 0;
    checkpoint->used = checkpoint->left < BUFFER ? (size_t)checkpoint->left : BUFFER;
    checkpoint->left -= checkpoint->used;
    return checkpoint->used > 0 && read_all(checkpoint->file, checkpoint->buffer, checkpoint->used);
}

/* Reads all of it once for its checksum, and goes back to the beginning. */
static bool is_sound(struct checkpoint *checkpoint, uint64_t size, uint64_t checksum) {
    uint64_t sum = 0;
    checkpoint->left = size;
    while (checkpoint->left > 0) {
        if (!refill(checkpoint))
            return false;
        sum = join(sum, nonet_hash(checkpoint->buffer, checkpoint->used));
    }
    checkpoint->left = size;
    checkpoint->used = 0;
    return sum == checksum && lseek(checkpoint->file, sizeof checkpoint->header, SEEK_SET) >= 0;
}

struct checkpoint *checkpoint_open(const struct checkpoint_owner *owner, const char *name) {
    struct checkpoint *checkpoint = prepare(owner, name);
    if (checkpoint == NULL)
        return NULL;
    struct header found;
    struct stat status;
    checkpoint->file = open(checkpoint->path, O_RDONLY | O_CLOEXEC);
    if (checkpoint->file >= 0) {
        if (fstat(checkpoint->file, &status) == 0 &&
            read_all(checkpoint->file, &found, sizeof found) &&
            found.size == (uint64_t)status.st_size - sizeof found) {
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

uint64_t checkpoint_size(const struct checkpoint *checkpoint) {
    return checkpoint->header.size;
}

bool checkpoint_is_new(const struct checkpoint *checkpoint) {
    return checkpoint->is_new;
}

static void flush(struct checkpoint *checkpoint) {
    struct header *header = &checkpoint->header;
    if (checkpoint->used == 0)
        return;
    header->size += checkpoint->used;
    header->checksum = join(header->checksum, nonet_hash(checkpoint->buffer, checkpoint->used));
    if (!write_all(checkpoint->file, checkpoint->buffer, checkpoint->used))
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
               write_all(checkpoint->file, (const unsigned char *)&checkpoint->header,
                         sizeof checkpoint->header) &&
               fsync(checkpoint->file) == 0;
    }
    good = close(checkpoint->file) == 0 && good;
    if (checkpoint->is_new && (!good || rename(checkpoint->temporary, checkpoint->path) != 0)) {
        unlink(checkpoint->temporary);
        good = false;
    }
    free(checkpoint);
    return good;
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
