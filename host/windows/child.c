/* Other programs are not started on Windows: their pipes cannot be waited for with a deadline as
 * elsewhere. */
#include "../child.h"

struct child *child_start(const char *command, struct nonet_text *why) {
    (void)command;
    nonet_text_add(why, "on Windows this program starts no others");
    return NULL;
}

void child_end(struct child *child, const char *farewell) {
    (void)child, (void)farewell;
}

enum child_answer child_send(struct child *child, const char *text, double deadline,
                             const atomic_bool *stop, struct nonet_text *why) {
    (void)child, (void)text, (void)deadline, (void)stop, (void)why;
    return CHILD_FAILED;
}

enum child_answer child_read(struct child *child, const char **line, double deadline,
                             const atomic_bool *stop, struct nonet_text *why) {
    (void)child, (void)line, (void)deadline, (void)stop, (void)why;
    return CHILD_FAILED;
}
