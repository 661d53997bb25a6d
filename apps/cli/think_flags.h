/* What the commands that think share: their limits. */
#ifndef NONET_CLI_THINK_FLAGS_H
#define NONET_CLI_THINK_FLAGS_H

#include "cli.h"
#include "host/thinker.h"

/* The texts of --level, --nodes, --time, --seed, --threads and --memory, null where not given. */
struct cli_think_flags {
    const char *level, *nodes, *time, *seed, *threads, *memory;
};
/* The flags for them, for a list of cli_flag. */
#define CLI_THINK_FLAGS(thinking)                                                                  \
    {"--level", &(thinking).level, NULL}, {"--nodes", &(thinking).nodes, NULL},                    \
        {"--time", &(thinking).time, NULL}, {"--seed", &(thinking).seed, NULL},                    \
        {"--threads", &(thinking).threads, NULL}, {                                                \
        "--memory", &(thinking).memory, NULL                                                       \
    }
#define CLI_THINK_HELP                                                                             \
    "  --level L      from 1 to 10, the highest, which is the default\n"                           \
    "  --nodes N      search at most N positions\n"                                                \
    "  --time S       think for at most S seconds, such as 0.5\n"                                  \
    "  --seed S       a number that fixes all random choices\n"                                    \
    "  --threads T    search on T threads; with more than one, answers may vary\n"                 \
    "  --memory SIZE  memory for the searches, such as 256M; by default 64M\n"

static const uint64_t cli_most_nodes = 1000000000000000;

/* CLI_DONE, or the exit code after an error. */
int cli_think_flags_read(const struct cli_think_flags *thinking, int *level,
                         struct thinker_limits *limits);

#endif
