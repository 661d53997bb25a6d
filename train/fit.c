/* nonet-fit: makes the weights of a game with hidden information (rules/counts.h) from games that
 * `nonet selfplay` wrote (docs/training.md). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fitter.h"
#include "host/files.h"

static const char usage[] = "Usage: nonet-fit --output FILE [--ridge R] GAMES…\n";

static int fail(const char *name, const char *why) {
    fprintf(stderr, "nonet-fit: %s: %s\n", name, why);
    return 1;
}

/* Fits one set of weights, beginning with the game's own, and tells how good it is. */
static void fit_set(const struct fit *fit, double ridge, const char *name, const int16_t *own,
                    int16_t *weights) {
    size_t count;
    memcpy(weights, own, (size_t)fit->width * sizeof *weights);
    bool fitted = fitter_run(fit, ridge, weights);
    double guess = fitter_likelihood(fit, NULL, &count);
    double before = fitter_likelihood(fit, own, &count);
    if (count > 0)
        printf("%-34s %7zu   a guess %.4f   the game's weights %.4f   the new %.4f%s\n", name,
               count, guess, before, fitter_likelihood(fit, weights, &count),
               fitted ? "" : " (unchanged)");
}

static void write_set(const char *name, const int16_t *weights, int width, struct nonet_text *out) {
    nonet_text_format(out, "/* %s */\n", name);
    for (int i = 0; i < width; i++)
        nonet_text_format(out, "%d,%s", weights[i], i % 16 == 15 || i + 1 == width ? "\n" : " ");
}

static int run(const struct lessons *lessons, double ridge, const char *output) {
    static char bytes[1 << 16];
    char reason[512];
    struct nonet_text out = NONET_TEXT_IN(bytes), why = NONET_TEXT_IN(reason);
    const struct nonet_counts *counts = lessons->game->hidden->counts;
    nonet_text_format(&out,
                      "/* Made by nonet-fit for %s: --ridge %g, %zu positions and %zu moves of "
                      "%" PRIu64 " games.\n * docs/training.md says how. Not to be edited. */\n",
                      lessons->game->title, ridge, lessons->sides.count, lessons->moves.count,
                      lessons->games);
    printf("%zu positions and %zu moves of %" PRIu64 " games\n", lessons->sides.count,
           lessons->moves.count, lessons->games);
    const int16_t *own = counts->weights;
    for (int i = 0; i < counts->side_sets + counts->move_sets; i++) {
        int16_t weights[NONET_MAX_COUNTS];
        struct fit fit = {.choices = &lessons->sides,
                          .set = i,
                          .width = counts->side_counts,
                          .unit = NONET_SIDE_UNIT};
        if (i >= counts->side_sets)
            fit = (struct fit){.choices = &lessons->moves,
                               .set = i - counts->side_sets,
                               .width = counts->move_counts,
                               .unit = NONET_MOVE_UNIT};
        fit_set(&fit, ridge, counts->set_names[i], own, weights);
        write_set(counts->set_names[i], weights, fit.width, &out);
        own += fit.width;
    }
    return files_replace(output, 0644, bytes, out.length, &why) ? 0 : fail(output, reason);
}

int main(int argc, char **argv) {
    struct lessons lessons = {0};
    double ridge = 10;
    const char *output = NULL;
    int code = 0, i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--output") == 0)
            output = argv[i + 1];
        else if (strcmp(argv[i], "--ridge") == 0 && atof(argv[i + 1]) > 0)
            ridge = atof(argv[i + 1]);
        else
            break;
    }
    if (output == NULL || i >= argc || argv[i][0] == '-') {
        fputs(usage, stderr);
        return 2;
    }
    for (; i < argc && code == 0; i++) {
        char reason[512];
        struct nonet_text why = NONET_TEXT_IN(reason);
        if (!lessons_read(&lessons, argv[i], &why))
            code = fail(argv[i], why.length > 0 ? reason : "there is no memory left");
    }
    if (code == 0)
        code = run(&lessons, ridge, output);
    lessons_free(&lessons);
    return code;
}
