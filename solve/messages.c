#include "messages.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

bool messages_open(struct messages *mail) {
    *mail = (struct messages){0};
    MPI_Comm_rank(MPI_COMM_WORLD, &mail->me);
    MPI_Comm_size(MPI_COMM_WORLD, &mail->all);
    size_t all = (size_t)mail->all;
    mail->out = calloc(all, sizeof *mail->out);
    mail->out_sizes = calloc(4 * all, sizeof *mail->out_sizes);
    if (mail->out_sizes != NULL) {
        mail->in_sizes = mail->out_sizes + all;
        mail->out_starts = mail->in_sizes + all;
        mail->in_starts = mail->out_starts + all;
    }
    return messages_agree(mail->out != NULL && mail->out_sizes != NULL);
}

void messages_close(struct messages *mail) {
    for (int i = 0; mail->out != NULL && i < mail->all; i++)
        free(mail->out[i].bytes);
    free(mail->out);
    free(mail->out_sizes);
    free(mail->in);
    free(mail->packed);
}

/* Room for so many bytes; what was there may be lost. */
static bool make_room(unsigned char **bytes, size_t *room, size_t size) {
    if (size <= *room)
        return true;
    free(*bytes);
    *bytes = malloc(size);
    *room = *bytes != NULL ? size : 0;
    return *bytes != NULL;
}

void messages_write(struct messages *mail, int to, const void *bytes, size_t size) {
    struct message_box *box = &mail->out[to];
    if (box->size + size > box->room) {
        size_t room = 2 * (box->room + size);
        unsigned char *larger = realloc(box->bytes, room);
        if (larger == NULL) {
            mail->failed = true;
            return;
        }
        box->bytes = larger;
        box->room = room;
    }
    memcpy(box->bytes + box->size, bytes, size);
    box->size += size;
}

size_t messages_waiting(const struct messages *mail) {
    size_t sum = 0;
    for (int i = 0; i < mail->all; i++)
        sum += mail->out[i].size;
    return sum;
}

/* The starts of parts that lie one behind the other; returns their sum. */
static size_t line_up(const int *sizes, int *starts, int count) {
    size_t sum = 0;
    for (int i = 0; i < count; i++) {
        starts[i] = (int)sum;
        sum += (size_t)sizes[i];
    }
    return sum;
}

bool messages_exchange(struct messages *mail) {
    size_t size = messages_waiting(mail);
    if (size > INT_MAX || !make_room(&mail->packed, &mail->packed_room, size))
        mail->failed = true;
    if (!messages_agree(!mail->failed))
        return false;
    for (int i = 0; i < mail->all; i++)
        mail->out_sizes[i] = (int)mail->out[i].size;
    line_up(mail->out_sizes, mail->out_starts, mail->all);
    for (int i = 0; i < mail->all; i++) {
        if (mail->out[i].size > 0)
            memcpy(mail->packed + mail->out_starts[i], mail->out[i].bytes, mail->out[i].size);
        mail->out[i].size = 0;
    }
    MPI_Alltoall(mail->out_sizes, 1, MPI_INT, mail->in_sizes, 1, MPI_INT, MPI_COMM_WORLD);
    mail->in_size = line_up(mail->in_sizes, mail->in_starts, mail->all);
    if (mail->in_size > INT_MAX || !make_room(&mail->in, &mail->in_room, mail->in_size))
        mail->failed = true;
    if (!messages_agree(!mail->failed))
        return false;
    MPI_Alltoallv(mail->packed, mail->out_sizes, mail->out_starts, MPI_BYTE, mail->in,
                  mail->in_sizes, mail->in_starts, MPI_BYTE, MPI_COMM_WORLD);
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
