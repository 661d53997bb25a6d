/* A progress bar on a terminal: one line on stderr that is redrawn, and erased at the end. Nothing
 * is shown if stderr is not a terminal. */
#ifndef NONET_CLI_PROGRESS_H
#define NONET_CLI_PROGRESS_H

#include <stdbool.h>

struct cli_progress {
    bool shown;   /* there is a line to erase */
    bool silent;  /* no terminal */
    double begun; /* when; and when the line was drawn last */
    double drawn;
};

void cli_progress_begin(struct cli_progress *progress);
/* As in struct solve_limits; the context is the progress. */
void cli_progress_show(void *context, const char *what, double share, double seconds_left);
/* The same for positions that are judged one after the other: how many are done. */
void cli_progress_positions(struct cli_progress *progress, int done, int all);
/* A line that stays, as in struct solve_limits. */
void cli_progress_note(void *context, const char *line);
/* Since it began. */
double cli_progress_seconds(const struct cli_progress *progress);
void cli_progress_end(struct cli_progress *progress);

/* Looks for the table of a thinker's game, as thinker_prepare does, with a progress bar if it must
 * be built first. */
struct thinker;
const char *cli_prepare(struct thinker *thinker, int level);

#endif
