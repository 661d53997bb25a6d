#include "touching.h"

void touching_begin(struct touching *touching, const struct nonet_session *session) {
    const struct nonet_options *options = nonet_session_options(session);
    touching->count = touching->touched_count = 0;
    uint64_t count = options->game->wide != NULL ? 0 : nonet_session_count(session);
    for (uint64_t i = 0; i < count; i++) {
        struct touching_move *entry = &touching->moves[touching->count++];
        entry->move = nonet_session_nth(session, i);
        entry->count = options->game->touches(options, entry->move, entry->places);
    }
}

void touching_forget(struct touching *touching) {
    touching->count = touching->touched_count = 0;
}

/* Whether a move begins with the first touches. */
static bool begins(const struct touching *touching, const struct touching_move *move, int count) {
    if (move->count < count)
        return false;
    for (int i = 0; i < count; i++)
        if (move->places[i] != touching->touched[i])
            return false;
    return true;
}

/* Whether the place can be touched after the first touches. */
static bool can_follow(const struct touching *touching, int count, int place) {
    for (int i = 0; i < touching->count; i++)
        if (touching->moves[i].count > count && touching->moves[i].places[count] == place &&
            begins(touching, &touching->moves[i], count))
            return true;
    return false;
}

bool touching_next(const struct touching *touching, int place) {
    return can_follow(touching, touching->touched_count, place);
}

bool touching_instead(const struct touching *touching, int place) {
    for (int step = 0; step < touching->touched_count; step++)
        if (can_follow(touching, step, place))
            return true;
    return false;
}

bool touching_has(const struct touching *touching, int place) {
    for (int i = 0; i < touching->touched_count; i++)
        if (touching->touched[i] == place)
            return true;
    return false;
}

void touching_hurry(struct touching *touching, const struct nonet_scene *scene) {
    for (;;) {
        int only = -1;
        for (int i = 0; i < touching->count; i++) {
            const struct touching_move *move = &touching->moves[i];
            if (!begins(touching, move, touching->touched_count))
                continue;
            int place = move->count > touching->touched_count + 1
                            ? move->places[touching->touched_count]
                            : -1;
            if (place < 0 || (only >= 0 && only != place))
                return;
            only = place;
        }
        if (only < 0 || scene->places[only].kind == NONET_CELL)
            return;
        touching->touched[touching->touched_count++] = (uint16_t)only;
    }
}

bool touching_touch(struct touching *touching, int place) {
    for (int step = touching->touched_count; step >= 0; step--) {
        if (step == NONET_MAX_TOUCHES || !can_follow(touching, step, place))
            continue;
        /* What was touched after it stays as it was, as far as that is still possible. */
        uint16_t old[NONET_MAX_TOUCHES];
        int count = touching->touched_count;
        for (int i = 0; i < count; i++)
            old[i] = touching->touched[i];
        touching->touched[step] = (uint16_t)place;
        touching->touched_count = step + 1;
        for (int i = step + 1; i < count && touching_next(touching, old[i]); i++)
            touching->touched[touching->touched_count++] = old[i];
        return true;
    }
    return false;
}

bool touching_named(const struct touching *touching, nonet_move *move) {
    for (int i = 0; i < touching->count && touching->touched_count > 0; i++)
        if (touching->moves[i].count == touching->touched_count &&
            begins(touching, &touching->moves[i], touching->touched_count)) {
            *move = touching->moves[i].move;
            return true;
        }
    return false;
}

bool touching_would(const struct touching *touching, int place, nonet_move *move) {
    int count = touching->touched_count;
    for (int i = 0; i < touching->count; i++)
        if (touching->moves[i].count == count + 1 && touching->moves[i].places[count] == place &&
            begins(touching, &touching->moves[i], count)) {
            *move = touching->moves[i].move;
            return true;
        }
    return false;
}

bool touching_back(struct touching *touching) {
    if (touching->touched_count == 0)
        return false;
    touching->touched_count--;
    return true;
}
