/* nonet-train: makes the network of a game from games that `nonet selfplay` wrote
 * (docs/training.md). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "host/files.h"
#include "trainer.h"

static const char usage[] =
    "Usage: nonet-train --output FILE [--seed N] [--epochs N] [--rate R] [--by-search S] GAMES…\n";

static int fail(const char *name, const char *why) {
    fprintf(stderr, "nonet-train: %s%s%s\n", name, *name != '\0' ? ": " : "", why);
    return 1;
}

/* ---- What is held out tells how good the network is ---- */

struct judgement {
    double count, right, loss;
};

/* Adds one opinion, the logarithm of the odds, about a sample. */
static void add(struct judgement *judgement, const struct sample *sample, double odds) {
    double aim = sample->result;
    judgement->count++;
    judgement->right += odds == 0 || aim == 0.5 ? 0.5 : (odds > 0) == (aim > 0.5);
    judgement->loss += log1p(exp(-odds)) * aim + log1p(exp(odds)) * (1 - aim);
}

static void print(const char *name, const struct judgement *before, const struct judgement *now) {
    if (now->count > 0)
        printf("%-9s %7.0f positions   the game's own evaluation %5.1f %%   the network %5.1f %%, "
               "loss %.4f\n",
               name, now->count, 100 * before->right / now->count, 100 * now->right / now->count,
               now->loss / now->count);
}

static void measure(const struct samples *samples, const int16_t *weights) {
    struct judgement before[4] = {0}, now[4] = {0};
    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->sample[i];
        if (!sample->held_out || !sample->played)
            continue;
        double odds = nonet_network_judge(weights, sample->features) / 1000.0;
        double score = sample->score / 1000.0;
        int third = sample->progress / 4;
        for (int k = third; k < 4; k += 3 - third) {
            add(&before[k], sample, 2 * score / (1.0001 - fabs(score)));
            add(&now[k], sample, odds);
        }
    }
    static const char *const names[] = {"beginning", "middle", "end", "all"};
    for (int k = 0; k < 4; k++)
        print(names[k], &before[k], &now[k]);
}

/* ---- The file ---- */

static bool write_network(const char *path, const struct samples *samples,
                          const struct settings *settings, const int16_t *weights,
                          struct nonet_text *why) {
    static char bytes[1 << 18];
    struct nonet_text out = NONET_TEXT_IN(bytes);
    nonet_text_format(&out,
                      "/* Made by nonet-train for %s: --seed %" PRIu64
                      " --epochs %d --rate %g --by-search %g,\n * %zu positions of %" PRIu64
                      " games. docs/training.md says how. Not to be edited. */\n",
                      samples->game->title, settings->seed, settings->epochs, settings->rate,
                      settings->by_search, samples->count, samples->games);
    for (int i = 0; i < NONET_NETWORK_WEIGHTS; i++)
        nonet_text_format(&out, "%d%s", weights[i],
                          i + 1 == NONET_NETWORK_WEIGHTS ? "\n"
                          : i % 16 == 15                 ? ",\n"
                                                         : ", ");
    return files_replace(path, 0644, bytes, out.length, why);
}

static int run(struct samples *samples, const struct settings *settings, const char *output) {
    static int16_t weights[NONET_NETWORK_WEIGHTS];
    char reason[512];
    struct nonet_text why = NONET_TEXT_IN(reason);
    if (!trainer_run(samples, settings, weights))
        return fail("", "there is no memory left");
    if (!write_network(output, samples, settings, weights, &why))
        return fail(output, reason);
    printf("%zu positions of %" PRIu64 " games\n", samples->count, samples->games);
    measure(samples, weights);
    return 0;
}

int main(int argc, char **argv) {
    struct samples samples = {0};
    struct settings settings = {.seed = 1, .epochs = 20, .rate = 0.003, .by_search = 0.3};
    const char *output = NULL;
    int code = 0, i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (strcmp(name, "--output") == 0)
            output = value;
        else if (strcmp(name, "--seed") == 0)
            settings.seed = strtoull(value, NULL, 10);
        else if (strcmp(name, "--epochs") == 0)
            settings.epochs = atoi(value);
        else if (strcmp(name, "--rate") == 0)
            settings.rate = atof(value);
        else if (strcmp(name, "--by-search") == 0)
            settings.by_search = atof(value);
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
        if (!samples_read(&samples, argv[i], &why))
            code = fail(argv[i], reason);
    }
    if (code == 0)
        code = run(&samples, &settings, output);
    free(samples.sample);
    return code;
}
