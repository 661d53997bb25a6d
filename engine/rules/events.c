#include "events.h"

#include "../base/bits.h"

struct nonet_event *nonet_event_add(struct nonet_events *events, struct nonet_message says) {
    struct nonet_event *event = &events->list[events->count];
    if (events->count < NONET_MAX_EVENTS)
        events->count++;
    else
        events->cut = true;
    *event = (struct nonet_event){.says = says};
    return event;
}

void nonet_event_at(struct nonet_event *event, int place) {
    if (event->count < NONET_EVENT_PLACES)
        event->places[event->count++] = (uint16_t)place;
}

void nonet_event_at_cells(struct nonet_event *event, uint64_t cells) {
    for (; cells != 0; cells &= cells - 1)
        nonet_event_at(event, nonet_bits_first(cells));
}

void nonet_journey_add(struct nonet_events *events, int from, int to) {
    events->journeys[events->journey_count] = (struct nonet_journey){(uint16_t)from, (uint16_t)to};
    if (events->journey_count < NONET_MAX_JOURNEYS)
        events->journey_count++;
    else
        events->cut = true;
}

void nonet_events_for(const struct nonet_options *options, const void *before, nonet_move move,
                      const void *after, int viewer, struct nonet_events *events) {
    const struct nonet_game *game = options->game;
    struct nonet_state seen_before, seen_after;
    events->count = events->journey_count = 0;
    events->cut = false;
    if (game->events == NULL)
        return;
    nonet_observe(options, before, viewer, &seen_before);
    nonet_observe(options, after, viewer, &seen_after);
    game->events(options, &seen_before, move, &seen_after, events);
}
