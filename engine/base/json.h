/* Writes JSON into a text. The caller opens and closes; commas and escapes are added here. */
#ifndef NONET_BASE_JSON_H
#define NONET_BASE_JSON_H

#include "text.h"

struct nonet_json {
    struct nonet_text *text;
    bool follows; /* the next value needs a comma before it */
};

struct nonet_json nonet_json_in(struct nonet_text *text);

/* A name opens the value that the next call writes; inside an array, write values without names. */
void nonet_json_name(struct nonet_json *json, const char *name);
void nonet_json_open(struct nonet_json *json, char bracket);  /* { or [ */
void nonet_json_close(struct nonet_json *json, char bracket); /* } or ] */
void nonet_json_string(struct nonet_json *json, const char *string);
void nonet_json_number(struct nonet_json *json, int64_t number);
/* A number with three decimals, not below 0. */
void nonet_json_thousandths(struct nonet_json *json, uint64_t thousandths);
void nonet_json_bool(struct nonet_json *json, bool value);
void nonet_json_null(struct nonet_json *json);

/* A name and its value. */
void nonet_json_string_member(struct nonet_json *json, const char *name, const char *string);
void nonet_json_number_member(struct nonet_json *json, const char *name, int64_t number);
void nonet_json_bool_member(struct nonet_json *json, const char *name, bool value);

#endif
