/* Finds things by numbers of 64 bits that nobody outside can choose: random ones, or keyed hashes.
 * So the number itself serves as its hash. */
#ifndef NONET_ONLINE_MAP_H
#define NONET_ONLINE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map {
    struct map_entry {
        uint64_t key; /* not 0 */
        void *value;  /* null: free */
    } * entries;
    size_t room, count; /* room: a power of two, or 0 */
};

void *map_find(const struct map *map, uint64_t key);
/* False if there is no memory. The key must not be there yet. */
bool map_add(struct map *map, uint64_t key, void *value);
void map_remove(struct map *map, uint64_t key);
void map_free(struct map *map);

#endif
