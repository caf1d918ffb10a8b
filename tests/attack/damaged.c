/* damaged.c - damaged copies of results through every command that reads results.
 *
 *     attack_damaged FIRST COUNT RESULT...
 *
 * makes COUNT damaged copies (numbers FIRST, FIRST + 1, ... decide how) in the working directory and runs the
 * commands on each, in a process of its own with 60 s of processor time and 2 GB of memory.  A crash, a hang, a
 * failure without a message, and numbers that differ from those of the whole file are counted.  Prints
 *
 *     FILES REFUSED CRASHES HANGS SILENT WRONG
 *
 * The commands are linked in and forked, which takes a tenth of the time of starting the program.
 *
 * attack_hostile is the same with HOSTILE: the copies are those of somebody who computes checksums.  Numbers, sizes and
 * addresses are others, and parts of the file have other names, so that they are missing; checksums count as right.
 */
#ifdef HOSTILE
#define WITHY_FUZZING
#include "../../src/sink/hdf5/store.c" /* in place of that of the library */
#endif
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

enum {
    WORK = 60,
    HANG = 900,
    SECTOR = 512,
    PAGE = 4096,
    RESULTS_MOST = 16,
    PICTURES = 25,
    FILMS = 400
};

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

typedef struct counts {
    long files, refused, crashes, timeouts, silent, wrong;
} counts;

static uint64_t state;

static size_t below(size_t limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(state >> 24) % limit;
}

static void stop(const char *what, const char *name) {
    fprintf(stderr, "attack_damaged: %s %s\n", what, name);
    exit(2);
}

static bytes read_file(const char *path) {
    bytes b = {0};
    FILE *file = fopen(path, "rb");
    if (!file) return b;
    fseek(file, 0, SEEK_END);
    b.size = (size_t)ftell(file);
    rewind(file);
    b.data = malloc(b.size + 1);
    if (!b.data || fread(b.data, 1, b.size, file) != b.size) stop("cannot read", path);
    b.data[b.size] = '\0';
    fclose(file);
    return b;
}

static void write_file(const char *path, const unsigned char *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        stop("cannot write", path);
}

/* ---- damage ------------------------------------------------------------------------------------ */

#ifndef HOSTILE
static size_t lose_sector(unsigned char *data, size_t size) {
    const size_t at = below(size) / SECTOR * SECTOR;
    memset(data + at, 0, size - at < SECTOR ? size - at : SECTOR);
    return size;
}

static size_t lose_page(unsigned char *data, size_t size) {
    const size_t at = below(size) / PAGE * PAGE;
    memset(data + at, 0, size - at < PAGE ? size - at : PAGE);
    return size;
}

static size_t spoil_sector(unsigned char *data, size_t size) {
    const size_t at = below(size) / SECTOR * SECTOR;
    for (size_t i = at; i < size && i < at + SECTOR; i++) data[i] = (unsigned char)below(256);
    return size;
}

static size_t swap_sectors(unsigned char *data, size_t size) {
    unsigned char held[SECTOR];
    if (size < 2 * SECTOR) return size;
    const size_t a = below(size / SECTOR) * SECTOR, b = below(size / SECTOR) * SECTOR;
    memcpy(held, data + a, SECTOR);
    memmove(data + a, data + b, SECTOR);
    memcpy(data + b, held, SECTOR);
    return size;
}

static size_t flip_bits(unsigned char *data, size_t size) {
    for (size_t i = 1 + below(16); i > 0; i--) data[below(size)] ^= (unsigned char)(1u << below(8));
    return size;
}

#endif

/* Half of the time in the first bytes, where the structure is. */
static size_t change_bytes(unsigned char *data, size_t size) {
    for (size_t i = 1 + below(16); i > 0; i--)
        data[below(2) ? below(size) : below(size < PAGE ? size : PAGE)] = (unsigned char)below(256);
    return size;
}

#ifndef HOSTILE
static size_t cut(unsigned char *data, size_t size) {
    (void)data;
    return below(size);
}
#endif

#ifdef HOSTILE
/* Every place where the name stands, or one of them: what has it is no longer found. */
static void hide(unsigned char *data, size_t size, const char *name, int all) {
    const size_t length = strlen(name);
    size_t skip = all ? 0 : below(4);
    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp(data + i, name, length) != 0) continue;
        if (all || skip-- == 0) data[i + length - 1] ^= 2;
    }
}

