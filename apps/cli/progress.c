#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "host/clock.h"
#include "host/thinker.h"
#include "words.h"

void cli_progress_begin(struct cli_progress *progress) {
    *progress = (struct cli_progress){.silent = isatty(STDERR_FILENO) != 1, .begun = clock_now()};
}

/* What is being done, in the language that is spoken. A number in it may be another each time. */
static void say_what(const char *what, struct nonet_text *out) {
    char english[96], number[24];
    struct nonet_text text = NONET_TEXT_IN(english);
    size_t before = strcspn(what, "0123456789"), digits = strspn(what + before, "0123456789");
    snprintf(number, sizeof number, "%.*s", (int)digits, what + before);
    nonet_text_format(&text, "%.*s%s%s", (int)before, what, digits > 0 ? "{0}" : "",
                      what + before + digits);
    const struct nonet_phrase phrase = {english, english};
    cli_write(out, nonet_say(&phrase, nonet_quote(number)));
}

void cli_progress_show(void *context, const char *what, double share, double seconds_left) {
    struct cli_progress *progress = context;
    enum { WIDTH = 16, COLUMNS = 80 };
    double time = clock_now();
    /* Ten times a second is enough, and work of less than half a second needs no bar. */
    if (progress->silent || time - progress->begun < 0.5 || time - progress->drawn < 0.1)
        return;
    progress->drawn = time;
    progress->shown = true;
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < share * WIDTH ? '#' : '.';
    bar[WIDTH] = '\0';
    char line[4 * COLUMNS];
    struct nonet_text text = NONET_TEXT_IN(line);
    nonet_text_format(&text, "[%s] %3.0f %%  ", bar, share * 100);
    say_what(what, &text);
    if (seconds_left >= 90)
        cli_write(&text, nonet_say(&cli_words[WORD_MINUTES_LEFT],
                                   nonet_number((int32_t)(seconds_left / 60 + 0.5))));
    else if (seconds_left >= 0)
        cli_write(&text, nonet_say(&cli_words[WORD_SECONDS_LEFT],
                                   nonet_number((int32_t)(seconds_left + 0.5))));
    /* A line that is too long would be broken, and could not be erased. */
    struct winsize size;
    int columns =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : COLUMNS;
    int room = (columns < COLUMNS ? columns : COLUMNS) - 1;
    char shown[sizeof line];
    struct nonet_text ascii = NONET_TEXT_IN(shown);
    if (cli_needs_ascii())
        nonet_text_ascii(&ascii, line, text.length);
    else
        nonet_text_add(&ascii, line);
    size_t bytes = 0;
    for (; shown[bytes] != '\0'; bytes++)
        if (((unsigned char)shown[bytes] & 0xc0) != 0x80 && room-- == 0)
            break;
    fprintf(stderr, "\r\033[K%.*s", (int)bytes, shown);
}

void cli_progress_positions(struct cli_progress *progress, int done, int all) {
    char what[96];
    struct nonet_text text = NONET_TEXT_IN(what);
    cli_write(&text, nonet_say(&cli_words[WORD_POSITION_OF],
                               nonet_number(done < all ? done + 1 : all), nonet_number(all)));
    double spent = cli_progress_seconds(progress);
    cli_progress_show(progress, what, (double)done / all,
                      done > 0 ? spent / done * (all - done) : -1);
}

void cli_progress_end(struct cli_progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

void cli_progress_note(void *context, const char *line) {
    cli_progress_end(context);
    fprintf(stderr, "nonet: %s\n", line);
}

double cli_progress_seconds(const struct cli_progress *progress) {
    return clock_now() - progress->begun;
}

const char *cli_prepare(struct thinker *thinker, int level) {
    struct cli_progress progress;
    cli_progress_begin(&progress);
    thinker_watch(thinker, cli_progress_show, &progress);
    const char *note = thinker_prepare(thinker, level);
    thinker_watch(thinker, NULL, NULL);
    cli_progress_end(&progress);
    return note;
}
