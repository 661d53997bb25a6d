/* Where tables of exact values are stored: their file names, the folders where they are looked for
 * and where new ones go, and a lock so that no table is built twice at the same time.
 *
 * Folders, in this order: $NONET_TABLES, the user's cache ($XDG_CACHE_HOME/nonet, by default
 * ~/.cache/nonet), the tables that ship with the program. */
#ifndef NONET_HOST_TABLE_STORE_H
#define NONET_HOST_TABLE_STORE_H

#include "base/siphash.h"
#include "folders.h"
#include "rules/game.h"
#include "table/table.h"

enum { TABLE_PATH = FOLDERS_PATH };

/* "chasm-players_2.nonet-table". */
void table_file_name(const struct nonet_options *options, struct nonet_text *name);

/* The command that builds a table: "nonet solve chasm -o players=2". */
void table_file_command(const struct nonet_options *options, struct nonet_text *command);

/* Where a new table goes: the first of the folders above that belongs to the user. A table that is
 * solved only up to some `material` (0: whole) gets a name that nobody looks for. False with the
 * reason if there is no folder. */
bool table_file_new(const struct nonet_options *options, int material, char path[TABLE_PATH],
                    struct nonet_text *why);

/* The folder of a person's own tables: $NONET_TABLES, or the cache. False if there is none. */
bool table_file_folder(char folder[TABLE_PATH]);

/* A table in a file, read as it is needed. */
struct table_file {
    struct nonet_table *table;
    int descriptor;
    char path[TABLE_PATH];
};

enum table_found { TABLE_FOUND, TABLE_MISSING, TABLE_REFUSED };

/* Looks for the game's table and opens it. TABLE_REFUSED with the reason if there is one that
 * cannot be used. Such a table in the cache does not hide a good one that ships with the program:
 * then that is found, and `why` names the other. */
enum table_found table_file_find(const struct nonet_options *options, struct table_file *file,
                                 struct nonet_text *why);
enum table_found table_file_open(const char *path, const struct nonet_options *options,
                                 struct table_file *file, struct nonet_text *why);
/* The same for a table of any game. Sets the options to those of the table, which name them. */
enum table_found table_file_open_any(const char *path, struct nonet_options *options,
                                     struct table_file *file, struct nonet_text *why);
void table_file_close(struct table_file *file);

/* Whether the file, found or refused, is in the user's cache: then a program put it there. */
bool table_file_is_cached(const struct table_file *file);

/* A folder beside the table for a solver's checkpoints, held by one program at a time. */
struct table_work {
    char folder[TABLE_PATH];
    int lock;
};

/* Makes the folder, and those above it, for this user alone. False with the reason, also if
 * somebody else has made it. */
bool table_work_make(struct table_work *work, struct nonet_text *why);

/* Makes the folder and takes the lock. False with the reason, also if another program holds it. */
bool table_work_begin(const char *path, struct table_work *work, struct nonet_text *why);
/* The secret that identifies the user's own checkpoints. It is in a file in their cache that is
 * made when it is needed. If that is not possible, the key is random, and a solve that was stopped
 * starts again. False only if the system has no random numbers. */
bool table_work_key(struct nonet_siphash_key *key);

/* Releases the lock and, if the folder is empty, removes it. */
void table_work_end(struct table_work *work);

#endif
