/* Without ncurses there is no full screen: games are played line by line. */
#include "screen.h"
#include "screen_play.h"

bool screen_possible(void) {
    return false;
}

bool screen_open(bool plain) {
    (void)plain;
    return false;
}

void screen_close(void) {}

int screen_play(struct tabletop *tabletop) {
    return tabletop_run(tabletop);
}

enum screen_choice screen_menu(struct tabletop *tabletop, struct cli_arguments *arguments,
                               char path[TABLETOP_PATH]) {
    (void)tabletop, (void)arguments, (void)path;
    return SCREEN_QUIT;
}
