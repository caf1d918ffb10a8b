/* linear.c - small motions about an equilibrium as a linear system (withy/linear.h).
 *
 *   M x'' + C x' + K x = b u,   b = dr/du,   r the residual of the equations interface
 *
 * With F = K - shift M, factorised, and X the lowest undamped modes (subspace.c), x = X q, projected in the product
 * of M as quadratic.c does:
 *
 *   P q'' + R q' + (Q + shift P) q = G u                                                   (1)
 *   Q = X^T M X,   P = X^T M F^-1 M X,   R = X^T M F^-1 C X,   G = X^T M F^-1 b
 *
 * The modes that are left out follow the input at rest.  Of w = K^-1 b they are the part e outside of X:
 *
 *   e = (1 - X Q^-1 X^T M) (F^-1 b - shift F^-1 M e)                                       (2)
 *
 * which is a contraction by shift over the lowest frequency squared that is left out.
 */
#include "withy/linear.h"

#include "numeric/linear/linear.h"
#include "study/modes/subspace.h"
#include "study/run/probe.h"

static const double AT_REST = 1e-5; /* of the length in the time of the lowest frequency */
enum { ROUNDS = 12, LABEL = WITHY_NAME + 8 };

/* Numbers of an output: which member of a shape, and is it of the rates? */
typedef struct kind {
    const char *what;
    int turns, rate;
} kind;

static const kind KINDS[] = {{"position", 0, 0}, {"velocity", 0, 1}, {"spin", 1, 1}};

typedef struct work {
    withy_sim *sim;
    int modes, inputs, probes, count; /* count: of modes in use */
    double *force;                    /* [inputs][rows] dr/du                  */
    double *weak;                     /* [inputs][rows] F^-1 dr/du             */
    double *weight;                   /* [count][rows] M X                     */
    double *side, *rest;              /* [rows]                                */
    double *q, *p, *r, *g;            /* of (1): [count][count], g [count][inputs] */
    int *pivot_q, *pivot_p;           /* [count] */
    withy_mode at;                    /* stations of the probes */
    withy_linear *out;
    void *memory;
} work;

/* ---- what can be linear -------------------------------------------------------------------------- */

static const kind *kind_of(const withy_probe *probe) {
    if (probe->of != WITHY_OF_ROD && probe->of != WITHY_OF_BODY) return NULL;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (strcmp(probe->what, KINDS[i].what) == 0) return &KINDS[i];
    return NULL;
}

static withy_status check_probes(const withy_sim *sim, withy_error *err) {
    const withy_request *request = &sim->problem.request;
    for (int i = 0; i < request->probe_count; i++)
        if (!kind_of(&request->probe[i]))
            return wy_unsupported(err,
                                  "probes.%s.what" WY_KEY
                                  " = \"%s\": a linear system has position, velocity and spin of "
                                  "rods and bodies as outputs; leave this probe out",
                                  request->probe[i].name, request->probe[i].what);
    return WITHY_OK;
}

static int follows(const withy_field *field, const char *name) {
    for (int i = 0; i < WITHY_FIELD_MAX; i++)
        if (field->input[i] && strcmp(field->input[i], name) == 0) return 1;
    return 0;
}

/* Does it prescribe a motion?  Then its rates act as well, which (1) does not have. */
static int moves(const withy_problem *p, const char *name) {
    int found = 0;
    for (int i = 0; i < 2 * p->rod_count; i++) {
        const withy_end *e = &p->rod[i / 2].end[i % 2];
        const withy_field *field[] = {&e->position, &e->tangent,      &e->normal, &e->frame,
                                      &e->velocity, &e->acceleration, &e->spin,   &e->spin_rate};
        for (size_t k = 0; k < sizeof field / sizeof *field; k++) found |= follows(field[k], name);
    }
    for (int i = 0; i < p->joint_count; i++) {
        found |= follows(&p->joint[i].drive, name);
        for (int k = 0; k < 2; k++) found |= follows(&p->joint[i].place[k].path, name);
    }
    for (int i = 0; i < p->obstacle_count; i++) found |= follows(&p->obstacle[i].point, name);
    return found;
}

