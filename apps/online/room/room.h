/* A table at which people in different places play one game.
 *
 * A room decides what a request leads to, and when: a list of events, or a refusal. It does nothing
 * else. It has no clock, no socket and no file, so all of it can be tested by calling it, and it
 * never asks the system for anything but memory.
 *
 * Deciding does not change the room; applying an event does, and applying decides nothing: whatever
 * was decided once stays so. A room that applies all events of its log stands where the first one
 * stood. So the caller applies events and writes them down, and tells nobody before they are on
 * disk.
 *
 * Every refusal has a kind, which the caller turns into a status, and a message for people.
 *
 * The room knows the whole truth of its game. What a viewer may be told of it is for api/ to
 * decide, by nonet_observe. */
#ifndef NONET_ONLINE_ROOM_H
#define NONET_ONLINE_ROOM_H

#include "clock.h"
#include "promise.h"
#include "rules/session.h"

enum {
    ROOM_NAME = 64,         /* bytes of a name, with the zero at its end */
    ROOM_MOST_MOVES = 2000, /* a longer game is drawn */
    ROOM_PHRASES = 12,      /* what people can say to each other */
    ROOM_QUIET = 3,         /* how many plies a declined offer must not be made again */
    ROOM_OPENING = 2,       /* moves by chance, with which both games of a pair begin */
};
#define ROOM_ABSENCE INT64_C(120000) /* so long gone, a player can be claimed to have left, */
#define ROOM_LONG_ABSENCE INT64_C(86400000) /* and where there is no clock */

/* Who asks: a number of the caller's for each visitor. For a computer at the table the caller asks,
 * and only to move. */
typedef uint64_t room_who;
enum { ROOM_COMPUTER = 0 };

struct room_plan {
    struct nonet_options options; /* checked and dealt */
    struct clock_rule clock;
    uint8_t level[NONET_MAX_PLAYERS]; /* of a computer; 0: the seat is for a person */
    uint64_t twin;                    /* the table of the other game of a pair, or 0 */
    uint8_t opening_count;            /* moves that are nobody's, before the first */
    nonet_move opening[ROOM_OPENING];
};

enum room_phase {
    ROOM_WAITING, /* for people to take their seats */
    ROOM_PLAYING,
    ROOM_OVER,
};

enum room_offer_kind { ROOM_DRAW, ROOM_TAKE_BACK, ROOM_REMATCH, ROOM_OFFER_KINDS };

enum room_ending {
    ROOM_BY_RULES,  /* the game's own end */
    ROOM_RESIGNED,  /* somebody gave up: */
    ROOM_FLAGGED,   /* or their time was over, */
    ROOM_DESERTED,  /* or they were gone for so long that the others claimed it. All others win */
    ROOM_AGREED,    /* drawn by agreement */
    ROOM_EXHAUSTED, /* drawn, since nobody wants to play that long */
    ROOM_ABORTED,   /* before it was a game, or nobody came: nobody wins */
};

/* ---- Events ---- */

enum room_event_kind {
    ROOM_SAT = 1,   /* seat, who, name */
    ROOM_STOOD,     /* seat: left before the game began */
    ROOM_BEGAN,     /* all seats are taken */
    ROOM_MOVED,     /* seat, ply, id, move; left and lag of their clock */
    ROOM_CLOCKED,   /* seat, left: how the running clock stands, in case the server falls */
    ROOM_OFFERED,   /* seat, offer, id, ply */
    ROOM_WITHDRAWN, /* seat, offer, id */
    ROOM_DECLINED,  /* seat: who declines; offer, id */
    ROOM_ACCEPTED,  /* seat: the last who had to agree; offer, id */
    ROOM_AGREES,    /* seat: agrees, but others must still; offer, id */
    ROOM_UNDONE,    /* ply: moves from there on were taken back */
    ROOM_SAID,      /* seat, phrase */
    ROOM_ENDED,     /* ending, seat: who brought it about, or 0; winners */
    ROOM_REGAINED,  /* seat, who: the same player, whom the server knows by another number now */
    ROOM_FOLLOWED,  /* next: the table of the rematch */
    ROOM_PAIRED,    /* ending, winners: how the other game of the pair ended, by its own seats */
    ROOM_PROMISED,  /* seat, ply, id, promise: for the log and its owner alone */
};

struct room_event {
    enum room_event_kind kind;
    uint8_t seat;
    uint8_t offer, phrase, ending, winners;
    uint16_t ply;
    uint64_t id;
    room_who who;
    uint64_t next;
    nonet_move move;
    int64_t left, lag;
    char name[ROOM_NAME];
    struct promise promise;
};

enum { ROOM_MOST_EVENTS = 4 }; /* that one request can lead to */

struct room_events {
    int count;
    struct room_event list[ROOM_MOST_EVENTS];
};

/* ---- Requests ---- */

