#include "book_store.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "files.h"
#include "folders.h"

void book_file_name(const struct nonet_options *options, struct nonet_text *name) {
    folders_file(options, "nonet-book", name);
}

/* The text of a file that is no larger than a book can be; null if there is none. */
static char *read_text(int file, uint64_t size) {
    char *text = size <= NONET_BOOK_SIZE ? malloc((size_t)size + 1) : NULL;
    if (text == NULL || !files_fetch(file, 0, text, (size_t)size)) {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

static void refuse(const char *path, const char *reason, struct nonet_text *note) {
    nonet_text_format(note, "%s%s cannot be used: %s", note->length > 0 ? "; " : "", path, reason);
}

static struct nonet_book *open_book(const char *path, const struct nonet_options *options,
                                    struct nonet_text *note) {
    char reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct nonet_message message;
    uint64_t size;
    int file = files_open(path, &size, &why);
    if (file < 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            refuse(path, reason, note);
        return NULL;
    }
    char *text = read_text(file, size);
    close(file);
    struct nonet_book *book = NULL;
    if (text == NULL)
        refuse(path, "it cannot be read, or is too large", note);
    else if ((book = nonet_book_read(options, text, &message)) == NULL) {
        nonet_message_write(&message, NULL, &why);
        refuse(path, reason, note);
    }
    free(text);
    return book;
}

struct nonet_book *book_file_find(const struct nonet_options *options, struct nonet_text *note) {
    char folders[FOLDERS][FOLDERS_PATH], path[FOLDERS_PATH];
    int count = nonet_book_suits(options) ? folders_of("NONET_BOOKS", "books", folders) : 0;
    for (int i = 0; i < count; i++) {
        struct nonet_text text = NONET_TEXT_IN(path);
        nonet_text_format(&text, "%s/", folders[i]);
        book_file_name(options, &text);
        struct nonet_book *book = text.cut ? NULL : open_book(path, options, note);
        if (book != NULL)
            return book;
    }
    return NULL;
}
