#include "fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fields fields_open(const char *bytes, size_t length) {
    struct fields fields = {0};
    if (memchr(bytes, '\0', length) == NULL) /* which the library would skip */
        fields.object = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(fields.object))
        fields.wrong = "";
    return fields;
}

struct fields fields_inside(json_t *value) {
    struct fields fields = {.object = json_incref(value)};
    if (!json_is_object(value))
        fields.wrong = "";
    return fields;
}

void fields_refuse(struct fields *fields, const char *name) {
    if (fields->wrong == NULL)
        fields->wrong = name;
}

bool fields_has(const struct fields *fields, const char *name) {
    return json_object_get(fields->object, name) != NULL;
}

json_t *fields_any(struct fields *fields, const char *name) {
    json_t *value = json_object_get(fields->object, name);
    fields->used += value != NULL;
    if (value == NULL)
        fields_refuse(fields, name);
    return value;
}

int64_t fields_number(struct fields *fields, const char *name, int64_t most) {
    json_t *value = fields_any(fields, name);
    int64_t found = json_integer_value(value);
    if (!json_is_integer(value) || found < 0 || found > most)
        fields_refuse(fields, name);
    return fields->wrong == NULL ? found : 0;
}

const char *fields_text(struct fields *fields, const char *name) {
    json_t *value = fields_any(fields, name);
    const char *found = json_string_value(value);
    /* A zero inside would hide what follows it. */
    if (found == NULL || strlen(found) != json_string_length(value))
        fields_refuse(fields, name);
    return fields->wrong == NULL ? found : "";
}

bool fields_bool(struct fields *fields, const char *name) {
    json_t *value = fields_any(fields, name);
    if (!json_is_boolean(value))
        fields_refuse(fields, name);
    return fields->wrong == NULL && json_is_true(value);
}

uint64_t fields_long(struct fields *fields, const char *name) {
    const char *digits = fields_text(fields, name);
    size_t length = strspn(digits, "0123456789");
    errno = 0;
    uint64_t found = strtoull(digits, NULL, 10);
    if (length == 0 || digits[length] != '\0' || errno != 0)
        fields_refuse(fields, name);
    return fields->wrong == NULL ? found : 0;
}

int fields_word(struct fields *fields, const char *name, const char *const *words, int count) {
    const char *found = fields_text(fields, name);
    for (int i = 0; i < count; i++)
        if (words[i] != NULL && strcmp(found, words[i]) == 0)
            return i;
    fields_refuse(fields, name);
    return 0;
}

bool fields_end(struct fields *fields) {
    if (fields->wrong == NULL && fields->used != json_object_size(fields->object))
        fields->wrong = "a member that does not belong there";
    return fields->wrong == NULL;
}

void fields_close(struct fields *fields) {
    json_decref(fields->object);
}
