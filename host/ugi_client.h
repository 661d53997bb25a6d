/* A player in another program, asked for moves by the Universal Game Interface: our side of what
 * docs/ugi.md describes. The program gets to know what its seat may know, and nothing else. */
#ifndef NONET_HOST_UGI_CLIENT_H
#define NONET_HOST_UGI_CLIENT_H

#include "child.h"
#include "rules/setup.h"

struct ugi_client;

enum ugi_answer { UGI_DONE, UGI_STOPPED, UGI_FAILED };

/* What a player is told about a game of his. */
struct ugi_game {
    const struct nonet_session *session;
    int seat;
    uint64_t seed;           /* for what he leaves to chance, if he cares */
    uint64_t nodes;          /* a move; 0: no limit */
    double seconds;          /* a move; 0: no limit but nodes. Without either, two seconds */
    double margin;           /* seconds that he may take longer, or for any other answer */
    const atomic_bool *stop; /* checked all the time */
};

/* Starts the program and greets it. Null if that fails, with the reason, or is stopped. */
struct ugi_client *ugi_open(const char *command, double margin, const atomic_bool *stop,
                            struct nonet_text *why);
/* Says goodbye to a program, or just ends one that has failed. */
void ugi_close(struct ugi_client *client);

/* A new game begins. */
enum ugi_answer ugi_begin(struct ugi_client *client, const struct ugi_game *game,
                          struct nonet_text *why);

/* Asks for a move: one that could be made in some position, which need not be this one. */
enum ugi_answer ugi_choose(struct ugi_client *client, const struct ugi_game *game, nonet_move *move,
                           struct nonet_text *why);

/* The positions that it looked at for the last move, as it says; and the seconds that it took. */
uint64_t ugi_nodes(const struct ugi_client *client);
double ugi_seconds(const struct ugi_client *client);

#endif
