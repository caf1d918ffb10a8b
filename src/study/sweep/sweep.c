/* sweep.c - see sweep.h. */
#include "study/sweep/sweep.h"

#include "base/thread_pool.h"
#include "base/wall_clock.h"

typedef struct job {
    const wy_sweep *sweep;
    withy_sweep_report *report;
    wy_sweep_writer *writer;
    char *done;       /* [count] rows of the file                */
    int64_t *pending; /* [left] members to be computed           */
    int left;
    int unit; /* members of one piece of work                       */
    withy_status status;
    withy_error err; /* of the file */
} job;

/* ---- one member ------------------------------------------------------------------------------------ */

void wy_sweep_fill(wy_sweep_row *row, withy_status status, const withy_error *err) {
    row->state = status == WITHY_INTERRUPTED ? 0 : 1 + (int64_t)status;
    if (status == WITHY_OK) return;
    memset(row->value, 0, sizeof row->value);
    snprintf(row->message, sizeof row->message, "%.*s", WY_SWEEP_MESSAGE - 1, err->text);
}

/* A row of state 0 has no result: the member was interrupted. */
static void compute(const wy_sweep *sweep, const int64_t *member, int count, wy_sweep_row *row) {
    memset(row, 0, (size_t)count * sizeof *row);
    if (sweep->members) {
        sweep->members(sweep->context, member, count, row);
        return;
    }
    for (int i = 0; i < count && !*sweep->stop; i++) {
        withy_error err = {0};
        const withy_status status = sweep->member(sweep->context, member[i], row[i].value, &err);
        wy_sweep_fill(&row[i], status, &err);
    }
}

/* One thread at a time: rows are few and this is short. */
static void enter(const job *j) {
    while (atomic_flag_test_and_set(j->sweep->busy)) {
    }
}

static void leave(const job *j) {
    atomic_flag_clear(j->sweep->busy);
}

static void ask(const wy_sweep *sweep, const withy_sweep_report *r) {
    if (sweep->progress && sweep->progress(sweep->progress_context, r->done, r->failed, r->total))
        *sweep->stop = 1;
}

int wy_sweep_ask(const wy_sweep *sweep, const withy_sweep_report *report, _Atomic double *due) {
    static const double EVERY = 0.02; /* [s] */
    const double now = wy_wall_clock();
    if (*sweep->stop || now < *due) return *sweep->stop;
    *due = now + EVERY;
    if (wy_mpi_waiting()) *sweep->stop = 1; /* word from rank 0 that was not asked for */
    if (atomic_flag_test_and_set(sweep->busy)) return *sweep->stop; /* somebody is asking */
    ask(sweep, report);
    atomic_flag_clear(sweep->busy);
    return *sweep->stop;
}

static void count_row(job *j, int64_t member, const wy_sweep_row *row) {
    withy_sweep_report *report = j->report;
    report->done++;
    if (row->state == 1) return;
    report->failed++;
    if (report->first >= 0 && report->first < member) return;
    report->first = member;
    snprintf(report->message, sizeof report->message, "%s", row->message);
}

static void fail(job *j, withy_status status, const char *message) {
    enter(j);
    if (j->status == WITHY_OK) j->status = wy_fail(&j->err, status, "%s", message);
    *j->sweep->stop = 1;
    leave(j);
}

/* A disk that is full is no property of a member: its row is left to --resume. */
static int not_its_own(const wy_sweep *sweep, const wy_sweep_row *row) {
    return sweep->results && row->state == 1 + (int64_t)WITHY_IO &&
           strncmp(row->message, sweep->results, strlen(sweep->results)) == 0;
}

static void keep_row(job *j, int64_t member, const wy_sweep_row *row) {
    withy_error err = {0};
    const withy_status status =
        not_its_own(j->sweep, row)
            ? wy_fail(&err, WITHY_IO, "%s; the sweep has stopped, --resume continues", row->message)
            : wy_sweep_file.put(j->writer, member, row, &err);
    enter(j);
    if (status != WITHY_OK && j->status == WITHY_OK)
        j->status = status, j->err = err, *j->sweep->stop = 1;
    if (status == WITHY_OK) count_row(j, member, row);
    ask(j->sweep, j->report);
    leave(j);
}

