#include "json.h"

#include <inttypes.h>

struct nonet_json nonet_json_in(struct nonet_text *text) {
    return (struct nonet_json){text, false};
}

static void separate(struct nonet_json *json) {
    if (json->follows)
        nonet_text_char(json->text, ',');
    json->follows = true;
}

static bool is_plain(char c) {
    return c != '"' && c != '\\' && (unsigned char)c >= 0x20;
}

static void quote(struct nonet_text *text, const char *string) {
    nonet_text_char(text, '"');
    for (const char *c = string; *c != '\0';) {
        const char *plain = c;
        while (is_plain(*c))
            c++;
        nonet_text_bytes(text, plain, (size_t)(c - plain));
        if (*c == '"' || *c == '\\') {
            nonet_text_char(text, '\\');
            nonet_text_char(text, *c++);
        } else if (*c != '\0') {
            nonet_text_format(text, "\\u%04x", (unsigned)*c++);
        }
    }
    nonet_text_char(text, '"');
}

void nonet_json_name(struct nonet_json *json, const char *name) {
    separate(json);
    quote(json->text, name);
    nonet_text_char(json->text, ':');
    json->follows = false;
}

void nonet_json_open(struct nonet_json *json, char bracket) {
    separate(json);
    nonet_text_char(json->text, bracket);
    json->follows = false;
}

void nonet_json_close(struct nonet_json *json, char bracket) {
    nonet_text_char(json->text, bracket);
    json->follows = true;
}

void nonet_json_string(struct nonet_json *json, const char *string) {
    separate(json);
    quote(json->text, string);
}

void nonet_json_number(struct nonet_json *json, int64_t number) {
    separate(json);
    nonet_text_number(json->text, number);
}

void nonet_json_thousandths(struct nonet_json *json, uint64_t thousandths) {
    separate(json);
    nonet_text_format(json->text, "%" PRIu64 ".%03d", thousandths / 1000,
                      (int)(thousandths % 1000));
}

void nonet_json_bool(struct nonet_json *json, bool value) {
    separate(json);
    nonet_text_add(json->text, value ? "true" : "false");
}

void nonet_json_null(struct nonet_json *json) {
    separate(json);
    nonet_text_add(json->text, "null");
}

void nonet_json_string_member(struct nonet_json *json, const char *name, const char *string) {
    nonet_json_name(json, name);
    nonet_json_string(json, string);
}

void nonet_json_number_member(struct nonet_json *json, const char *name, int64_t number) {
    nonet_json_name(json, name);
    nonet_json_number(json, number);
}

void nonet_json_bool_member(struct nonet_json *json, const char *name, bool value) {
    nonet_json_name(json, name);
    nonet_json_bool(json, value);
}
