/* random_symmetry.h - an answer does not depend on how the scene is written down.
 *
 * Random scenes (random_scene.h) turned, mirrored, listed from the other end, in other units, 10^4 lengths away:
 * each method gives the same positions, reactions and moments, or says why not.  For the property tests (few) and
 * `withy verify --long` (many).
 */
#pragma once

#include "base/note.h"
#include "random_scene.h"

enum { SYMMETRY_STATIONS = 5 };

typedef struct symmetry_answer {
    withy_status status;
    withy_vec3 at[SYMMETRY_STATIONS], force[2], moment[2];
    unsigned have;
    double moved; /* largest distance travelled [m] */
    int cut;      /* 1: Newton could not make a step: rounding decides which, and the run says so */
    char text[WITHY_ERROR_TEXT];
} symmetry_answer;

static inline symmetry_answer symmetry_solve(const random_recipe *r, const random_view *v,
                                             const char *method, double finer) {
    static random_scene y;
    symmetry_answer out = {0};
    withy_error err = {0};
    withy_sim *sim = NULL;
    random_write(r, v, &y);
    const int options = random_options(r, v, method, 1, &y);
    y.option[0].number *= finer;                  /* n */
    if (options > 1) y.option[1].number /= finer; /* dt */
    out.status = withy_sim_create(&y.problem, method, y.option, options, &sim, &err);
    const withy_snapshot *now;
    withy_vec3 start[SYMMETRY_STATIONS];
    if (out.status == WITHY_OK && (now = withy_sim_sample(sim, 0)))
        memcpy(start, now->position, sizeof start);
    withy_equilibrium point;
    if (out.status == WITHY_OK)
        out.status = r->statics ? withy_sim_rest(sim, 1, &point, &err)
                                : withy_sim_advance(sim, y.problem.request.stop, &err);
    if (out.status == WITHY_OK) {
        now = withy_sim_sample(sim, 0);
        if (!now) { /* a value is not finite, and nothing has said so */
            out.at[0].x = NAN;
            withy_sim_destroy(sim);
            return out;
        }
        out.have = now->have, out.cut = withy_sim_stats(sim).halvings > 0;
        for (int k = 0; k < SYMMETRY_STATIONS; k++) {
            const withy_vec3 way = random_add(now->position[k], -1, start[k]);
            out.at[k] = now->position[k];
            out.moved = fmax(out.moved, sqrt(random_dot(way, way)));
        }
        memcpy(out.force, now->reaction, sizeof out.force);
        memcpy(out.moment, now->reaction_moment, sizeof out.moment);
    }
    snprintf(out.text, sizeof out.text, "%s", err.text);
    withy_sim_destroy(sim);
    return out;
}

static inline double symmetry_apart(withy_vec3 a, withy_vec3 b) {
    const withy_vec3 d = random_add(a, -1, b);
    return sqrt(random_dot(d, d));
}

static const double SYMMETRY_TOLERANCE = 1e-7; /* of L, of EI/L^2 */

/* A rod that starts bent against its rest shape has a jump of the moment at its end: the forces in it
 * ring at the frequencies of the mesh. */
static inline int symmetry_rings(const random_recipe *r) {
    return !r->statics && r->turn != 0 && !r->bent;
}

/* A straight rod that does not stretch, held at both ends, carries any tension. */
static inline int symmetry_locked(const random_recipe *r, const char *method) {
    withy_method_info info;
    int rigid = 0;
    for (int i = 0; withy_method_at(i, &info); i++)
        if (strcmp(info.name, method) == 0) rigid = info.rigid >> WITHY_STRETCH & 1;
    return rigid && r->turn == 0 && r->end[0] != WITHY_END_FREE && r->end[1] != WITHY_END_FREE;
}

static inline double symmetry_position_difference(const random_recipe *r, const random_view *v,
                                                  const symmetry_answer *a,
                                                  const symmetry_answer *b) {
    double worst = 0;
    for (int k = 0; k < SYMMETRY_STATIONS; k++) {
        const int j = v->reversed ? SYMMETRY_STATIONS - 1 - k : k;
        const double d = symmetry_apart(random_position(v, r->length, a->at[j]), b->at[k]);
        if (!(d <= worst)) worst = d;
    }
    return worst / (r->length * v->metre);
}