static withy_status check_inputs(const withy_sim *sim, withy_error *err) {
    const char *name;
    for (int i = 0; (name = withy_sim_input_name(sim, i)); i++)
        if (moves(&sim->asked, name))
            return wy_unsupported(
                err,
                "input \"%.60s\" moves an end, a joint or an obstacle: linear systems have loads "
                "as "
                "inputs (force, moment, tension, effort); drive it by a load through a spring",
                name);
    return WITHY_OK;
}

/* Nothing moves faster than a little of the length in the time of the lowest frequency. */
static withy_status check_at_rest(withy_sim *sim, withy_error *err) {
    const double rate = sqrt(sim->method->equations->rate(sim->self)), length = wy_sim_length(sim);
    double most = 0;
    WY_TRY(wy_sim_sample_all(sim, err));
    for (int i = 0; i < sim->problem.rod_count && !sim->core->equilibrium; i++) {
        const withy_snapshot *snap = &sim->rod[i].snap;
        for (int k = 0; k < snap->count && (snap->have & WITHY_HAVE_VELOCITY); k++)
            most = wy_max(most, v3_norm(snap->velocity[k]));
    }
    if (!(rate > 0) || most <= AT_REST * rate * length) return WITHY_OK;
    return wy_bad_input(
        err,
        "%s: the rod moves at %.3g m/s: a linear system is about an equilibrium at rest; find it "
        "with withy_sim_rest, start with initial = static {}, or wait until the motion has ended",
        sim->method->name, most);
}

/* ---- memory ----------------------------------------------------------------------------------------- */

static double *take_from(double **room, size_t count) {
    double *at = *room;
    *room += count;
    return at;
}

static withy_status take_work(work *w, int rows, withy_error *err) {
    const size_t n = (size_t)w->count, m = (size_t)w->inputs, r = (size_t)rows;
    const size_t all = n * r + 2 * r + m * r + 3 * n * n + n * m + 2 * n;
    double *room = w->memory = wy_alloc(all, sizeof *room);
    if (!room) return wy_no_memory(err, "no memory for a linear system");
    w->weight = take_from(&room, n * r), w->weak = take_from(&room, m * r);
    w->side = take_from(&room, r), w->rest = take_from(&room, r);
    w->q = take_from(&room, n * n), w->p = take_from(&room, n * n), w->r = take_from(&room, n * n);
    w->g = take_from(&room, n * m);
    w->pivot_q = (int *)take_from(&room, n), w->pivot_p = (int *)take_from(&room, n);
    return WITHY_OK;
}

/* One block: the system, its numbers, its names. */
static withy_status take_linear(work *w, withy_error *err) {
    const int outputs = 3 * w->probes;
    const size_t n = 2 * (size_t)w->count, m = (size_t)w->inputs, p = (size_t)outputs;
    const size_t numbers = n * n + n * m + p * n + p * m + m + p;
    const size_t size =
        sizeof *w->out + numbers * sizeof(double) + (m + p) * (sizeof(char *) + LABEL);
    withy_linear *out = wy_alloc(1, size);
    if (!out) return wy_no_memory(err, "no memory for a linear system");
    double *room = (double *)(out + 1);
    *out = (withy_linear){.states = (int)n, .inputs = w->inputs, .outputs = outputs};
    out->a = take_from(&room, n * n), out->b = take_from(&room, n * m);
    out->c = take_from(&room, p * n), out->d = take_from(&room, p * m);
    out->u0 = take_from(&room, m), out->y0 = take_from(&room, p);
    const char **name = (const char **)(void *)room;
    char *text = (char *)(name + m + p);
    for (size_t i = 0; i < m + p; i++, text += LABEL) {
        name[i] = text;
        if (i < m)
            snprintf(text, LABEL, "%s", withy_sim_input_name(w->sim, (int)i));
        else
            snprintf(text, LABEL, "%s.%c", w->sim->problem.request.probe[(i - m) / 3].name,
                     "xyz"[(i - m) % 3]);
    }
    out->input_name = name, out->output_name = name + m;
    w->out = out;
    return WITHY_OK;
}

