#include "visitors.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "online/room/event.h"
#include "online/room/fields.h"

enum { TOKEN_BYTES = 24, KEY_BYTES = 18, ENCODING = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

/* Kinds of things are hashed apart, so that no hash of one can serve as that of another. */
static void hash_of(const struct visitors *visitors, char kind, const void *bytes, size_t size,
                    uint8_t *hash, size_t hash_size) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, visitors->secret, sizeof visitors->secret, hash_size);
    crypto_generichash_update(&state, (const uint8_t *)&kind, 1);
    crypto_generichash_update(&state, bytes, size);
    crypto_generichash_final(&state, hash, hash_size);
}

static uint64_t key_of(const uint8_t *hash) {
    uint64_t key;
    memcpy(&key, hash, sizeof key);
    return key | 1;
}

static bool add(struct visitors *visitors, const uint8_t *hash) {
    if (visitors->count == visitors->room) {
        size_t room = visitors->room == 0 ? 64 : 2 * visitors->room;
        struct visitor *more = realloc(visitors->all, room * sizeof *more);
        if (more == NULL)
            return false;
        visitors->all = more;
        visitors->room = room;
    }
    memcpy(visitors->all[visitors->count].hash, hash, VISITORS_HASH);
    if (map_find(&visitors->by_hash, key_of(hash)) != NULL ||
        !map_add(&visitors->by_hash, key_of(hash), (void *)(uintptr_t)(visitors->count + 1)))
        return false;
    visitors->count++;
    return true;
}

/* ---- The log ---- */

static bool read_hex(struct fields *fields, const char *name, uint8_t *bytes, size_t size) {
    const char *text = fields_text(fields, name), *end;
    size_t length = 0;
    if (sodium_hex2bin(bytes, size, text, strlen(text), NULL, &length, &end) != 0 ||
        length != size || *end != '\0')
        fields_refuse(fields, name);
    return fields->wrong == NULL;
}

static void write_hex(struct nonet_json *json, const char *name, const uint8_t *bytes,
                      size_t size) {
    char text[2 * VISITORS_HASH + 1];
    sodium_bin2hex(text, sizeof text, bytes, size);
    nonet_json_string_member(json, name, text);
}

bool visitors_read(struct visitors *visitors, const char *line, size_t length) {
    struct fields fields = fields_open(line, length);
    bool fine;
    if (fields_has(&fields, "secret")) {
        fine =
            read_hex(&fields, "secret", visitors->secret, VISITORS_SECRET) && !visitors->has_secret;
        visitors->has_secret = true;
    } else {
        uint8_t hash[VISITORS_HASH];
        fine = read_hex(&fields, "token", hash, sizeof hash) &&
               fields_long(&fields, "visitor") == visitors->count + 1 && visitors->has_secret &&
               add(visitors, hash);
    }
    fine = fields_end(&fields) && fine;
    fields_close(&fields);
    return fine;
}

bool visitors_begin(struct visitors *visitors, struct nonet_text *line) {
    if (sodium_init() < 0)
        return false;
    randombytes_buf(visitors->secret, sizeof visitors->secret);
    visitors->has_secret = true;
    struct nonet_json json = nonet_json_in(line);
    nonet_json_open(&json, '{');
    write_hex(&json, "secret", visitors->secret, sizeof visitors->secret);
    nonet_json_close(&json, '}');
    return true;
}

void visitors_free(struct visitors *visitors) {
    visitors_forget(visitors, 0);
    map_free(&visitors->by_hash);
    free(visitors->all);
    sodium_memzero(visitors, sizeof *visitors);
}

/* ---- Visitors ---- */

room_who visitors_find(const struct visitors *visitors, const char *token) {
    if (strlen(token) != VISITORS_TOKEN - 1)
        return 0;
    uint8_t hash[VISITORS_HASH];
    hash_of(visitors, 't', token, VISITORS_TOKEN - 1, hash, sizeof hash);
    uintptr_t number = (uintptr_t)map_find(&visitors->by_hash, key_of(hash));
    if (number == 0 || sodium_memcmp(visitors->all[number - 1].hash, hash, sizeof hash) != 0)
        return 0;
    return number;
}

room_who visitors_add(struct visitors *visitors, char token[VISITORS_TOKEN],
                      struct nonet_text *line) {
    uint8_t bytes[TOKEN_BYTES], hash[VISITORS_HASH];
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2base64(token, VISITORS_TOKEN, bytes, sizeof bytes, ENCODING);
    hash_of(visitors, 't', token, VISITORS_TOKEN - 1, hash, sizeof hash);
    if (!add(visitors, hash))
        return 0;
    struct nonet_json json = nonet_json_in(line);
    nonet_json_open(&json, '{');
    event_json_long(&json, "visitor", visitors->count);
    write_hex(&json, "token", hash, sizeof hash);
    nonet_json_close(&json, '}');
    return visitors->count;
}

void visitors_forget(struct visitors *visitors, size_t count) {
    while (visitors->count > count)
        map_remove(&visitors->by_hash, key_of(visitors->all[--visitors->count].hash));
}

/* ---- Seats ---- */

void visitors_seat_key(const struct visitors *visitors, const struct visitors_seat *seat,
                       char key[VISITORS_SEAT_KEY]) {
    uint8_t bytes[13], hash[KEY_BYTES];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(seat->table >> 8 * i);
    bytes[8] = (uint8_t)seat->seat;
    for (int i = 0; i < 4; i++)
        bytes[9 + i] = (uint8_t)(seat->left >> 8 * i);
    hash_of(visitors, 's', bytes, sizeof bytes, hash, sizeof hash);
    sodium_bin2base64(key, VISITORS_SEAT_KEY, hash, sizeof hash, ENCODING);
}

bool visitors_check_seat_key(const struct visitors *visitors, const struct visitors_seat *seat,
                             const char *key) {
    char right[VISITORS_SEAT_KEY];
    visitors_seat_key(visitors, seat, right);
    return strlen(key) == sizeof right - 1 && sodium_memcmp(right, key, sizeof right - 1) == 0;
}