/* Forces over EI/L^2 or their size, moments over that times L. */
static inline double symmetry_force_difference(const random_recipe *r, const random_view *v,
                                               const symmetry_answer *a, const symmetry_answer *b) {
    const double l = r->length;
    double worst = 0, size = r->bend / (l * l);
    for (int e = 0; e < 2; e++) size = fmax(size, sqrt(random_dot(a->force[e], a->force[e])));
    size *= random_newton(v);
    for (int e = 0; e < 2; e++) {
        const int j = v->reversed ? 1 - e : e;
        const double f = symmetry_apart(random_force(v, a->force[j]), b->force[e]) / size;
        const double m =
            symmetry_apart(random_moment(v, a->moment[j]), b->moment[e]) / (size * l * v->metre);
        if ((a->have & b->have & WITHY_HAVE_REACTION) && !(f <= worst)) worst = f;
        if ((a->have & b->have & WITHY_HAVE_REACTION_MOMENT) && !(m <= worst)) worst = m;
    }
    return worst;
}

/* Of b from what the view makes of a, over what is allowed.  A force is EA times a strain, which is known
 * to some 1e-12 / h. */
static inline double symmetry_difference(const random_recipe *r, const random_view *v,
                                         const char *method, const symmetry_answer *a,
                                         const symmetry_answer *b) {
    const double position =
        random_swings(r) ? 0 : symmetry_position_difference(r, v, a, b) / SYMMETRY_TOLERANCE;
    const double strain = 1e-10 / (r->thin * r->thin);
    const int skip = symmetry_rings(r) || symmetry_locked(r, method);
    const double force =
        skip ? 0 : symmetry_force_difference(r, v, a, b) / (SYMMETRY_TOLERANCE + strain);
    return position >= force || isnan(position) ? position : force;
}