/* The numbers are constant for the caller only. */
static double *own(const double *numbers) {
    double *mine;
    memcpy(&mine, &numbers, sizeof mine);
    return mine;
}

/* ---- forces of the inputs --------------------------------------------------------------------------- */

static withy_status residual_at(wy_static *x, double *r, withy_error *err) {
    const wy_core *core = x->sim->core;
    const double factor = core->equilibrium ? core->t : 1.0;
    const double t = core->equilibrium ? wy_sim_load_time(x->sim, core->t) : core->t;
    WY_TRY(x->equations->load(x->self, factor, t, 1, err));
    if (x->equations->begin) x->equations->begin(x->self);
    return r ? x->equations->residual(x->self, r, err) : WITHY_OK;
}

/* Loads are linear in their inputs, so that the difference is of any size; upwards, because a tension may not be
 * negative. */
static withy_status find_forces(wy_static *x, work *w, withy_error *err) {
    double *now = w->sim->inputs.now;
    const size_t rows = (size_t)x->rows;
    WY_TRY(residual_at(x, x->side, err));
    for (int i = 0; i < w->inputs; i++) {
        const double u = now[i], step = u != 0 ? fabs(u) : 1.0;
        double *force = &w->force[(size_t)i * rows];
        now[i] = u + step;
        const withy_status status = residual_at(x, force, err);
        now[i] = u;
        WY_TRY(status);
        for (size_t k = 0; k < rows; k++) force[k] = (force[k] - x->side[k]) / step;
    }
    return residual_at(x, NULL, err);
}

/* ---- (1) -------------------------------------------------------------------------------------------- */

/* out[i] = (M x_i) . v, a column of a matrix with `stride` columns. */
static void project(const work *w, int rows, const double *v, double *out, int stride) {
    for (int i = 0; i < w->count; i++)
        out[(size_t)i * (size_t)stride] =
            wy_ritz_dot(rows, &w->weight[(size_t)i * (size_t)rows], v);
}

static withy_status find_matrices(wy_static *x, wy_ritz *b, work *w, withy_error *err) {
    const wy_equations *equations = x->equations;
    const int n = w->count, rows = x->rows;
    for (int i = 0; i < n; i++) {
        wy_ritz_normalise(b, wy_ritz_at(b, b->x, i), 0);
        equations->mass(x->self, wy_ritz_at(b, b->x, i), &w->weight[(size_t)i * (size_t)rows]);
    }
    for (int j = 0; j < n && wy_static_may_continue(x); j++) {
        const double *v = wy_ritz_at(b, b->x, j);
        project(w, rows, v, &w->q[j], n);
        equations->mass(x->self, v, w->side);
        equations->solve(x->self, w->side);
        project(w, rows, w->side, &w->p[j], n);
        if (!equations->damping) continue;
        equations->damping(x->self, v, w->side);
        equations->solve(x->self, w->side);
        project(w, rows, w->side, &w->r[j], n);
    }
    for (int i = 0; i < w->inputs; i++) {
        double *weak = &w->weak[(size_t)i * (size_t)rows];
        memcpy(weak, &w->force[(size_t)i * (size_t)rows], (size_t)rows * sizeof *weak);
        equations->solve(x->self, weak);
        project(w, rows, weak, &w->g[i], w->inputs);
    }
    return wy_static_interrupted(x, err);
}

/* Column j of the lower half of A or B: P^-1 of a column. */
static void put_column(work *w, const double *from, int stride, double sign, double *to, int width,
                       int column) {
    const int n = w->count;
    double *b = w->side;
    for (int i = 0; i < n; i++) b[i] = sign * from[i * stride];
    wy_lu_solve(n, n, w->p, w->pivot_p, b);
    for (int i = 0; i < n; i++) to[(size_t)(n + i) * (size_t)width + (size_t)column] = b[i];
}

