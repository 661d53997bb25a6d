/* A player in another program, asked for moves by the Universal Game Interface: our side of what
 * docs/ugi.md describes. The program learns only what its seat may know. */
#ifndef NONET_HOST_UGI_CLIENT_H
#define NONET_HOST_UGI_CLIENT_H

#include "child.h"
#include "rules/setup.h"

struct ugi_client;

enum ugi_answer { UGI_DONE, UGI_STOPPED, UGI_FAILED };

/* What a player is told about their game. */
struct ugi_game {
    const struct nonet_session *session;
    int seat;
    uint64_t seed;           /* for the player's random choices, if it uses a seed */
    uint64_t nodes;          /* per move; 0: no limit */
    double seconds;          /* per move; 0: no limit but nodes. Without either, two seconds */
    double margin;           /* extra seconds for a move, and the time for any other answer */
    const atomic_bool *stop; /* checked frequently */
};

/* Starts the program and greets it. Null with the reason if that fails, or if it is stopped. */
struct ugi_client *ugi_open(const char *command, double margin, const atomic_bool *stop,
                            struct nonet_text *why);
/* Says goodbye to a program, or just ends one that has failed. */
void ugi_close(struct ugi_client *client);

/* A new game begins. */
enum ugi_answer ugi_begin(struct ugi_client *client, const struct ugi_game *game,
                          struct nonet_text *why);

/* Asks for a move. The answer is a possible move in some position, but perhaps not in this one. */
enum ugi_answer ugi_choose(struct ugi_client *client, const struct ugi_game *game, nonet_move *move,
                           struct nonet_text *why);

/* The positions that it looked at for the last move, as reported, and the seconds that it took. */
uint64_t ugi_nodes(const struct ugi_client *client);
double ugi_seconds(const struct ugi_client *client);

#endif