static inline random_view symmetry_turned(random_source *x) {
    random_view v = random_plain();
    v.q[0] = random_direction(x);
    const withy_vec3 other = random_direction(x);
    v.q[1] = random_add(other, -random_dot(other, v.q[0]), v.q[0]);
    v.q[1] = random_times(1 / sqrt(random_dot(v.q[1], v.q[1])), v.q[1]);
    const withy_vec3 a = v.q[0], b = v.q[1];
    v.q[2] = (withy_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}
static inline random_view symmetry_mirrored(random_source *x) {
    random_view v = symmetry_turned(x);
    v.q[2] = random_times(-1, v.q[2]), v.det = -1;
    return v;
}
static inline random_view symmetry_reversed(random_source *x) {
    random_view v = random_plain();
    (void)x;
    v.reversed = 1;
    return v;
}
static inline random_view symmetry_other_units(random_source *x) {
    random_view v = random_plain();
    v.metre = random_size(x, 1e-3, 1e3), v.kilogram = random_size(x, 1e-3, 1e3);
    v.second = random_size(x, 1e-3, 1e3);
    return v;
}
static inline random_view symmetry_far_away(random_source *x) {
    random_view v = random_plain();
    v.by = random_times(1e4, random_direction(x));
    return v;
}

static inline random_view symmetry_altogether(random_source *x) {
    random_view v = symmetry_other_units(x);
    const random_view turn = symmetry_mirrored(x), away = symmetry_far_away(x);
    memcpy(v.q, turn.q, sizeof v.q);
    v.det = turn.det, v.by = away.by, v.reversed = random_chance(x, 0.5);
    return v;
}

static const struct symmetry_change {
    const char *name;
    random_view (*view)(random_source *);
} symmetry_change[] = {{"turned", symmetry_turned},
                       {"mirrored", symmetry_mirrored},
                       {"listed from the other end", symmetry_reversed},
                       {"in other units", symmetry_other_units},
                       {"10^4 lengths away", symmetry_far_away},
                       {"written in another way altogether", symmetry_altogether}};
enum { SYMMETRY_CHANGES = sizeof symmetry_change / sizeof *symmetry_change };

/* The run of a scene in which steps are cut says that rounding decides. */
static inline int symmetry_says_cut(const random_recipe *r, const random_view *v,
                                    const char *method) {
    static random_scene y;
    static withy_report report;
    withy_error err = {0};
    withy_study study = withy_study_default();
    random_write(r, v, &y);
    study.problem = &y.problem, study.method = method, study.name = "random";
    study.option = y.option, study.option_count = random_options(r, v, method, 1, &y);
    return withy_study_run(&study, &report, &err) == WITHY_OK &&
           wy_note_has(&report.notes, WY_NOTE_steps_cut);
}

enum { SYMMETRY_MESH = 16 };

/* se3 marches along s, and director places a bent rod from its start, so that their mesh errors are those of the
 * direction: they must vanish with the mesh, refined four times by at least 2.5 (first order would give 4), or more
 * often where waves that the mesh does not resolve come first. */
static inline int symmetry_meets(const random_recipe *r, const random_view *v, const char *method,
                                 double before, double finer) {
    const int places = strcmp(method, "director") == 0 && r->turn != 0 && !r->bent;
    if (strcmp(method, "se3") != 0 && !places) return 0;
    const random_view plain = random_plain();
    const symmetry_answer a = symmetry_solve(r, &plain, method, finer),
                          b = symmetry_solve(r, v, method, finer);
    if (a.status != WITHY_OK || b.status != WITHY_OK) return a.text[0] || b.text[0];
    if (symmetry_difference(r, v, method, &a, &b) <= before / 2.5) return 1;
    return finer < SYMMETRY_MESH && symmetry_meets(r, v, method, before, 2 * finer);
}

static inline int symmetry_refuses(const symmetry_answer *x) {
    return x->status == WITHY_BAD_INPUT || x->status == WITHY_UNSUPPORTED;
}

typedef struct symmetry_tally {
    int bad, solved, refused, reported, two, sensitive;
} symmetry_tally;

/* Of a motion that amplifies rounding, such as a damped shaft beyond its critical speed, no digit is the same in
 * another writing: what starts turned by a few units of the last place make of it, over what is allowed. */
static inline double symmetry_noise(const random_recipe *r, const char *method,
                                    const symmetry_answer *a) {
    enum { STARTS = 3 };
    const random_view plain = random_plain();
    random_source x = {r->seed + 99};
    double noise = 0;
    for (int k = 0; k < STARTS; k++) {
        random_recipe turned = *r;
        turned.along = random_add(r->along, 1e-15, random_direction(&x));
        const symmetry_answer b = symmetry_solve(&turned, &plain, method, 1);
        if (b.status == WITHY_OK)
            noise = fmax(noise, symmetry_difference(r, &plain, method, a, &b));
    }
    return noise;
}

static inline int symmetry_one(const random_recipe *r, const char *method, int c,
                               const symmetry_answer *a, const random_teller *to,
                               symmetry_tally *sum) {
    random_source x = {r->seed + 77};
    const random_view v = symmetry_change[c].view(&x);
    const symmetry_answer b = symmetry_solve(r, &v, method, 1);
    char text[500];
    if (symmetry_refuses(a) || symmetry_refuses(&b)) {
        /* a refusal is about the method, not about the answer, but it must give its reason */
        return (a->status != WITHY_OK && !a->text[0]) || (b.status != WITHY_OK && !b.text[0]);
    }
    if (a->status != b.status) { /* one says why not */
        sum->reported++;
        if (!to->loud) return !(a->text[0] || b.text[0]);
        to->say("%s, %s, %s: %s | %s\n", random_describe(r, text, sizeof text), method,
                symmetry_change[c].name, a->text, b.text);
        return 0;
    }
    if (a->status != WITHY_OK) return 0;
    const double d = symmetry_difference(r, &v, method, a, &b);
    if (d <= 1 || (v.reversed && symmetry_meets(r, &v, method, d, 4))) return 0;
    if (random_slack(r)) { /* the other side */
        sum->two++;
        return 0;
    }
    const random_view plain = random_plain();
    if ((a->cut && symmetry_says_cut(r, &plain, method)) ||
        (b.cut && symmetry_says_cut(r, &v, method))) {
        sum->reported++;
        return 0;
    }
    const double noise = symmetry_noise(r, method, a);
    if (d <= 10 * noise) { /* the largest of three against another of the same kind */
        sum->sensitive++;
        if (!to->loud) return 0;
    }
    to->say("%s, %s, %s: differs by %.2g of what is allowed; starts 1e-15 apart do by %.2g\n",
            random_describe(r, text, sizeof text), method, symmetry_change[c].name, d, noise);
    return d > 10 * noise;
}

/* every: all changes; else one, another for each method and scene. */
static inline void symmetry_scene(int seed, int statics, int every, const char *only,
                                  const random_teller *to, symmetry_tally *sum) {
    const random_recipe r = random_make((uint64_t)seed, statics);
    const random_view plain = random_plain();
    char text[500];
    for (int m = 0; m < RANDOM_METHODS; m++) {
        const char *method = random_method[m].name;
        if (only[0] && strcmp(only, method) != 0) continue;
        const symmetry_answer a = symmetry_solve(&r, &plain, method, 1);
        if (to->loud && a.status != WITHY_OK)
            to->say("%s, %s: %s\n", random_describe(&r, text, sizeof text), method, a.text);
        sum->solved += a.status == WITHY_OK, sum->refused += a.status != WITHY_OK;
        for (int c = 0; c < SYMMETRY_CHANGES; c++)
            if (every || c == (seed + m) % SYMMETRY_CHANGES)
                sum->bad += symmetry_one(&r, method, c, &a, to, sum);
    }
}
