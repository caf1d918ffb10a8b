/* bench_blind.c - dt = "auto" used blindly: the error reached and the cost, against the best fixed step.
 *
 *   bench_blind              the table of docs/performance.md, in some minutes
 *   bench_blind NAME ...     these scenes only
 *   BLIND_KEEP=FOLDER ...    references and sweeps are kept there, and found there the next time
 *
 * Every scene runs under director with its default mesh.  The reference is the same mesh with steps so
 * short that halving them shows an error below 1e-5; error: largest over 20 instants and all nodes, of positions
 * over L and of rotations, over the size of the motion (at most 1).  The best fixed setting is searched over
 * dt and order (2, 4) with the reference known, and its cost is interpolated to the tolerance; that is what
 * no user has.  Cost: Newton iterations, each one sweep over all elements, with those of the trials; unlike time it does
 * not depend on what else the machine does.
 */
#include <limits.h>
#include <string.h>

#include "base/vec.h"
#include "bench.h"
#include "cases.h"
#include "withy/withy.h"

/* A rotation counts by the way of a point at this distance, of L. */
static const double ARM = 0.1;

/* [s] of processor time: then a reference or a sweep ends.  BLIND_LONG=SECONDS gives another. */
static double longest(void) {
    const char *given = getenv("BLIND_LONG");
    return given && *given ? atof(given) : 30;
}

enum { TIMES = 20, NODES = 400, SETTINGS = 40 };

typedef struct blind_scene {
    const char *name, *source; /* a case, or a text */
    const char *set[4];
} blind_scene;

static const blind_scene list[] = {
#include "blind_scenes.inc"
};

typedef struct motion {
    int count;
    withy_vec3 r[TIMES + 1][NODES];
    withy_quat q[TIMES + 1][NODES];
    double seconds;
    withy_stats stats;
    char notes[256];
} motion;

typedef struct setting {
    int order;
    double dt, error, seconds;
    long long iterations;
} setting;

/* What a scene is compared with: kept in a file of the folder BLIND_KEEP, if that is given. */
typedef struct against {
    motion truth;
    double check;
    int count;
    setting fixed[2 * SETTINGS];
} against;

static withy_scene *read_set(const blind_scene *x, const char **set, int count) {
    withy_error err = {0};
    withy_scene *scene = NULL;
    const char *text = x->source;
    for (const wy_case *known = wy_cases; !text && known->name; known++)
        if (strcmp(known->name, x->name) == 0) text = known->text;
    if (!text) die(x->name);
    if (withy_scene_read_text(text, strlen(text), x->name, set, count, &scene, &err) != WITHY_OK)
        die(err.text);
    return scene;
}

/* Results are written at the instants that are compared: no step is cut for others. */
static withy_scene *read_scene(const blind_scene *x, const char *more) {
    char output[64];
    const char *set[8] = {"method=\"director\"", more};
    int count = 2;
    for (int i = 0; i < 4 && x->set[i]; i++) set[count++] = x->set[i];
    withy_scene *scene = read_set(x, set, count);
    const double stop = withy_scene_problem(scene)->request.stop;
    withy_scene_destroy(scene);
    snprintf(output, sizeof output, "time.output=%.17g", stop / TIMES);
    set[count++] = output;
    return read_set(x, set, count);
}

static int record(withy_sim *sim, int k, motion *out) {
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    if (!snap || snap->count > NODES) return 0;
    out->count = snap->count;
    memcpy(out->r[k], snap->position, (size_t)snap->count * sizeof *out->r[k]);
    memcpy(out->q[k], snap->frame, (size_t)snap->count * sizeof *out->q[k]);
    return 1;
}

/* One run; 0 when it fails. */
static int run(const blind_scene *x, const char *options, motion *out) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    withy_scene *scene = read_scene(x, options);
    const double stop = withy_scene_problem(scene)->request.stop;
    int good = withy_scene_sim(scene, "director", &sim, &err) == WITHY_OK && record(sim, 0, out);
    const double start = processor();
    for (int k = 1; k <= TIMES && good; k++) {
        good = withy_sim_advance(sim, stop * k / TIMES, &err) == WITHY_OK;
        good = good && record(sim, k, out);
    }
    out->seconds = processor() - start;
    if (good) out->stats = withy_sim_stats(sim);
    if (good) snprintf(out->notes, sizeof out->notes, "%s", withy_sim_notes(sim)->text);
    if (!good) fprintf(stderr, "%s, %s: %s\n", x->name, options, err.text);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return good;
}