static withy_status write_dynamics(work *w, double shift, withy_error *err) {
    const int n = w->count;
    double *a = own(w->out->a), *b = own(w->out->b);
    for (int i = 0; i < n; i++) a[(size_t)i * 2 * (size_t)n + (size_t)(n + i)] = 1;
    double *stiff = wy_alloc((size_t)n * (size_t)n, sizeof *stiff);
    if (!stiff) return wy_no_memory(err, "no memory for a linear system");
    for (int i = 0; i < n * n; i++) stiff[i] = w->q[i] + shift * w->p[i];
    const int regular =
        wy_lu_factor(n, n, w->p, w->pivot_p) && wy_lu_factor(n, n, w->q, w->pivot_q);
    for (int j = 0; j < n && regular; j++) {
        put_column(w, &stiff[j], n, -1, a, 2 * n, j);
        put_column(w, &w->r[j], n, -1, a, 2 * n, n + j);
    }
    for (int j = 0; j < w->inputs && regular; j++)
        put_column(w, &w->g[j], w->inputs, 1, b, w->inputs, j);
    wy_free(stiff);
    if (regular) return WITHY_OK;
    return wy_no_convergence(err,
                             "%s: %d modes are more than the method can distinguish; request fewer",
                             w->sim->method->name, n);
}

/* ---- outputs and (2) ---------------------------------------------------------------------------------- */

/* Take the modes out of v. */
static void leave_modes(const work *w, const wy_ritz *b, double *v) {
    double *q = w->side;
    project(w, b->rows, v, q, 1);
    wy_lu_solve(w->count, w->count, w->q, w->pivot_q, q);
    for (int i = 0; i < w->count; i++) {
        const double *x = &b->x[(size_t)i * (size_t)b->rows];
        for (int k = 0; k < b->rows; k++) v[k] -= q[i] * x[k];
    }
}

/* e of input i, into w->rest. */
static void find_rest(wy_static *x, const wy_ritz *b, work *w, int i) {
    const double *weak = &w->weak[(size_t)i * (size_t)x->rows];
    memset(w->rest, 0, (size_t)x->rows * sizeof *w->rest);
    for (int round = 0; round < ROUNDS; round++) {
        x->equations->mass(x->self, w->rest, x->side);
        x->equations->solve(x->self, x->side);
        for (int k = 0; k < x->rows; k++) w->rest[k] = weak[k] - b->shift * x->side[k];
        leave_modes(w, b, w->rest);
    }
}

/* What the probes show of a vector: the displacements (rates = 0) or the rates of them, into a column. */
static void from_state(wy_static *x, work *w, const double *v, int rates, double *to, int width) {
    const withy_request *request = &w->sim->problem.request;
    x->equations->shape(x->self, v, &w->at);
    for (int i = 0; i < w->probes; i++) {
        const kind *of = kind_of(&request->probe[i]);
        const withy_vec3 moved = of->turns ? w->at.turn[i] : w->at.shift[i];
        const double part[3] = {moved.x, moved.y, moved.z};
        for (int k = 0; k < 3; k++)
            to[(size_t)(3 * i + k) * (size_t)width] = of->rate == rates ? part[k] : 0.0;
    }
}

