#include "text.h"

#include <stdio.h>
#include <string.h>

struct nonet_text nonet_text_in(char *bytes, size_t size) {
    bytes[0] = '\0';
    return (struct nonet_text){bytes, size, 0, false};
}

void nonet_text_bytes(struct nonet_text *text, const char *bytes, size_t length) {
    size_t room = text->size - 1 - text->length;
    if (length > room) {
        length = room;
        text->cut = true;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void nonet_text_char(struct nonet_text *text, char c) {
    nonet_text_bytes(text, &c, 1);
}

void nonet_text_add(struct nonet_text *text, const char *string) {
    nonet_text_bytes(text, string, strlen(string));
}

void nonet_text_number(struct nonet_text *text, int64_t number) {
    char digits[sizeof "-9223372036854775808"];
    char *const end = digits + sizeof digits, *first = end;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do
        *--first = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (number < 0)
        *--first = '-';
    nonet_text_bytes(text, first, (size_t)(end - first));
}

void nonet_text_format(struct nonet_text *text, const char *format, ...) {
    size_t room = text->size - text->length;
    va_list arguments;
    va_start(arguments, format);
    int wanted = vsnprintf(text->bytes + text->length, room, format, arguments);
    va_end(arguments);
    if (wanted < 0)
        return;
    if ((size_t)wanted >= room) {
        text->cut = true;
        text->length = text->size - 1;
    } else {
        text->length += (size_t)wanted;
    }
}

bool nonet_scan_number(const char **cursor, uint32_t max, uint32_t *value) {
    const char *c = *cursor;
    if (*c < '0' || *c > '9')
        return false;
    uint64_t sum = 0;
    if (*c == '0') {
        c++;
        if (*c >= '0' && *c <= '9')
            return false;
    } else {
        for (; *c >= '0' && *c <= '9'; c++) {
            sum = sum * 10 + (uint64_t)(*c - '0');
            if (sum > max)
                return false;
        }
    }
    *value = (uint32_t)sum;
    *cursor = c;
    return true;
}

bool nonet_scan_word(const char **cursor, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*cursor, word, length) != 0)
        return false;
    *cursor += length;
    return true;
}

void nonet_text_ascii(struct nonet_text *out, const char *text, size_t length) {
    static const char *const signs[][2] = {
        {"×", "x"},   {"–", "-"},        {"—", "--"},     {"…", "..."},    {"‘", "'"},  {"’", "'"},
        {"“", "\""},  {"”", "\""},       {"→", "->"},     {"≤", "<="},     {"≥", ">="}, {"−", "-"},
        {"½", "1/2"}, {"°", " degrees"}, {"é", "e"},      {"ü", "ue"},     {"ö", "oe"}, {"ä", "ae"},
        {"ß", "ss"},  {"è", "e"},        {"ê", "e"},      {"ë", "e"},      {"à", "a"},  {"â", "a"},
        {"ç", "c"},   {"ì", "i"},        {"î", "i"},      {"ò", "o"},      {"ó", "o"},  {"ô", "o"},
        {"ù", "u"},   {"œ", "oe"},       {"À", "A"},      {"È", "E"},      {"Ü", "Ue"}, {"„", "\""},
        {"«", "\""},  {"»", "\""},       {"\u00a0", " "}, {"\u202f", " "}, {"É", "E"},  {"Ê", "E"},
        {"Ç", "C"},   {"Ä", "Ae"},       {"Ö", "Oe"},     {"ï", "i"},      {"û", "u"},  {"ú", "u"},
        {"á", "a"},   {"í", "i"},        {"·", "."},      {"∞", "any"}};
    for (size_t i = 0; i < length;) {
        if ((unsigned char)text[i] < 0x80) {
            nonet_text_char(out, text[i++]);
            continue;
        }
        size_t k = 0, count = sizeof signs / sizeof signs[0];
        while (k < count && strncmp(text + i, signs[k][0], strlen(signs[k][0])) != 0)
            k++;
        nonet_text_add(out, k < count ? signs[k][1] : "?");
        for (i++; i < length && ((unsigned char)text[i] & 0xc0) == 0x80; i++)
            ;
    }
}
