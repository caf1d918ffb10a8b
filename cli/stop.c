/* stop.c - SIGINT, SIGTERM and SIGHUP, handled by a thread of its own.
 *
 * The thread waits for them, at the end of a pipe, while the program computes, so that it may do what a signal handler may not: end gnuplot or
 * ffmpeg, remove temporary files and folders, and end the program at once, wherever it is.  Only a
 * computation that can finish its result files is asked to do so first: it checks cli_stop_asked.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "process.h"

static const double PATIENCE =
    0.1; /* for a computation that checks and has no file to finish [s] */
/* The file is finished after the first signal, also when several come at once (a shell and a batch system may
 * both send one); one that comes later, by somebody who does not want to wait, ends the program. */
static const double AT_ONCE = 1.0; /* [s] */

static atomic_int checked; /* a computation asks cli_stop_asked */
static atomic_int asked;   /* it is to stop */
static atomic_int handled; /* and has been asked */

void cli_stop_check(int begins) {
    checked = begins;
}

int cli_stop_asked(void) {
    if (asked) handled = 1;
    return asked;
}

static atomic_int leaving; /* the program is being ended */

/* What fails now fails because gnuplot or ffmpeg was ended: nothing is said about it. */
void cli_stop_yield(void) {
    while (leaving) pause();
}

static int as_json; /* the answer is to be JSON */

/* Who asks for JSON gets it, unless a part of the answer is under way. */
static int report_json(void) {
    static const char object[] =
        "{\n  \"status\": \"interrupted\",\n  \"error\": {\n    \"message\": \"stopped on "
        "request\",\n"
        "    \"path\": \"\",\n    \"line\": 0,\n    \"status\": \"interrupted\"\n  }\n}\n";
    return as_json && !json_begun() && write(STDOUT_FILENO, object, strlen(object)) > 0;
}

/* Never returns. */
static void leave(void) {
    leaving = 1;
    static const char wipe[] = "\r\033[K", text[] = "withy: stopped on request\n";
    process_abandon();
    wy_atomic_file_abandon();
    int shown = isatty(STDERR_FILENO) && write(STDERR_FILENO, wipe, strlen(wipe)) > 0;
    shown |= report_json();
    if (write(STDERR_FILENO, text, strlen(text)) > 0 || shown) _exit(CLI_INTERRUPTED);
    _exit(CLI_INTERRUPTED);
}

/* Until the computation has handled it, has ended, or is not going to. */
static void wait_until_handled(double since) {
    const struct timespec pause = {.tv_nsec = 5000000};
    while (checked && !handled && cli_clock() - since < PATIENCE) nanosleep(&pause, NULL);
}

static int end[2]; /* a pipe from the handler to the thread */

/* In whichever thread: a library may have made its own before main.  The signals are few. */
static void on_signal(int number) {
    const int why = errno;
    const char byte = (char)number;
    if (write(end[1], &byte, 1) < 0) signal(number, SIG_DFL); /* then the next one ends us */
    errno = why;
}

static void *listen(void *context) {
    double since = 0;
    (void)context;
    for (char number; read(end[0], &number, 1) == 1;) {
        const double now = cli_clock();
        if (asked ? now - since > AT_ONCE : !checked) leave();
        if (asked) continue;
        since = now, asked = 1;
        wait_until_handled(since);
        if (!handled && !wy_atomic_file_results()) leave();
    }
    return NULL;
}

/* A signal that is ignored when we start (nohup, a job in the background of a script) stays ignored. */
void cli_stop_start(int json) {
    static const int number[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;
    pthread_t thread;
    as_json = json;
    if (pipe(end) != 0) return; /* a signal ends the program, unheard */
    for (int i = 0; i < 2; i++) fcntl(end[i], F_SETFD, FD_CLOEXEC);
    if (pthread_create(&thread, NULL, listen, NULL) != 0) return;
    pthread_detach(thread);
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if (sigaction(number[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(number[i], &action, NULL);
}
