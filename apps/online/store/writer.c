#include "writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct writer {
    struct store *store;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const struct store_line *lines; /* null: nothing to do */
    int count;
    bool ends, done;
    struct writer_result result;
    char reason[256];
    int signal;
};

static void *write_batches(void *context) {
    struct writer *writer = context;
    pthread_mutex_lock(&writer->lock);
    for (;;) {
        while (writer->lines == NULL && !writer->ends)
            pthread_cond_wait(&writer->changed, &writer->lock);
        if (writer->lines == NULL)
            break;
        const struct store_line *lines = writer->lines;
        int count = writer->count;
        pthread_mutex_unlock(&writer->lock);
        struct nonet_text why = NONET_TEXT_IN(writer->reason);
        int64_t first = 0;
        bool fine = store_append(writer->store, lines, count, &first, &why);
        pthread_mutex_lock(&writer->lock);
        writer->result = (struct writer_result){fine, first, writer->reason};
        writer->lines = NULL;
        writer->done = true;
        eventfd_write(writer->signal, 1);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

struct writer *writer_new(struct store *store) {
    struct writer *writer = calloc(1, sizeof *writer);
    int signal = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (writer != NULL && signal >= 0) {
        writer->store = store;
        writer->signal = signal;
        pthread_mutex_init(&writer->lock, NULL);
        pthread_cond_init(&writer->changed, NULL);
        if (pthread_create(&writer->thread, NULL, write_batches, writer) == 0)
            return writer;
        pthread_cond_destroy(&writer->changed);
        pthread_mutex_destroy(&writer->lock);
    }
    if (signal >= 0)
        close(signal);
    free(writer);
    store_close(store);
    return NULL;
}

void writer_free(struct writer *writer) {
    if (writer == NULL)
        return;
    pthread_mutex_lock(&writer->lock);
    writer->ends = true;
    pthread_cond_signal(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    pthread_join(writer->thread, NULL);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->lock);
    close(writer->signal);
    store_close(writer->store);
    free(writer);
}

int writer_signal(const struct writer *writer) {
    return writer->signal;
}

void writer_write(struct writer *writer, const struct store_line *lines, int count) {
    pthread_mutex_lock(&writer->lock);
    writer->lines = lines;
    writer->count = count;
    pthread_cond_signal(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
}

bool writer_done(struct writer *writer, struct writer_result *result) {
    eventfd_t count;
    eventfd_read(writer->signal, &count);
    pthread_mutex_lock(&writer->lock);
    bool done = writer->done;
    writer->done = false;
    *result = writer->result;
    pthread_mutex_unlock(&writer->lock);
    return done;
}