static double angle(withy_quat a, withy_quat b) {
    const double dot = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    const double x = a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
                 y = a.w * b.y - a.y * b.w - a.z * b.x + a.x * b.z,
                 z = a.w * b.z - a.z * b.w - a.x * b.y + a.y * b.x;
    return 2 * atan2(sqrt(x * x + y * y + z * z), dot);
}

static double length_of(const blind_scene *x) {
    withy_scene *scene = read_scene(x, "options.tol=1e-3");
    const double length = withy_scene_problem(scene)->rod[0].length;
    withy_scene_destroy(scene);
    return length;
}

static double difference(const motion *a, const motion *b, double length, int equilibrium) {
    double most = 0;
    for (int k = 0; k <= TIMES; k++)
        for (int i = 0; i < a->count; i++) {
            const int j = equilibrium ? 0 : k;
            most = fmax(most, v3_norm(v3_sub(a->r[k][i], b->r[j][i])) / length);
            const double turn = angle(a->q[k][i], b->q[j][i]);
            most = fmax(most, ARM * (equilibrium ? fmin(1, turn) : turn));
        }
    return most;
}

/* Steps between two instants: doubled, and while they are few 5 2^k too, which meet edges of loads at decimal times. */
static double next_steps(double steps) {
    const double fives = 5 * exp2(floor(log2(steps / 4)));
    if (steps >= 4 && steps < 64 && steps < fives) return fives;
    return exp2(floor(log2(steps)) + 1);
}

/* Until the error is below 8e-5, or the cost above `most`. */
static int sweep(const blind_scene *x, int order, long long most, const motion *truth,
                 double length, double size, double stop, setting *out) {
    static motion now;
    int count = 0;
    double spent = 0;
    for (double steps = 1; count < SETTINGS; steps = next_steps(steps)) {
        char options[64];
        const double dt = stop / TIMES / steps;
        snprintf(options, sizeof options, "options={dt=%.17g,order=%d}", dt, order);
        if (!run(x, options, &now)) {
            if (dt < 1e-6 * stop) break;
            continue;
        }
        spent += now.seconds;
        const double error = difference(&now, truth, length, 0) / size;
        out[count++] = (setting){order, dt, error, now.seconds, now.stats.iterations};
        if (getenv("BLIND_SWEEP") && *getenv("BLIND_SWEEP"))
            printf("#   order %d dt %.3g error %.2e %.4g s %lld\n", order, dt, error, now.seconds,
                   (long long)now.stats.iterations);
        if (error < 8e-5 || now.stats.iterations > most || spent > longest()) break;
    }
    return count;
}

/* Cost at the tolerance, on the line between the two settings that enclose it in a log-log plot; not where the error
 * falls by more than the order explains, as where a step meets the edge of a load. */
static double cost_at(const setting *s, int count, double tol, setting *best) {
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        if (!(s[i].error <= tol)) continue;
        double cost = (double)s[i].iterations;
        const setting *above = i > 0 && s[i - 1].order == s[i].order ? &s[i - 1] : NULL;
        if (above && above->error > tol && above->error < 64 * s[i].error &&
            (double)above->iterations < cost) {
            const double u = log(tol / above->error) / log(s[i].error / above->error);
            cost = (double)above->iterations * pow(cost / (double)above->iterations, u);
        }
        if (cost < least) least = cost, *best = s[i];
    }
    return least;
}

static int is_damped(const blind_scene *x) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    withy_scene *scene = read_scene(x, "options={order=4,dt=1}");
    const withy_status status = withy_scene_sim(scene, "director", &sim, &err);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return status != WITHY_OK;
}