enum room_wish {
    ROOM_SIT,      /* seat, name */
    ROOM_STAND,    /* leaves before the game begins */
    ROOM_MOVE,     /* ply, id, move, spent */
    ROOM_OFFER,    /* offer, id, ply */
    ROOM_WITHDRAW, /* offer, id */
    ROOM_ACCEPT,   /* offer, id, ply */
    ROOM_DECLINE,  /* offer, id */
    ROOM_RESIGN,
    ROOM_ABORT,   /* before the second move */
    ROOM_CLAIM,   /* absent */
    ROOM_SAY,     /* phrase */
    ROOM_REGAIN,  /* seat: the caller has checked that it is the asker's */
    ROOM_PROMISE, /* ply, id, lines: in place of those before; in a game with days for a move */
};

struct room_request {
    enum room_wish wish;
    room_who who;
    uint8_t seat; /* whose; a visitor can have several */
    uint8_t offer, phrase;
    uint16_t ply;      /* how many moves the asker has seen */
    uint64_t id;       /* chosen by the asker; the same again is the same request */
    const char *move;  /* as text */
    const char *lines; /* as promise_read takes them */
    int64_t spent;     /* what the asker's screen says the move took, or -1 */
    int64_t absent;    /* how long the player whose turn it is has been away, as the caller knows */
    const char *name;
};

enum room_refusal {
    ROOM_FINE,
    ROOM_DONE_BEFORE, /* this very request was granted earlier: the same answer again, no event */
    ROOM_MALFORMED,   /* can never be granted */
    ROOM_FORBIDDEN,   /* not to this visitor */
    ROOM_CONFLICT,    /* not now: the table has gone on, or is not there yet */
    ROOM_ILLEGAL,     /* the rules of the game forbid it */
    ROOM_NO_MEMORY,
};

/* Whether somebody can be called so: something to see, without line ends or other controls, and
 * short. */
bool room_name_check(const char *name);

/* ---- The room ---- */

struct room;

/* An empty table; computers sit at once. Null if there is no memory. The scratch is borrowed, as by
 * a session (session.h). */
struct room *room_new(const struct room_plan *plan, struct nonet_scratch *scratch);
void room_free(struct room *room);

/* What the request leads to, if it arrives now. If it is refused, `why` says so to people. */
enum room_refusal room_decide(const struct room *room, const struct room_request *request,
                              int64_t now, struct room_events *events, struct nonet_text *why);
/* What follows without a request: nothing, or the end of the game, by its rules or because of the
 * time. To be asked after every move, and when room_clocks say that a clock is at its end. */
void room_decide_end(const struct room *room, int64_t now, struct room_events *events);
/* The move that the player whose turn it is has promised, or nothing. It takes no time. To be asked
 * after every move that does not end the game, until there is none, and written in one batch with
 * the move before it. */
void room_decide_promised(const struct room *room, struct room_events *events);
/* That this table is closed, because nobody comes to it. Nothing if its game is over. */
void room_decide_close(const struct room *room, struct room_events *events);
/* How the running clock stands: for the log only, so that it is known if the server falls. Nothing
 * if none runs. */
void room_decide_clock(const struct room *room, int64_t now, struct room_events *events);

/* Changes the room by an event of its log. False if it cannot be one, or if there is no memory: the
 * room is then worthless. No clock runs afterwards: see room_go_on. */
bool room_apply(struct room *room, const struct room_event *event);

/* What was applied is on disk, or the server is up again: the clock of the player whose turn it is
 * begins to run. */
void room_go_on(struct room *room, int64_t now);

/* ---- What it knows ---- */

struct room_seat {
    bool taken;
    uint8_t level;
    uint32_t left; /* how often somebody stood up from it */
    room_who who;
    char name[ROOM_NAME];
};

struct room_offer {
    bool open;
    uint8_t answer; /* the kind of event that closed it last, and the seat that did */
    uint8_t answered_by;
    uint8_t seat;   /* who made it */
    uint8_t agreed; /* bit p-1: player p agrees */
    uint16_t ply;
    uint64_t id;
};

enum room_phase room_phase(const struct room *room);
const struct nonet_session *room_session(const struct room *room);
const struct room_seat *room_seat(const struct room *room, int player);
/* The seat of a visitor, the first if they have several; 0 for a spectator. */
int room_seat_of(const struct room *room, room_who who);
const struct clocks *room_clocks(const struct room *room);
const struct room_offer *room_offer(const struct room *room, enum room_offer_kind kind);
enum room_ending room_ending(const struct room *room);
int room_ended_by(const struct room *room);
uint8_t room_winners(const struct room *room);
/* The table of the rematch, or 0. */
uint64_t room_next(const struct room *room);
/* What the player has promised, for nobody else to know; null if that is nothing. */
const struct promise *room_promise(const struct room *room, int player);
/* How many moves were made by chance, before the first of a player. */
int room_opening(const struct room *room);
/* The table of the other game of a pair, or 0; whether that game is over; and what a player here
 * has from the games of the pair that are over, in halves of a point: two for a game that is won,
 * one for a draw. */
uint64_t room_twin(const struct room *room);
bool room_twin_over(const struct room *room);
int room_score(const struct room *room, int player);
/* The seat of the computer whose turn it is, or 0. */
int room_awaits_computer(const struct room *room);

#endif
