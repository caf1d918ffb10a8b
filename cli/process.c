/* process.c - gnuplot and ffmpeg without a shell, and the files they make. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

extern char **environ;

/* ---- programs -------------------------------------------------------------------------------- */

/* Our environment with LC_ALL=C.UTF-8: in a locale without UTF-8 gnuplot complains of our labels.  Without GNUTERM: a
 * terminal that gnuplot does not have would end it before it reads which one is asked for. */
static char **child_environment(void) {
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **list = calloc(count + 2, sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0 && strncmp(environ[i], "GNUTERM=", 8) != 0)
            list[kept++] = environ[i];
    if (list) list[kept] = locale;
    return list;
}

int process_find(const char *name, char *file, size_t size) {
    const char *path = getenv("PATH");
    for (size_t length; path && *path; path += length + (path[length] == ':')) {
        length = strcspn(path, ":");
        if (*path != '/' || length + strlen(name) + 2 > size) continue;
        snprintf(file, size, "%.*s/%s", (int)length, path, name);
        if (access(file, X_OK) == 0) return 1;
    }
    errno = ENOENT;
    return 0;
}

static int use(int descriptor, int as) {
    return descriptor == as || dup2(descriptor, as) >= 0;
}

/* In the child: only calls that are safe after a fork. */
static void become(const process_setup *setup, const char *file, char **environment, int in,
                   int none) {
    signal(SIGPIPE, SIG_DFL);
    if (use(in, STDIN_FILENO) && use(setup->out < 0 ? none : setup->out, STDOUT_FILENO) &&
        (!setup->folder || chdir(setup->folder) == 0)) {
        environ = environment;
        execv(file, (char *const *)setup->argument);
    }
    _exit(127);
}

static _Atomic pid_t running; /* the program that runs; 0: none */

static int start(process *p, const process_setup *setup, int in, int none) {
    char file[4096];
    if (!process_find(setup->argument[0], file, sizeof file)) return 0;
    char **environment = child_environment();
    if (!environment) return 0;
    fflush(NULL); /* what is still in a buffer would be written twice if the child flushed it */
    p->id = fork();
    if (p->id == 0) become(setup, file, environment, in, none);
    free(environment);
    running = p->id > 0 ? p->id : 0;
    return p->id > 0;
}

int process_start(process *p, const process_setup *setup) {
    int end[2] = {-1, -1};
    *p = (process){0};
    const int none = open("/dev/null", O_RDWR | O_CLOEXEC);
    int ok = none >= 0 && (!setup->feed || pipe(end) == 0);
    if (ok && setup->feed) {
        fcntl(end[0], F_SETFD, FD_CLOEXEC);
        fcntl(end[1], F_SETFD, FD_CLOEXEC);
        p->in = fdopen(end[1], "w");
        ok = p->in != NULL;
    }
    ok = ok && start(p, setup, setup->feed ? end[0] : none, none);
    const int why = errno;
    if (!ok && p->in) fclose(p->in), p->in = NULL, end[1] = -1;
    if (!ok && end[1] >= 0) close(end[1]);
    if (end[0] >= 0) close(end[0]);
    if (none >= 0) close(none);
    errno = why;
    return ok;
}

int process_end(process *p) {
    int status;
    if (p->in) fclose(p->in);
    p->in = NULL;
    while (waitpid(p->id, &status, 0) < 0)
        if (errno != EINTR) { /* it was waited for by process_abandon */
            running = 0;
            cli_stop_yield();
            return 0;
        }
    running = 0;
    if (status != 0)
        cli_stop_yield(); /* it failed because we ended it: no caller may say that it did */
    return status == 0;
}

void process_abandon(void) {
    const pid_t id = running;
    if (id <= 0) return;
    kill(id, SIGKILL);
    waitpid(id, NULL, 0);
}

int process_folder(wy_temporary_folder *folder) {
    char begin[4000];
    const char *place = getenv("TMPDIR");
    if (!place || !*place) place = "/tmp";
    const int length = snprintf(begin, sizeof begin, "%s/withy-", place);
    const int code =
        length < (int)sizeof begin ? wy_temporary_folder_open(folder, begin, 0700) : ENAMETOOLONG;
    if (!code) return 0;
    cli_warn("withy: %s: cannot create a temporary folder here: %s; set TMPDIR to another folder\n",
             place, strerror(code));
    return CLI_FAILED;
}

/* ---- gnuplot --------------------------------------------------------------------------------- */

int gnuplot_start(process *p, const char *folder, int out) {
    /* -d: no start-up files, whose settings would change the picture */
    static const char *const argument[] = {"gnuplot", "-d", "-", NULL};
    return process_start(p, &(process_setup){argument, folder, out, 1});
}

/* In double quotes gnuplot reads \047 as a character and looks for nothing else in it; in single quotes, where it
 * should look for nothing at all, it reads two quotes at the beginning as an empty text and an error. */
void gnuplot_text(FILE *program, const char *text) {
    /* no digits: gnuplot takes any that follow \056 for a part of it */
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ";
    char one[5];
    const char *begin = text;
    fputc('"', program);
    while (*text) {
        if (*text == '>' && text - begin >= 2 && strncmp(text - 2, "]]", 2) == 0)
            fputc(' ', program); /* gnuplot leaves it as it is, and XML forbids it */
        text += text_next(text, one);
        for (const char *c = one; *c; c++)
            fprintf(program, strchr(plain, *c) ? "%c" : "\\%03o", (unsigned)(unsigned char)*c);
    }
    fputc('"', program);
}

/* ---- files ----------------------------------------------------------------------------------- */

int whole_begin(wy_atomic_file *file, const char *path) {
    const int code = wy_atomic_file_open(file, path, false);
    return code ? code : wy_atomic_file_stream(file);
}

int whole_copy(wy_atomic_file *file, const char *from) {
    char piece[65536];
    FILE *source = fopen(from, "rb");
    if (!source) return 0;
    size_t count;
    int ok = 1;
    while (ok && (count = fread(piece, 1, sizeof piece, source)) > 0)
        ok = fwrite(piece, 1, count, file->stream) == count;
    ok = ok && !ferror(source);
    const int why = errno;
    fclose(source);
    return errno = why, ok;
}

int whole_ends(const wy_atomic_file *file, const char *mark) {
    char tail[65];
    if (fseek(file->stream, 0, SEEK_END) != 0) return 0;
    const long size = ftell(file->stream), from = size > 64 ? size - 64 : 0;
    if (size < 0 || fseek(file->stream, from, SEEK_SET) != 0) return 0;
    const size_t count = fread(tail, 1, 64, file->stream), length = strlen(mark);
    for (size_t i = 0; i + length <= count; i++)
        if (memcmp(tail + i, mark, length) == 0) return 1;
    return 0;
}

int whole_apart(const char *output, const char *input) {
    struct stat old, read;
    if (stat(output, &old) != 0 || stat(input, &read) != 0 || old.st_dev != read.st_dev ||
        old.st_ino != read.st_ino)
        return -1;
    cli_warn("withy: %s: is an input, which the output would overwrite; choose another name\n",
             output);
    return CLI_USAGE;
}

int whole_check(const char *output, const char *input) {
    withy_error err = {0};
    const int status = whole_apart(output, input);
    if (status >= 0) return status;
    const int code = wy_atomic_file_try(output);
    if (!code) return -1;
    wy_cannot_write(output, code, &err);
    return cli_error(&err);
}