static double make_truth(const blind_scene *x, int damped, double stop, double length,
                         motion *truth) {
    static motion half;
    double spent = 0, off = INFINITY, error = INFINITY;
    for (double steps = damped ? 80 : 20;; steps *= 2) { /* 5 2^k: edges at decimal times are met */
        char options[64];
        snprintf(options, sizeof options, "options={dt=%.17g,order=%d}", stop / TIMES / steps,
                 damped ? 2 : 4);
        if (!run(x, options, truth)) {
            if (steps > 1e6) die("no reference");
            continue;
        }
        spent += truth->seconds;
        const double size = fmin(1, difference(truth, truth, length, 1));
        const double before = off;
        off = half.count ? difference(truth, &half, length, 0) / size : INFINITY;
        const double fall = off > 0 ? before / off : 2; /* 4 or 16 where the order is reached */
        error = off / fmax(1, isfinite(fall) ? fmin(fall, damped ? 4 : 16) - 1 : 1);
        if (getenv("BLIND_SWEEP") && *getenv("BLIND_SWEEP"))
            printf("# reference %g steps: %.2e %.3g s\n", steps, off, truth->seconds);
        if (error < 1e-5 || spent > longest()) break;
        half = *truth;
    }
    half.count = 0;
    return error;
}

static FILE *kept(const blind_scene *x, const char *mode) {
    char path[512];
    const char *folder = getenv("BLIND_KEEP");
    if (!folder || !*folder) return NULL;
    snprintf(path, sizeof path, "%s/%s", folder, x->name);
    return fopen(path, mode);
}

/* From the file, or anew. */
static void find_best(const blind_scene *x, double stop, double length, against *out) {
    FILE *file = kept(x, "rb");
    const int known = file && fread(out, sizeof *out, 1, file) == 1;
    if (file) fclose(file);
    if (known) return;
    const int damped = is_damped(x);
    out->check = make_truth(x, damped, stop, length, &out->truth);
    const double size = fmin(1, difference(&out->truth, &out->truth, length, 1));
    setting *fixed = out->fixed;
    const int four = damped ? 0 : sweep(x, 4, LLONG_MAX, &out->truth, length, size, stop, fixed);
    const int done = four && fixed[four - 1].error < 8e-5;
    const long long most = done ? fixed[four - 1].iterations : LLONG_MAX;
    out->count = four;
    out->count += sweep(x, 2, most, &out->truth, length, size, stop, fixed + four);
    file = kept(x, "wb");
    if (file) {
        fwrite(out, sizeof *out, 1, file);
        fclose(file);
    }
}

static void blind(const blind_scene *x) {
    static against best_of;
    static motion now;
    withy_scene *scene = read_scene(x, "options.tol=1e-3");
    const double stop = withy_scene_problem(scene)->request.stop, length = length_of(x);
    withy_scene_destroy(scene);
    find_best(x, stop, length, &best_of);
    const double check = best_of.check;
    const motion *truth = &best_of.truth;
    const double size = fmin(1, difference(truth, truth, length, 1));
    for (int i = 0; i < 3; i++) {
        const double tol = i == 0 ? 1e-2 : i == 1 ? 1e-3 : 1e-4;
        char options[64];
        setting best = {0};
        snprintf(options, sizeof options, "options.tol=%g", tol);
        char all[64];
        snprintf(all, sizeof all, "options={tol=%g%s%s}", tol, getenv("BLIND_MORE") ? "," : "",
                 getenv("BLIND_MORE") ? getenv("BLIND_MORE") : "");
        if (!run(x, all, &now)) continue;
        const double error = difference(&now, truth, length, 0) / size;
        const double cost = cost_at(best_of.fixed, best_of.count, tol, &best);
        printf("| %s | %.0e | %.1e | %.2f | %lld | %lld | %d, %.2g | %.0f | %.2f |%s%s\n", x->name,
               tol, error, error / tol, (long long)now.stats.steps, (long long)now.stats.iterations,
               best.order, best.dt, cost, (double)now.stats.iterations / cost,
               check > 0.1 * tol ? " (reference)" : "", now.notes[0] ? " note" : "");
        fflush(stdout);
    }
}

int main(int count, char **name) {
    printf("| scene | tol | error | error/tol | steps | solves | best fixed: order, dt | solves | "
           "cost "
           "ratio |\n"
           "|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        int wanted = count == 1;
        for (int k = 1; k < count; k++) wanted |= strcmp(name[k], list[i].name) == 0;
        if (wanted) blind(&list[i]);
    }
    return 0;
}
