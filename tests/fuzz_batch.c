/* Any line as a question of `nonet think --batch`. The answer is one line of JSON with an id, which
 * may name an error. The limits, which the command would give, keep thinking short. */
#define _GNU_SOURCE
#include <string.h>

#include "cli/cli.h"
#include "cli/think.h"
#include "fuzzing.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    if (memmem(data, size, "10", 2) != NULL)
        return -1; /* the highest level would build tables, which takes longer than an input may */
    static struct think_batch *batch;
    if (batch == NULL)
        batch = think_batch_new();
    char *answer = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&answer, &length);
    PROMISE(batch != NULL && out != NULL);
    struct thinker_limits limits = {.nodes = 50, .seconds = 0.02, .threads = 1, .memory = 1 << 20};
    PROMISE(think_batch_answer(batch, (const char *)data, size, 1, &limits, out) == CLI_DONE);
    fclose(out);
    PROMISE(length > 8 && strncmp(answer, "{\"id\":", 6) == 0);
    PROMISE(strchr(answer, '\n') == answer + length - 1 && answer[length - 2] == '}');
    free(answer);
    return 0;
}
