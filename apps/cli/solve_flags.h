/* What a solver may use and how far it goes: the command-line flags that `nonet solve` and
 * `nonet-solve` share. */
#ifndef NONET_CLI_SOLVE_FLAGS_H
#define NONET_CLI_SOLVE_FLAGS_H
#include "cli.h"
#include "solve/listed.h"

struct cli_solve_flags {
    const char *memory, *material, *checkpoint; /* material may be NULL */
};

/* Fills in what the words say; refuses bad ones with CLI_USAGE. Only a game that is solved by
 * material can be limited by it. */
int cli_solve_flags_read(const struct cli_solve_flags *words, const struct nonet_options *options,
                         bool by_material, struct solve_limits *limits);

#endif
