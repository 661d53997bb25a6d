/* One scratch for each game, which all its sessions borrow (rules/session.h). */
#ifndef NONET_ONLINE_SCRATCHES_H
#define NONET_ONLINE_SCRATCHES_H

#include "rules/session.h"

enum { SCRATCHES_MOST = 64 }; /* games */

struct scratches {
    struct nonet_scratch *of[SCRATCHES_MOST];
};

/* Null if there is no memory. */
struct nonet_scratch *scratches_find(struct scratches *scratches, const struct nonet_game *game);
void scratches_free(struct scratches *scratches);

#endif
