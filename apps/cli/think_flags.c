#include "think_flags.h"

#include <string.h>

static int refuse(const char *flag, const char *given, const char *wanted) {
    return cli_fail(CLI_USAGE, "%s cannot be \"%s\"; it is %s", flag, nonet_quote(given).text,
                    wanted);
}

int cli_think_flags_read(const struct cli_think_flags *thinking, int *level,
                         struct thinker_limits *limits) {
    *limits = (struct thinker_limits){.threads = 1};
    uint64_t number = NONET_SEARCH_LEVELS;
    if (thinking->level != NULL &&
        (!cli_number(thinking->level, NONET_SEARCH_LEVELS, &number) || number == 0))
        return refuse("--level", thinking->level, host_words("a number from 1 to 10"));
    *level = (int)number;
    if (thinking->nodes != NULL &&
        (!cli_number(thinking->nodes, cli_most_nodes, &limits->nodes) || limits->nodes == 0))
        return refuse("--nodes", thinking->nodes, host_words("a number of positions above 0"));
    if (thinking->time != NULL && !cli_seconds(thinking->time, &limits->seconds))
        return refuse("--time", thinking->time, host_words("a number of seconds above 0"));
    if (thinking->seed != NULL && !cli_number(thinking->seed, UINT64_MAX, &limits->seed))
        return refuse("--seed", thinking->seed, host_words("a number below 2^64"));
    if (thinking->threads != NULL) {
        if (!cli_number(thinking->threads, THINKER_MAX_THREADS, &number) || number == 0)
            return refuse("--threads", thinking->threads, host_words("a number from 1 to 64"));
        limits->threads = (int)number;
    }
    if (thinking->memory != NULL) {
        if (!cli_bytes(thinking->memory, &number) || number < 1 << 20 || number > SIZE_MAX / 2)
            return refuse("--memory", thinking->memory,
                          host_words("a size of at least 1M, such as 256M"));
        limits->memory = (size_t)number;
    }
    return CLI_DONE;
}
