/* Messages between the processes of a solver, by MPI: what has been written for each process is
 * delivered to all at the same time. Every function here but mail_write is called by all processes
 * together. */
#ifndef NONET_SOLVE_MAIL_H
#define NONET_SOLVE_MAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mail {
    int me, all; /* this process, from 0, and how many there are */
    bool failed; /* out of memory here; told to the others at the next exchange */
    struct mail_box {
        unsigned char *bytes;
        size_t size, room;
    } * out; /* for each process */
    /* What was delivered last, those from the first process first. */
    unsigned char *in;
    size_t in_size, in_room;
    int *in_sizes, *in_starts; /* by sender */
    int *out_sizes, *out_starts;
    unsigned char *packed;
    size_t packed_room;
};

/* False, in all processes, if one of them has no memory; then, too, mail_close frees. */
bool mail_open(struct mail *mail);
void mail_close(struct mail *mail);

/* Adds to what a process will get. */
void mail_write(struct mail *mail, int to, const void *bytes, size_t size);
/* How many bytes wait to be delivered. */
size_t mail_waiting(const struct mail *mail);

/* Delivers. False, in all processes, if one of them has failed. */
bool mail_exchange(struct mail *mail);

/* The sum and the greatest over all processes, and whether it is true of all. */
uint64_t mail_sum(uint64_t own);
uint64_t mail_most(uint64_t own);
bool mail_agree(bool own);

#endif
