#include "kept.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/record.h"

bool kept_path(const struct nonet_game *game, char *path, size_t room) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct nonet_text text = nonet_text_in(path, room);
    /* The standard says that relative paths are ignored. */
    if (state != NULL && state[0] == '/')
        nonet_text_format(&text, "%s/nonet", state);
    else if (home != NULL && home[0] == '/' && access(home, X_OK) == 0)
        nonet_text_format(&text, "%s/.local/state/nonet", home);
    else
        return false;
    /* The folders, from the first; a file in them may tell what is hidden, so they are private. */
    for (char *c = path + 1; !text.cut; c++) {
        char kept = *c;
        if (kept != '/' && kept != '\0')
            continue;
        *c = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *c = kept;
        if (!made)
            return false;
        if (kept == '\0')
            break;
    }
    nonet_text_format(&text, "/%s.json", game->id);
    return !text.cut;
}

int kept_moves(const struct nonet_game *game) {
    char path[4096], reason[RECORD_REASON];
    struct nonet_text why = NONET_TEXT_IN(reason);
    struct record record = {0};
    if (!kept_path(game, path, sizeof path) || !record_read_file(path, &record, &why))
        return 0;
    int moves = nonet_session_turn(record.session) != 0 ? nonet_session_ply(record.session) : 0;
    record_close(&record);
    return moves;
}
