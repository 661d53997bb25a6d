/* A match of computer players, from its arguments to its table: what the files match*.c share. */
#ifndef NONET_CLI_MATCHING_H
#define NONET_CLI_MATCHING_H

#include <stdatomic.h>

#include "cli.h"
#include "cli/elo.h"
#include "host/record.h"
#include "search/search.h"

enum {
    MATCH_ENTRANTS = 16,
    MATCH_PAIRINGS = MATCH_ENTRANTS * (MATCH_ENTRANTS - 1) / 2,
    MATCH_REASON = 512,
};

/* ---- Who plays: match_entrants.c ---- */

/* Whether level 10 plays from a book of openings; usually where only time limits it. */
enum match_book { MATCH_BOOK_USUAL, MATCH_BOOK_YES, MATCH_BOOK_NO };

struct match_entrant {
    char name[RECORD_NAME];
    char kind[RECORD_KIND];                /* as records call it */
    int level;                             /* of a player of our own */
    int skill;                             /* of a lower level; 0: what the game gives to it */
    const struct nonet_searcher *searcher; /* null: the one that suits the level */
    enum match_book book;
    int16_t *weights; /* by which it judges; null: the game's own */
    char *command;    /* that starts another program, or null */
    uint64_t nodes;   /* a move; 0: what the level says */
    double seconds;   /* a move; 0: no limit */
};

/* Reads "level:7,nodes=1000,name=old" into an entrant that is all zero, for a game with these
 * options. CLI_DONE, or the exit code after an error. */
int match_entrant_read(const char *text, const struct nonet_options *options,
                       struct match_entrant *entrant);

/* ---- What is played: match_schedule.c, match_games.c ---- */

/* Entrants that meet: by the letters of the seat pattern, A first. */
struct match_pairing {
    int entrants[NONET_MAX_PLAYERS];
};

enum match_ending {
    MATCH_UNPLAYED,
    MATCH_BY_RULES,
    MATCH_BY_LENGTH,  /* drawn as too long */
    MATCH_BY_FAILURE, /* an entrant gave no legal move in time */
};

/* How a game ended. Arrays are indexed by the letter of the entrant, except shares. */
struct match_game {
    enum match_ending ending;
    uint8_t shares[NONET_MAX_PLAYERS]; /* of the win, by seat from 0 */
    int plies;
    uint32_t moves[NONET_MAX_PLAYERS]; /* that the entrant thought about */
    uint64_t nodes[NONET_MAX_PLAYERS];
    double seconds[NONET_MAX_PLAYERS];
    int failed;    /* the letter of the entrant that failed */
    char *failure; /* and how; null where nobody did */
};

struct match {
    struct nonet_options options; /* checked; each opening deals what chance decides */
    const char *from;             /* the position that games begin at, or null */
    struct match_entrant entrants[MATCH_ENTRANTS];
    int entrant_count;

    /* The letters of the entrants by seat, "ABB"; an opening is played with all rotations of them
     * that differ. All pairings play the same openings. */
    char seats[NONET_MAX_PLAYERS + 1];
    int letters, rotations;
    struct match_pairing pairings[MATCH_PAIRINGS];
    int pairing_count;
    uint64_t openings;
    int opening_plies;

    uint64_t seed;
    int max_plies, jobs;
    double timeout;      /* seconds that other programs may exceed their time by */
    const char *records; /* a folder for all games, or null */
    bool untimed;        /* nothing that depends on a clock is printed */
    bool testing;        /* with elo0 against elo1, until it is decided */
    double elo0, elo1;

    /* While it runs, and after. */
    atomic_bool stop;
    struct match_game *games;
    uint64_t counted; /* the openings whose games count */
    double ratio;     /* of the test */
    double seconds;
};

/* Seats, rotations and pairings for the entrants; `pattern` may be null. CLI_DONE, or the exit code
 * after an error. */
int match_arrange(struct match *match, const char *pattern);

/* Which letter, from 0, sits at a seat, from 0, in a rotation. */
int match_letter(const struct match *match, int rotation, int seat);

/* The game of an opening, a pairing and a rotation. */
uint64_t match_number(const struct match *match, uint64_t opening, int pairing, int rotation);
/* And back: the opening of a game. */
uint64_t match_opening(const struct match *match, uint64_t number);

/* Whether all games of an opening of a pairing were played, and the points of a letter in them. */
bool match_whole(const struct match *match, uint64_t opening, int pairing);
int match_points(const struct match *match, uint64_t opening, int pairing, int letter);

/* The sample of a letter in a pairing, from the openings that count. */
struct elo_sample match_sample(const struct match *match, int pairing, int letter);

/* Plays the whole match, or until it is stopped or decided. CLI_DONE, or the exit code after an
 * error. */
int match_play(struct match *match);
void match_free(struct match *match);

/* ---- An entrant at one of its seats, in one thread: match_players.c ---- */

/* All zero at first; it stays from game to game. */
struct match_player {
    struct thinker *thinker;
    struct ugi_client *engine;
};

/* The game that a player takes part in. */
struct match_place {
    const struct match *match;
    const struct match_entrant *entrant;
    const struct nonet_session *session;
    int seat; /* from 1 */
    uint64_t seed;
};

struct match_choice {
    nonet_move move;
    uint64_t nodes; /* 0 if unknown */
    double seconds;
};

enum match_answer {
    MATCH_DONE,
    MATCH_STOPPED, /* with the whole match */
    MATCH_FAILED,  /* the entrant failed; `why` says how */
    MATCH_NO_MEMORY,
};

/* Begins a game, at the position where entrants take over. */
enum match_answer match_player_begin(struct match_player *player, const struct match_place *place,
                                     struct nonet_text *why);
/* Chooses a move; it is the seat's turn. */
enum match_answer match_player_choose(struct match_player *player, const struct match_place *place,
                                      struct match_choice *choice, struct nonet_text *why);
void match_player_end(struct match_player *player);

/* ---- The report: match_report.c ---- */

int match_print(const struct match *match);
int match_print_json(const struct match *match);

#endif
