#include "folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

bool folders_cache(char folder[FOLDERS_PATH]) {
    const char *cache = setting("XDG_CACHE_HOME"), *home = setting("HOME");
    struct nonet_text text = nonet_text_in(folder, FOLDERS_PATH);
    /* The standard says that relative paths are ignored. */
    if (cache != NULL && cache[0] == '/')
        nonet_text_format(&text, "%s/nonet", cache);
    else if (home != NULL)
        nonet_text_format(&text, "%s/.cache/nonet", home);
    else
        return false;
    return !text.cut;
}

void folders_file(const struct nonet_options *options, const char *ending,
                  struct nonet_text *name) {
    char game[256];
    struct nonet_text text = NONET_TEXT_IN(game);
    nonet_options_write(options, &text);
    for (char *c = game; *c != '\0'; c++)
        nonet_text_char(name, *c == ':' || *c == ',' ? '-' : *c == '=' ? '_' : *c);
    nonet_text_format(name, ".%s", ending);
}

bool folders_is_cached(const char *path) {
    char folder[FOLDERS_PATH];
    size_t length = folders_cache(folder) ? strlen(folder) : 0;
    return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
}

bool folders_own(const char *variable, char folder[FOLDERS_PATH]) {
    const char *named = setting(variable);
    return named != NULL ? snprintf(folder, FOLDERS_PATH, "%s", named) < FOLDERS_PATH
                         : folders_cache(folder);
}

static bool beside_program(const char *where, const char *kind, char folder[FOLDERS_PATH]) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", where, kind);
    struct nonet_text text = nonet_text_in(folder, FOLDERS_PATH);
    return program_beside(path, &text);
}

int folders_of(const char *variable, const char *kind, char folders[FOLDERS][FOLDERS_PATH]) {
    int count = 0;
    if (setting(variable) != NULL)
        snprintf(folders[count++], FOLDERS_PATH, "%s", setting(variable));
    count += folders_cache(folders[count]);
    count += beside_program("../share/nonet", kind, folders[count]);
    count += beside_program("..", kind, folders[count]);
    snprintf(folders[count++], FOLDERS_PATH, "%s/%s", NONET_SHIPPED, kind);
    return count;
}
