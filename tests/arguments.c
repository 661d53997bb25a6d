/* How the command sorts its words into flags, options of a game, and the rest. tests/command.py
 * tests what each command makes of them. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "cli/cli.h"

/* A command may have any number of flags. */
static void every_flag_is_known(void **unused) {
    (void)unused;
    enum { FLAGS = 40 };
    static char names[FLAGS][16];
    static const char *values[FLAGS];
    static struct cli_flag flags[FLAGS + 1];
    for (int i = 0; i < FLAGS; i++) {
        snprintf(names[i], sizeof names[i], "--flag%d", i);
        flags[i] = (struct cli_flag){names[i], &values[i], NULL};
    }
    for (int i = 0; i < FLAGS; i++) {
        char game[] = "trix", value[] = "v", move[] = "a1b1", from[] = "--from", text[] = "t";
        char *words[] = {game, names[i], value, move, from, text};
        struct cli_arguments arguments;
        CHECK(cli_parse(6, words, flags, &arguments) == CLI_DONE, "%s", names[i]);
        CHECK(values[i] != NULL && strcmp(values[i], "v") == 0, "%s", names[i]);
        assert_int_equal(arguments.word_count, 1);
        assert_string_equal(arguments.words[0], "a1b1");
        assert_string_equal(arguments.from, "t");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_flag_is_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