static const char *const name[] = {
    "position",   "frame",      "velocity",  "spin",     "shear",          "bend",
    "force",      "moment",     "contact",   "contacts", "kinetic",        "twist",
    "gravity",    "conserved",  "work",      "momentum", "reaction_start", "touch_energy",
    "touch_lost", "iterations", "obstacles", "bodies",   "joints",         "vertex",
    "triangle",   "surface",    "size",      "kind",     "name",           "time",
    "step",       "value",      "probes",    "ledger",   "rod1",           "rod2",
    "s",          "t",          "mass",      "parts",    "push",           "gap",
    "title",      "method",     "section",   "length"};

static size_t hide_parts(unsigned char *data, size_t size) {
    hide(data, size, "check", 1);
    for (size_t i = 1 + below(3); i > 0; i--)
        hide(data, size, name[below(sizeof name / sizeof *name)], below(2) == 0);
    return size;
}

static size_t change_numbers(unsigned char *data, size_t size) {
    static const uint64_t odd[] = {
        0x7ff8000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0,
        UINT64_MAX,         INT64_MAX,          0x7e37e43c8800759c, 1,
        0x41dfffffffc00000, 0xbff0000000000000, 1u << 31,           0x430c6bf526340000};
    hide(data, size, "check", 1);
    for (size_t i = 1 + below(8); i > 0; i--) {
        const uint64_t value = odd[below(sizeof odd / sizeof *odd)];
        memcpy(data + below(size / 8) * 8, &value, sizeof value);
    }
    return size;
}

static size_t change_structure(unsigned char *data, size_t size) {
    for (size_t i = 1 + below(6); i > 0; i--) {
        const size_t at = below(size - 64), from = below(size - 64);
        const uint64_t value = below(2) ? from : below(3);
        if (below(2))
            memcpy(data + at / 8 * 8, &value, sizeof value);
        else
            memmove(data + at, data + from, 48);
    }
    return size;
}

static size_t (*const damage[])(unsigned char *, size_t) = {hide_parts, change_numbers,
                                                            change_structure, change_bytes};
#else
static size_t (*const damage[])(unsigned char *, size_t) = {
    lose_sector, flip_bits, cut, swap_sectors, lose_page, change_bytes, spoil_sector};
#endif
enum { KINDS = sizeof damage / sizeof *damage };

/* ---- commands ------------------------------------------------------------------------------------ */

typedef struct reader {
    cli_command run;
    const char *argument[8]; /* after the file */
    int every;               /* for files that can be read: once in so many, for it takes long */
} reader;

static const reader readers[] = {
    {cmd_export, {"export", "bad.h5", "--csv"}, 1},
    {cmd_export, {"export", "bad.h5", "--vtk"}, PICTURES},
    {cmd_view, {"view", "bad.h5", "-o", "bad.html"}, PICTURES},
    {cmd_plot, {"plot", "bad.h5", "--shapes", "--energy", "--probes", "-o", "bad.svg"}, PICTURES},
    {cmd_render, {"render", "bad.h5", "-o", "bad.gif", "--seconds=0.2", "--size=160x120"}, FILMS},
};
enum { READERS = sizeof readers / sizeof *readers };

static int in_child(const reader *r) {
    char *argument[9] = {0};
    int count = 0;
    const int log = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (; r->argument[count]; count++) argument[count] = strdup(r->argument[count]);
    dup2(log, STDOUT_FILENO), dup2(log, STDERR_FILENO);
#ifndef __SANITIZE_ADDRESS__ /* which reserves more */
    setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)2 << 30, (rlim_t)2 << 30});
#endif
    setrlimit(RLIMIT_CPU, &(struct rlimit){WORK, WORK + 1});
    alarm(HANG); /* for one that waits */
    const int status = r->run(count, argument);
    fflush(NULL);
    return status;
}

/* The exit status, or minus the signal. */
static int read_with(const reader *r) {
    int status;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) _exit(in_child(r));
    if (child < 0) stop("cannot", "fork");
    while (waitpid(child, &status, 0) < 0) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int reported(void) {
    const bytes log = read_file("log");
    const int found = log.data && strstr((const char *)log.data, "withy: ") != NULL;
    free(log.data);
    return found;
}