static void write_outputs(wy_static *x, wy_ritz *b, work *w) {
    const int n = w->count;
    double *c = own(w->out->c), *d = own(w->out->d), *y0 = own(w->out->y0);
    for (int i = 0; i < n; i++) {
        from_state(x, w, wy_ritz_at(b, b->x, i), 0, c + i, 2 * n);
        from_state(x, w, wy_ritz_at(b, b->x, i), 1, c + n + i, 2 * n);
    }
    for (int i = 0; i < w->inputs; i++) {
        find_rest(x, b, w, i);
        from_state(x, w, w->rest, 0, d + i, w->inputs);
        own(w->out->u0)[i] = w->sim->inputs.now[i];
    }
    wy_mode_to_laboratory(w->sim, &w->at);
    for (int i = 0; i < w->probes; i++)
        if (!kind_of(&w->sim->problem.request.probe[i])->rate)
            v3_to(w->at.position[i], &y0[3 * (size_t)i]);
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static withy_status fill(wy_static *x, wy_ritz *b, work *w, withy_error *err) {
    const int asked = w->modes;
    WY_TRY(wy_modes_limit(x, &w->modes, b, err));
    int enough = w->modes, settled = 0;
    WY_TRY(find_forces(x, w, err));
    WY_TRY(wy_ritz_find(x, &enough, b, &settled, err));
    WY_TRY(wy_modes_at_rest(x, err));
    const int found = wy_ritz_found(b);
    WY_TRY(wy_modes_enough(w->sim, asked, found, &w->modes, err));
    if (!settled)
        return wy_no_convergence(
            err, "%s: the highest of the %d modes have not converged; take fewer, or more nodes",
            w->sim->method->name, w->modes);
    w->count = enough < found ? enough : found;
    /* both of a complex pair */
    if (w->count < found && b->im[b->rank[w->count - 1]] > 0) w->count++;
    WY_TRY(take_work(w, x->rows, err));
    WY_TRY(take_linear(w, err));
    WY_TRY(find_matrices(x, b, w, err));
    WY_TRY(write_dynamics(w, b->shift, err));
    write_outputs(x, b, w);
    return WITHY_OK;
}

static withy_status linearise(wy_static *x, void *context, withy_error *err) {
    work *w = context;
    wy_ritz b = {0};
    w->force = wy_alloc((size_t)w->inputs * (size_t)x->rows + 1, sizeof *w->force);
    if (!w->force) return wy_no_memory(err, "no memory for a linear system");
    const withy_status status = fill(x, &b, w, err);
    wy_ritz_give(&b);
    wy_free(w->force);
    wy_free(w->memory);
    return status;
}

/* The stations of the probes, in the form of a mode. */
static withy_status take_stations(work *w, withy_error *err) {
    const withy_probe *probe = w->sim->problem.request.probe;
    const size_t count = (size_t)w->probes;
    double *room = wy_alloc(17 * count + 1, sizeof *room);
    if (!room) return wy_no_memory(err, "no memory for a linear system");
    w->at = (withy_mode){.count = w->probes, .s = room};
    withy_vec3 **array[] = {&w->at.position, &w->at.shift, &w->at.turn, &w->at.shift_im,
                            &w->at.turn_im};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = (withy_vec3 *)(room + count) + k * count;
    w->at.rod = (int *)(void *)(room + 16 * count);
    for (int i = 0; i < w->probes; i++) {
        w->at.s[i] = probe[i].of == WITHY_OF_ROD ? probe[i].at : 0;
        w->at.rod[i] = probe[i].of == WITHY_OF_ROD ? probe[i].rod : -1 - probe[i].index;
    }
    return WITHY_OK;
}

withy_status withy_sim_linearise(withy_sim *sim, int modes, withy_linear **linear,
                                 withy_error *err) {
    WY_NEED(sim, linear);
    *linear = NULL;
    WY_TRY(wy_modes_allowed(sim, modes, err));
    WY_TRY(check_inputs(sim, err));
    WY_TRY(check_probes(sim, err));
    WY_TRY(check_at_rest(sim, err));
    work w = {.sim = sim, .modes = modes, .probes = sim->problem.request.probe_count};
    w.inputs = sim->inputs.count;
    WY_TRY(take_stations(&w, err));
    const withy_status status = wy_modes_about(sim, linearise, &w, err);
    wy_free(w.at.s);
    if (status == WITHY_OK)
        *linear = w.out;
    else
        wy_free(w.out);
    return status;
}

void withy_linear_free(withy_linear *linear) {
    wy_free(linear);
}