/* ---- threads ---------------------------------------------------------------------------------------- */

static void work(void *context, int index) {
    job *j = context;
    wy_sweep_row one;
    const int first = index * j->unit;
    const int count = j->left - first < j->unit ? j->left - first : j->unit;
    if (*j->sweep->stop) return;
    wy_sweep_row *row = count > 1 ? wy_alloc((size_t)count, sizeof *row) : &one;
    if (!row) {
        fail(j, WITHY_NO_MEMORY, "no memory for the rows");
        return;
    }
    compute(j->sweep, j->pending + first, count, row);
    for (int i = 0; i < count; i++)
        if (row[i].state) keep_row(j, j->pending[first + i], &row[i]);
    if (count > 1) wy_free(row);
}

/* Smaller pieces where there are few members, so that all threads have some; whole vectors. */
static int choose_unit(const wy_sweep *sweep, int left, int threads) {
    enum { VECTOR = 8 };
    if (!sweep->members) return 1;
    if (sweep->apart) return sweep->unit;
    const int even = left / (2 * threads) / VECTOR * VECTOR;
    return even < VECTOR ? VECTOR : even < sweep->unit ? even : sweep->unit;
}

static void share_out(job *j) {
    const int threads = j->sweep->threads > 0 ? j->sweep->threads : wy_threads_available();
    j->unit = choose_unit(j->sweep, j->left, threads);
    const int pieces = (j->left + j->unit - 1) / j->unit;
    wy_threads_run(j->sweep->apart ? 1 : threads, pieces, work, j);
}

/* ---- processes -------------------------------------------------------------------------------------- */

/* Members that a rank gets at a time: messages cost more than small members.  A device is given many. */
enum { SHARE = 16, SHARE_MOST = 4096 };

/* What a rank sends: a row, or that it is ready. */
typedef struct message {
    int64_t member;  /* -1: no row               */
    int64_t ready;   /* 1: it has no more to do  */
    int64_t stopped; /* 1: it was asked to stop  */
    wy_sweep_row row;
} message;

/* What it gets: 0 members: it may go. */
typedef struct share {
    int64_t count, member[SHARE_MOST];
} share;

static int share_size(const share *s) {
    return (int)(offsetof(share, member) + (size_t)s->count * sizeof *s->member);
}

/* Small shares at the end, so that all ranks end together. */
static void next_share(job *j, int *next, int ranks, share *s) {
    const int64_t left = j->left - *next, even = left / (4 * ranks);
    const int64_t whole = j->sweep->apart ? j->sweep->unit : SHARE;
    const int64_t least = j->sweep->members ? 8 : 1;
    const int64_t most = even < least ? least : even < whole ? even : whole;
    for (s->count = 0; s->count < most && *next < j->left && !*j->sweep->stop;)
        s->member[s->count++] = j->pending[(*next)++];
}

/* Rank 0, while it waits for the others. */
typedef struct office {
    job *j;
    int ranks;
    char *ended;   /* [ranks] 1: it has no more work */
    int dismissed; /* 1: all have, also those that compute */
    double due;    /* wall clock of the next question [s] */
} office;

/* A share of nothing that nobody asked for: whoever computes gives up. */
static void look_up(void *context) {
    static const double EVERY = 0.02; /* [s] */
    office *o = context;
    const share none = {.count = 0};
    const double now = wy_wall_clock();
    if (o->dismissed || (now < o->due && !*o->j->sweep->stop)) return;
    o->due = now + EVERY;
    ask(o->j->sweep, o->j->report);
    o->dismissed = *o->j->sweep->stop;
    for (int k = 1; k < o->ranks && o->dismissed; k++)
        if (!o->ended[k]) wy_mpi_send(k, &none, share_size(&none));
}

/* Rank 0: to whoever is ready, the next members, until there are none. */
static void hand_out(job *j, int ranks, char *ended) {
    message m;
    share s;
    office o = {.j = j, .ranks = ranks, .ended = ended};
    int next = 0, from;
    for (int working = ranks - 1; working > 0;) {
        wy_mpi_receive(&m, sizeof m, &from, look_up, &o);
        if (m.member >= 0) keep_row(j, m.member, &m.row);
        if (m.stopped) *j->sweep->stop = 1;
        if (!m.ready) continue;
        s.count = 0;
        if (!o.dismissed) next_share(j, &next, ranks, &s);
        if (!o.dismissed) wy_mpi_send(from, &s, share_size(&s));
        if (s.count == 0) ended[from] = 1, working--;
    }
}