static void count_end(counts *c, const reader *r, int status, long number, int kind) {
    const char *what = NULL;
    if (status == -SIGALRM || status == -SIGXCPU)
        c->timeouts++, what = "does not end";
    else if (status < 0 || status > 2)
        c->crashes++, what = "crashes";
    else if (status != 0 && !reported())
        c->silent++, what = "fails without a message";
    if (what)
        fprintf(stderr, "attack_damaged: file %ld (damage %d): %s %s (%d)\n", number, kind,
                r->argument[0], what, status);
}

/* ---- numbers ------------------------------------------------------------------------------------- */

static const char *const table[] = {"bad.csv", "bad.ledger.csv", "bad.probes.csv"};
enum { TABLES = sizeof table / sizeof *table };

/* Remarks are left out: among them is how the run ended, which is written without a checksum. */
static void leave_out_remarks(bytes *b) {
    size_t kept = 0, line = 0;
    for (size_t i = 0; i < b->size; i++) {
        if (b->data[line] != '#') b->data[kept++] = b->data[i];
        if (b->data[i] == '\n') line = i + 1;
    }
    b->size = kept;
}

static bytes read_numbers(const char *path) {
    bytes b = read_file(path);
    leave_out_remarks(&b);
    return b;
}

static int differ(const bytes *whole) {
    int wrong = 0;
    for (int i = 0; i < TABLES; i++) {
        const bytes now = read_numbers(table[i]);
        wrong += now.size != whole[i].size ||
                 (now.size && memcmp(now.data, whole[i].data, now.size) != 0);
        free(now.data);
    }
    return wrong != 0;
}

static void clear(void) {
    for (int i = 0; i < TABLES; i++) remove(table[i]);
}

/* ---- all ------------------------------------------------------------------------------------------- */

static void attack(counts *c, const bytes *good, const bytes *whole, long number, int kind) {
    unsigned char *bad = malloc(good->size);
    if (!bad) stop("no", "memory");
    memcpy(bad, good->data, good->size);
    write_file("bad.h5", bad, damage[kind](bad, good->size));
    free(bad);
    clear();
    const int status = read_with(&readers[0]);
    count_end(c, &readers[0], status, number, kind);
#ifdef HOSTILE
    const int other = 0; /* numbers are what they were changed to */
    (void)whole, (void)differ;
#else
    const int other = status == 0 && differ(whole);
#endif
    if (other) {
        c->wrong++;
        fprintf(stderr, "attack_damaged: file %ld (damage %d): other numbers\n", number, kind);
    }
    for (int i = 1; i < READERS; i++)
        if (status != 0 || number % readers[i].every == 0)
            count_end(c, &readers[i], read_with(&readers[i]), number, kind);
    c->files++, c->refused += status != 0;
}

int main(int argc, char **argv) {
    bytes good[RESULTS_MOST], whole[RESULTS_MOST][TABLES];
    counts c = {0};
    if (argc < 4) stop("usage:", "attack_damaged FIRST COUNT RESULT...");
    const int results = argc - 3 < RESULTS_MOST ? argc - 3 : RESULTS_MOST;
    for (int i = 0; i < results; i++) {
        good[i] = read_file(argv[3 + i]);
        if (good[i].size < SECTOR) stop("no result", argv[3 + i]);
        write_file("bad.h5", good[i].data, good[i].size);
        clear();
        if (read_with(&readers[0]) != 0) stop("no result", argv[3 + i]);
        for (int k = 0; k < TABLES; k++) whole[i][k] = read_numbers(table[k]);
    }
    const long first = atol(argv[1]), last = first + atol(argv[2]);
    for (long number = first; number < last; number++) {
        state = (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) + 1;
        attack(&c, &good[number % results], whole[number % results], number,
               (int)(number / results % KINDS));
    }
    printf("%ld %ld %ld %ld %ld %ld\n", c.files, c.refused, c.crashes, c.timeouts, c.silent,
           c.wrong);
    return c.crashes || c.timeouts || c.silent || c.wrong;
}
