/* Where the programs look for data: tables of exact values, books of openings. */
#ifndef NONET_HOST_FOLDERS_H
#define NONET_HOST_FOLDERS_H

#include "rules/options.h"

enum { FOLDERS_PATH = 4096, FOLDERS = 5 };

/* The folders for data of a kind, such as "tables", in the order in which they are searched: the
 * one that a variable of the environment names, the user's cache, those beside the program, the one
 * that was installed. Returns how many there are. */
int folders_of(const char *variable, const char *kind, char folders[FOLDERS][FOLDERS_PATH]);

/* The first of them that belongs to the user: the one that the variable names, or the cache. False
 * if there is none. */
bool folders_own(const char *variable, char folder[FOLDERS_PATH]);

/* The user's cache ($XDG_CACHE_HOME/nonet, by default ~/.cache/nonet); false if the environment
 * does not say where it is. */
bool folders_cache(char folder[FOLDERS_PATH]);

/* The name of a file for a game with these options, such as "chasm-players_2.nonet-table". */
void folders_file(const struct nonet_options *options, const char *ending, struct nonet_text *name);

/* Whether a file is in the user's cache: then a program put it there. */
bool folders_is_cached(const char *path);

#endif
