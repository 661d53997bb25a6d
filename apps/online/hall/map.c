#include "map.h"

#include <stdlib.h>

/* Where the key is, or the free place where it would be. There is always one. */
static size_t place_of(const struct map *map, uint64_t key) {
    size_t at = (size_t)key & (map->room - 1);
    while (map->entries[at].value != NULL && map->entries[at].key != key)
        at = (at + 1) & (map->room - 1);
    return at;
}

void *map_find(const struct map *map, uint64_t key) {
    return map->room == 0 ? NULL : map->entries[place_of(map, key)].value;
}

bool map_add(struct map *map, uint64_t key, void *value) {
    if (2 * (map->count + 1) > map->room) {
        struct map larger = {.room = map->room == 0 ? 16 : 2 * map->room};
        larger.entries = calloc(larger.room, sizeof *larger.entries);
        if (larger.entries == NULL)
            return false;
        for (size_t i = 0; i < map->room; i++)
            if (map->entries[i].value != NULL)
                larger.entries[place_of(&larger, map->entries[i].key)] = map->entries[i];
        larger.count = map->count;
        free(map->entries);
        *map = larger;
    }
    map->entries[place_of(map, key)] = (struct map_entry){key, value};
    map->count++;
    return true;
}

void map_remove(struct map *map, uint64_t key) {
    if (map_find(map, key) == NULL)
        return;
    size_t hole = place_of(map, key), mask = map->room - 1;
    map->count--;
    /* What stands after the hole moves into it, unless that would be before its own place. */
    for (size_t at = (hole + 1) & mask; map->entries[at].value != NULL; at = (at + 1) & mask)
        if (((at - (size_t)map->entries[at].key) & mask) >= ((at - hole) & mask)) {
            map->entries[hole] = map->entries[at];
            hole = at;
        }
    map->entries[hole] = (struct map_entry){0};
}

void map_free(struct map *map) {
    free(map->entries);
    *map = (struct map){0};
}
