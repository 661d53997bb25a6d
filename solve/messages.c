#include "messages.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

bool messages_open(struct messages *messages) {
    *messages = (struct messages){0};
    MPI_Comm_rank(MPI_COMM_WORLD, &messages->me);
    MPI_Comm_size(MPI_COMM_WORLD, &messages->all);
    size_t all = (size_t)messages->all;
    messages->out = calloc(all, sizeof *messages->out);
    messages->out_sizes = calloc(4 * all, sizeof *messages->out_sizes);
    if (messages->out_sizes != NULL) {
        messages->in_sizes = messages->out_sizes + all;
        messages->out_starts = messages->in_sizes + all;
        messages->in_starts = messages->out_starts + all;
    }
    return messages_agree(messages->out != NULL && messages->out_sizes != NULL);
}

void messages_close(struct messages *messages) {
    for (int i = 0; messages->out != NULL && i < messages->all; i++)
        free(messages->out[i].bytes);
    free(messages->out);
    free(messages->out_sizes);
    free(messages->in);
    free(messages->packed);
}

/* Makes room for `size` bytes; what was there may be lost. */
static bool make_room(unsigned char **bytes, size_t *room, size_t size) {
    if (size <= *room)
        return true;
    free(*bytes);
    *bytes = malloc(size);
    *room = *bytes != NULL ? size : 0;
    return *bytes != NULL;
}

void messages_write(struct messages *messages, int to, const void *bytes, size_t size) {
    struct message_box *box = &messages->out[to];
    if (box->size + size > box->room) {
        size_t room = 2 * (box->room + size);
        unsigned char *larger = realloc(box->bytes, room);
        if (larger == NULL) {
            messages->failed = true;
            return;
        }
        box->bytes = larger;
        box->room = room;
    }
    memcpy(box->bytes + box->size, bytes, size);
    box->size += size;
}

size_t messages_waiting(const struct messages *messages) {
    size_t sum = 0;
    for (int i = 0; i < messages->all; i++)
        sum += messages->out[i].size;
    return sum;
}

/* The starts of parts that follow each other; returns their total size. */
static size_t line_up(const int *sizes, int *starts, int count) {
    size_t sum = 0;
    for (int i = 0; i < count; i++) {
        starts[i] = (int)sum;
        sum += (size_t)sizes[i];
    }
    return sum;
}

bool messages_exchange(struct messages *messages) {
    size_t size = messages_waiting(messages);
    if (size > INT_MAX || !make_room(&messages->packed, &messages->packed_room, size))
        messages->failed = true;
    if (!messages_agree(!messages->failed))
        return false;
    for (int i = 0; i < messages->all; i++)
        messages->out_sizes[i] = (int)messages->out[i].size;
    line_up(messages->out_sizes, messages->out_starts, messages->all);
    for (int i = 0; i < messages->all; i++) {
        if (messages->out[i].size > 0)
            memcpy(messages->packed + messages->out_starts[i], messages->out[i].bytes,
                   messages->out[i].size);
        messages->out[i].size = 0;
    }
    MPI_Alltoall(messages->out_sizes, 1, MPI_INT, messages->in_sizes, 1, MPI_INT, MPI_COMM_WORLD);
    messages->in_size = line_up(messages->in_sizes, messages->in_starts, messages->all);
    if (messages->in_size > INT_MAX ||
        !make_room(&messages->in, &messages->in_room, messages->in_size))
        messages->failed = true;
    if (!messages_agree(!messages->failed))
        return false;
    MPI_Alltoallv(messages->packed, messages->out_sizes, messages->out_starts, MPI_BYTE,
                  messages->in, messages->in_sizes, messages->in_starts, MPI_BYTE, MPI_COMM_WORLD);
    return true;
}

uint64_t messages_sum(uint64_t own) {
    uint64_t sum;
    MPI_Allreduce(&own, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

uint64_t messages_most(uint64_t own) {
    uint64_t most;
    MPI_Allreduce(&own, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

bool messages_agree(bool own) {
    int mine = own, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}
