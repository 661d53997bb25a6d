/* MPI messages between the processes of a solver: all that was written for each process is
 * delivered at the same time. All processes call the functions together, except messages_write. */
#ifndef NONET_SOLVE_MESSAGES_H
#define NONET_SOLVE_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct messages {
    int me, all; /* this process, from 0, and how many there are */
    bool failed; /* out of memory here; told to the others at the next exchange */
    struct message_box {
        unsigned char *bytes;
        size_t size, room;
    } * out; /* for each process */
    /* What was delivered last, ordered by the sending process. */
    unsigned char *in;
    size_t in_size, in_room;
    int *in_sizes, *in_starts; /* by sender */
    int *out_sizes, *out_starts;
    unsigned char *packed;
    size_t packed_room;
};

/* False, in all processes, if memory runs out in one of them. Call messages_close also then. */
bool messages_open(struct messages *messages);
void messages_close(struct messages *messages);

/* Adds to what a process will receive. */
void messages_write(struct messages *messages, int to, const void *bytes, size_t size);
/* How many bytes are waiting to be delivered. */
size_t messages_waiting(const struct messages *messages);

/* Delivers. False, in all processes, if one of them has failed. */
bool messages_exchange(struct messages *messages);

/* The sum and the maximum over all processes, and whether it is true in all. */
uint64_t messages_sum(uint64_t own);
uint64_t messages_most(uint64_t own);
bool messages_agree(bool own);

#endif
