/* Events: what a move did beyond what its mover touched, told in words.
 *
 * Pieces that were removed, a phase that began, a turn that ended early, a player who must pass: at
 * the table somebody would say so. An event is a message in the rules' own terms and the places it
 * is about. The page shows it there, screen readers and the terminal say the same words.
 *
 * A journey is a piece that went from one place to another, or out of the game. Two scenes alone do
 * not always tell which of two equal pieces has gone and which has moved. */
#ifndef NONET_RULES_EVENTS_H
#define NONET_RULES_EVENTS_H

#include "game.h"

struct nonet_event {
    struct nonet_message says; /* a sentence without a capital letter and a full stop */
    uint8_t count;             /* of its places; none: it is about the game as a whole */
    uint16_t places[NONET_EVENT_PLACES];
};

struct nonet_journey {
    uint16_t from, to; /* NONET_NOWHERE: the piece leaves the game */
};

/* After the last entry that counts there is a spare one, which takes what does not fit. */
struct nonet_events {
    bool cut; /* the game told more than fits */
    uint8_t count, journey_count;
    struct nonet_event list[NONET_MAX_EVENTS + 1];
    struct nonet_journey journeys[NONET_MAX_JOURNEYS + 1];
};

/* For games: append an event, and a place to it. */
struct nonet_event *nonet_event_add(struct nonet_events *events, struct nonet_message says);
void nonet_event_at(struct nonet_event *event, int place);
/* The cells of a board whose bits are set, where a cell's place is its number. */
void nonet_event_at_cells(struct nonet_event *event, uint64_t cells);
void nonet_journey_add(struct nonet_events *events, int from, int to);

/* What a move did, as far as the viewer may know. */
void nonet_events_for(const struct nonet_options *options, const void *before, nonet_move move,
                      const void *after, int viewer, struct nonet_events *events);

#endif