/* Rows are sent as they are computed: one by one, or a batch of them. */
static void serve_share(const wy_sweep *sweep, const share *s, wy_sweep_row *row, message *m) {
    const int64_t piece = sweep->members ? s->count : 1;
    for (int64_t i = 0; i < s->count; i++) {
        if (i % piece == 0) compute(sweep, s->member + i, (int)piece, row);
        const wy_sweep_row *one = &row[i % piece];
        m->ready = i == s->count - 1;
        m->member = one->state ? s->member[i] : -1;
        m->row = *one, m->stopped = *sweep->stop;
        if (!m->ready) wy_mpi_send(0, m, sizeof *m);
    }
}

static void serve(const wy_sweep *sweep) {
    message m = {.member = -1, .ready = 1};
    share s = {.count = 1};
    wy_sweep_row *row = wy_alloc(SHARE_MOST, sizeof *row);
    wy_mpi_serve(1);
    for (int from; s.count > 0;) {
        wy_mpi_send(0, &m, sizeof m);
        s.count = 0;
        wy_mpi_receive(&s, sizeof s, &from, NULL, NULL);
        if (row) serve_share(sweep, &s, row, &m);
    }
    wy_mpi_serve(0);
    wy_free(row);
}

/* ---- the sweep -------------------------------------------------------------------------------------- */

static withy_status open_file(job *j, wy_arena *arena, withy_error *err) {
    const wy_sweep *sweep = j->sweep;
    const size_t count = (size_t)sweep->plan->count;
    j->done = wy_arena_alloc(arena, count, 1);
    j->pending = wy_arena_alloc(arena, count, sizeof *j->pending);
    if (!j->done || !j->pending) return wy_no_memory(err, "no memory for the members");
    WY_TRY(
        wy_sweep_file.create(sweep->output, &sweep->head, sweep->resume, j->done, &j->writer, err));
    for (int64_t i = 0; i < sweep->plan->count; i++) {
        wy_sweep_row row;
        if (!j->done[i])
            j->pending[j->left++] = i;
        else if (wy_sweep_file.get(j->writer, i, &row))
            count_row(j, i, &row);
    }
    j->report->before = j->report->done;
    return WITHY_OK;
}

static withy_status finish(job *j, withy_error *err) {
    withy_sweep_report *report = j->report;
    const int whole = report->done == report->total;
    const withy_status closed =
        wy_sweep_file.finish(j->writer, whole ? "complete" : "interrupted", err);
    if (j->status != WITHY_OK) {
        if (err) *err = j->err;
        return j->status;
    }
    WY_TRY(closed);
    if (whole) return WITHY_OK;
    return wy_fail(err, WITHY_INTERRUPTED,
                   "stopped on request after %lld of %lld members; --resume continues",
                   (long long)report->done, (long long)report->total);
}

withy_status wy_sweep_run(const wy_sweep *sweep, const wy_mpi *ranks, withy_sweep_report *report,
                          withy_error *err) {
    const double start = wy_wall_clock();
    job j = {.sweep = sweep, .report = report};
    wy_arena arena = {0};
    *report = (withy_sweep_report){.total = sweep->plan->count, .first = -1};
    report->rank = ranks->rank, report->ranks = ranks->count;
    if (ranks->rank > 0) return serve(sweep), WITHY_OK;
    withy_status status = open_file(&j, &arena, err);
    char *ended = wy_arena_alloc(&arena, (size_t)ranks->count, 1);
    if (!ended && status == WITHY_OK) status = wy_no_memory(err, "no memory for ranks");
    if (ranks->count > 1) {
        if (status != WITHY_OK) j.left = 0; /* the others are waiting to be reported */
        hand_out(&j, ranks->count, ended);
    } else if (status == WITHY_OK) {
        share_out(&j);
    }
    if (status == WITHY_OK) status = finish(&j, err);
    wy_arena_free(&arena);
    report->elapsed = wy_wall_clock() - start;
    return status;
}
