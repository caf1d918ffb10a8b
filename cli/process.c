/* process.c - gnuplot and ffmpeg without a shell, and the files they make. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

extern char **environ;

/* ---- programs -------------------------------------------------------------------------------- */

/* Our environment with LC_ALL=C.UTF-8: in a locale without UTF-8 gnuplot complains of our labels. */
static char **child_environment(void) {
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **list = calloc(count + 2, sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0) list[kept++] = environ[i];
    if (list) list[kept] = locale;
    return list;
}

static int use(int descriptor, int as) {
    return descriptor == as || dup2(descriptor, as) >= 0;
}

/* In the child: only calls that are safe after a fork. */
static void become(const process_setup *setup, char **environment, int in, int none) {
    signal(SIGPIPE, SIG_DFL);
    if (use(in, STDIN_FILENO) && use(setup->out < 0 ? none : setup->out, STDOUT_FILENO) &&
        (!setup->folder || chdir(setup->folder) == 0)) {
        environ = environment;
        execvp(setup->argument[0], (char *const *)setup->argument);
    }
    _exit(127);
}

static int start(process *p, const process_setup *setup, int in, int none) {
    char **environment = child_environment();
    if (!environment) return 0;
    fflush(NULL); /* what is still in a buffer would be written twice if the child flushed it */
    p->id = fork();
    if (p->id == 0) become(setup, environment, in, none);
    free(environment);
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
        signal(SIGPIPE, SIG_IGN); /* a program that ends early is seen by ferror */
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
        if (errno != EINTR) return 0;
    return status == 0;
}

int process_folder(char *folder, size_t size) {
    const char *place = getenv("TMPDIR");
    if (!place || !*place) place = "/tmp";
    if (snprintf(folder, size, "%s/withy-XXXXXX", place) < (int)size) return mkdtemp(folder) != 0;
    errno = ENAMETOOLONG;
    return 0;
}

/* ---- gnuplot --------------------------------------------------------------------------------- */

int gnuplot_start(process *p, const char *folder, int out) {
    /* -d: no start-up files, whose settings would change the picture */
    static const char *const argument[] = {"gnuplot", "-d", "-", NULL};
    return process_start(p, &(process_setup){argument, folder, out, 1});
}

void gnuplot_text(FILE *program, const char *text) {
    char one[5];
    fputc('\'', program);
    while (*text) {
        if (*text == '\'') fputc('\'', program);
        text += text_next(text, one);
        fputs(one, program);
    }
    fputc('\'', program);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* mkstemp: a new file with a name of its own, whatever links lie around; then the usual rights. */
int whole_begin(whole_file *file, const char *path) {
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    *file = (whole_file){.path = path};
    struct stat old;
    if (stat(path, &old) == 0 && S_ISDIR(old.st_mode)) return errno = EISDIR, 0;
    if (snprintf(file->beside, sizeof file->beside, "%.*s.withy-XXXXXX", folder, path) >=
        (int)sizeof file->beside)
        return errno = ENAMETOOLONG, 0;
    const int descriptor = mkstemp(file->beside);
    if (descriptor < 0) return 0;
    const mode_t mask = umask(0);
    umask(mask);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    file->stream = fchmod(descriptor, 0666 & ~mask) == 0 ? fdopen(descriptor, "w+b") : NULL;
    if (file->stream) return 1;
    const int why = errno;
    close(descriptor);
    unlink(file->beside);
    return errno = why, 0;
}

int whole_copy(whole_file *file, const char *from) {
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

int whole_ends(whole_file *file, const char *mark) {
    char tail[65];
    if (fseek(file->stream, 0, SEEK_END) != 0) return 0;
    const long size = ftell(file->stream), from = size > 64 ? size - 64 : 0;
    if (size < 0 || fseek(file->stream, from, SEEK_SET) != 0) return 0;
    const size_t count = fread(tail, 1, 64, file->stream), length = strlen(mark);
    for (size_t i = 0; i + length <= count; i++)
        if (memcmp(tail + i, mark, length) == 0) return 1;
    return 0;
}

int whole_keep(whole_file *file) {
    int ok = !ferror(file->stream) && fflush(file->stream) == 0 && fsync(fileno(file->stream)) == 0;
    int why = errno;
    if (fclose(file->stream) != 0 && ok) ok = 0, why = errno;
    file->stream = NULL;
    if (ok && rename(file->beside, file->path) == 0) return 1;
    if (ok) why = errno;
    unlink(file->beside);
    return errno = why, 0;
}

void whole_drop(whole_file *file) {
    const int why = errno;
    if (file->stream) {
        fclose(file->stream);
        unlink(file->beside);
    }
    file->stream = NULL;
    errno = why;
}
