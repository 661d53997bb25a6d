#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "host/clock.h"

void cli_progress_begin(struct cli_progress *progress) {
    *progress = (struct cli_progress){.silent = isatty(STDERR_FILENO) != 1, .begun = clock_now()};
}

void cli_progress_show(void *context, const char *what, double share, double seconds_left) {
    struct cli_progress *progress = context;
    enum { WIDTH = 24 };
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
    fprintf(stderr, "\r\033[K[%s] %3.0f %%  %s", bar, share * 100, what);
    if (seconds_left >= 90)
        fprintf(stderr, ", about %.0f min left", seconds_left / 60);
    else if (seconds_left >= 0)
        fprintf(stderr, ", about %.0f s left", seconds_left);
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
