/* The clocks of a table: how long each player still has.
 *
 * All times are milliseconds of the caller's clock, which never goes back. A clock stops when the
 * move arrives; the next one begins when that move is on disk, and the caller says when that is. So
 * nobody pays for the server's own work. A player whose network was slow gets a little back. */
#ifndef NONET_ONLINE_CLOCK_H
#define NONET_ONLINE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/capacities.h"

enum clock_kind {
    CLOCK_NONE,
    CLOCK_GAME, /* so much for the whole game, and an increment for each move */
    CLOCK_MOVE, /* so much for each move: days, for people who play slowly; and a pause */
};

struct clock_rule {
    enum clock_kind kind;
    int64_t budget;    /* for the game, or for a move */
    int64_t increment; /* CLOCK_GAME: added after each move */
    int64_t pause;     /* CLOCK_MOVE: what moves may take longer, over the whole game */
};

#define CLOCK_LEAST_BUDGET INT64_C(10000)
#define CLOCK_MOST_GAME INT64_C(10800000)   /* three hours */
#define CLOCK_MOST_MOVE INT64_C(1209600000) /* fourteen days */
#define CLOCK_MOST_INCREMENT INT64_C(180000)
#define CLOCK_MOST_PAUSE INT64_C(2592000000) /* thirty days */

/* What the network took: a move gets back at most so much, out of an allowance that every move lets
 * grow, up to a limit. */
#define CLOCK_LAG_A_MOVE INT64_C(500)
#define CLOCK_LAG_GROWTH INT64_C(100)
#define CLOCK_LAG_ALLOWANCE INT64_C(2000)

struct clocks {
    struct clock_rule rule;
    int64_t left[NONET_MAX_PLAYERS];  /* with the pause */
    int64_t pause[NONET_MAX_PLAYERS]; /* what was left of it when the turn began */
    int64_t lag[NONET_MAX_PLAYERS];   /* the allowance that is left */
    int running;                      /* the player whose time runs, or 0 */
    int64_t since;                    /* from when on */
};

/* Whether a rule is within the limits above. */
bool clock_rule_check(const struct clock_rule *rule);

/* All clocks full, none running. */
void clock_set(struct clocks *clocks, const struct clock_rule *rule);

/* The clock of a player as it stands after a move, by clock_stop; none runs. */
void clock_after(struct clocks *clocks, int player, int64_t left, int64_t lag);

/* From now on, the time of this player runs; 0 for nobody's. Without a clock, nothing runs. */
void clock_run(struct clocks *clocks, int player, int64_t now);

/* What the player has left at this time. */
int64_t clock_left(const struct clocks *clocks, int player, int64_t now);

/* When the time of the player whose clock runs is over, so late that no move can still be on its
 * way; INT64_MAX if none runs. */
int64_t clock_end(const struct clocks *clocks);

/* What a player who has so much left when a move is made has for the next one. */
int64_t clock_refill(const struct clocks *clocks, int player, int64_t left);

/* What the player whose time runs will have after a move that arrived at this time, and the
 * allowance. `spent` is how long the player's own screen says it took, or below 0 if that is
 * unknown. The move is in time if something is left before the increment; else returns false. */
bool clock_stop(const struct clocks *clocks, int64_t arrived, int64_t spent, int64_t *left,
                int64_t *lag);

#endif
