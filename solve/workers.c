#include "workers.h"

#include <pthread.h>

enum { MOST = 256 };

void workers_run(void *workers, size_t size, int count, void *(*work)(void *worker)) {
    pthread_t threads[MOST];
    int started = 1;
    while (started < count && started < MOST &&
           pthread_create(&threads[started], NULL, work,
                          (char *)workers + (size_t)started * size) == 0)
        started++;
    work(workers);
    for (int i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
}
