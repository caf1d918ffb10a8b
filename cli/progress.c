/* progress.c - a bar on the terminal. */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

double cli_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

cli_progress cli_progress_start(int quiet) {
    const double now = cli_clock();
    return (cli_progress){.show = !quiet && isatty(STDERR_FILENO), .start = now, .drawn = now};
}

static void draw(cli_progress *progress, double t, double stop, int64_t step, double now) {
    enum { WIDTH = 30 };
    const double part = stop > 0 ? t / stop : 1.0;
    const int full = (int)(part * WIDTH);
    char bar[WIDTH + 1];
    memset(bar, '.', WIDTH);
    memset(bar, '#', (size_t)(full < WIDTH ? full : WIDTH));
    bar[WIDTH] = '\0';
    const double left = part > 0 ? (now - progress->start) * (1 - part) / part : 0;
    fprintf(stderr, "\r[%s] %3.0f %%  t = %-9.4g step %lld, %.0f s left \033[K", bar, 100 * part, t,
            (long long)step, left);
    fflush(stderr);
    progress->visible = 1;
}

int cli_progress_step(void *context, double t, double stop, int64_t step) {
    cli_progress *progress = context;
    const double now = cli_clock();
    if (progress->show && step >= 0 && now - progress->drawn > 0.1 && now - progress->start > 0.4) {
        draw(progress, t, stop, step, now);
        progress->drawn = now;
    }
    return cli_stop_asked();
}

void cli_progress_end(cli_progress *progress) {
    if (progress->visible) fprintf(stderr, "\r\033[K");
    progress->visible = 0;
}
