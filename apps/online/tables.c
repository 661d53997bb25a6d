#include "tables.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/files.h"
#include "host/table_store.h"

enum { MOST_TABLES = 64 };
static const char ending[] = ".nonet-table";

/* What the site needs to know about a table, in one block. */
struct table {
    char path[320], etag[64];
};

/* Whether a file's name can be part of an address as it is, and is that of a table. */
static bool is_table(const char *name) {
    size_t length = strlen(name), end = strlen(ending);
    return length > end && length < 256 && strcmp(name + length - end, ending) == 0 &&
           name[0] != '.' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
               length;
}

/* False if it cannot be opened: then it is not offered. */
static bool open_table(const char *folder, const char *name, struct site_file *entry) {
    char path[2 * TABLE_PATH], reason[256];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct stat status;
    uint64_t size;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = files_open(path, &size, &why);
    struct table *table = file >= 0 ? malloc(sizeof *table) : NULL;
    if (table == NULL || size == 0 || fstat(file, &status) != 0) {
        if (file >= 0)
            close(file);
        free(table);
        return false;
    }
    snprintf(table->path, sizeof table->path, "/tables/%s", name);
    snprintf(table->etag, sizeof table->etag, "\"%llx-%llx\"", (unsigned long long)size,
             (unsigned long long)status.st_mtim.tv_sec * 1000000000u +
                 (unsigned long long)status.st_mtim.tv_nsec);
    *entry = (struct site_file){
        .path = table->path,
        .type = "application/octet-stream",
        .bodies = {{.length = (size_t)size, .etag = table->etag, .file = file}},
    };
    return true;
}

struct site_file *tables_beside(const struct site_file *page) {
    size_t count = 0;
    while (page[count].path != NULL)
        count++;
    struct site_file *files = calloc(count + MOST_TABLES + 1, sizeof *files);
    if (files == NULL)
        return NULL;
    memcpy(files, page, count * sizeof *files);
    char folder[TABLE_PATH];
    DIR *names = table_file_folder(folder) ? opendir(folder) : NULL;
    const struct dirent *entry;
    for (int found = 0; names != NULL && found < MOST_TABLES && (entry = readdir(names)) != NULL;)
        if (is_table(entry->d_name) && open_table(folder, entry->d_name, &files[count])) {
            count++;
            found++;
        }
    if (names != NULL)
        closedir(names);
    return files;
}

void tables_close(struct site_file *files) {
    for (struct site_file *file = files; file->path != NULL; file++)
        if (file->bodies[SITE_IDENTITY].bytes == NULL) {
            close(file->bodies[SITE_IDENTITY].file);
            free((void *)(uintptr_t)file->path); /* the block of the table */
        }
    free(files);
}
