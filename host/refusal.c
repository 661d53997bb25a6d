#include "refusal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct nonet_catalogue *host_language;

const char *host_words(const char *english) {
    const struct nonet_phrase phrase = {english, english};
    const char *text =
        host_language != NULL ? host_language->text(host_language->context, &phrase) : NULL;
    return text != NULL ? text : english;
}

/* The system would speak the language of the environment, which --lang need not be, and only where
 * its own translations are installed. So it speaks English, as no program of ours sets LC_MESSAGES,
 * and what people meet is translated like everything else. */
const char *host_error(int error) {
    return host_words(strerror(error));
}

bool host_refuse(struct nonet_text *why, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, host_words(format), arguments);
    va_end(arguments);
    nonet_text_add(why, line);
    return false;
}
