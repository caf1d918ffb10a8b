/* network_step.c - one time step of all rods, bodies and joints together: guess, mixed Newton, halving; order 4.
 *
 * One guess, one Newton iteration, one halving for all.  A step that does not converge from the guess is tried from
 * q+ = q-, and then as two half steps, to any depth up to options.halvings; each part conserves as the whole does.
 *
 * Of rods without inertia, q in 0 = f(q) + Z dq/dt, the midpoint rule turns modes that the step does not resolve over from step
 * to step, for ever.  Where the rates jump - at the start, when a load or an end jumps - the step is therefore made as
 * four with the stress of their end (backward Euler), which damps such modes by 1/(1 + k h/4)^4 and leaves order 2:
 *
 *   |r0 - r1|/(h0 + h1) > SUDDEN |r1 - r2|/(h1 + h2)  and  |r0 - r1| > PART |r0|,   r0, r1, r2: rates of this step and the last  (1)
 *
 * What the four lose in addition, h xi C (S+ - S-)^2 with xi = 1/2, is dissipated energy.
 *
 * The multipliers start from those of the last step; after a Newton iteration that failed they are put back.
 */
#include "method/director/contact/contacts.h"
#include "method/director/force/fluid.h"
#include "method/director/force/muscle.h"
#include "method/director/gradient/gradient_network.h"
#include "method/director/law/law.h"

static const double STEP_DONE = 1e-9;    /* quadratic: the next would be at rounding */
static const double STEP_STALLED = 1e-7; /* rounding of a very stiff rod             */
static const double STEP_WILD = 1e8;     /* a larger one is rejected                 */
static const double TURN_MOST = 1.0;     /* of one increment                         */
static const double OPEN = 1e-6;         /* of L or 1: a joint that is further off is not closed */
static const double ROUNDING = 1e-12;
static const double TAUT_MOST =
    2; /* of its limit: a mesh that is not to blame for a step that is halved */
static const double TOUCH_DONE = 1e-13; /* where something touches: stiff, and without a constant */
static const double TOUCH_STALLED = 1e-10;

enum { TOUCH_MORE = 3, ROUNDS = 8 }; /* times newton_max; searches of one step */

/* ---- all parts alike ------------------------------------------------------------------------------------------ */

static int parts(const wy_network *net) {
    return net->plan.rods + 1;
}

static wy_director *part(wy_network *net, int i) {
    return i ? &net->rod[i - 1] : &net->rigid;
}

/* Not what a rod has of its own: its last front and its ends. */
static void share_step(wy_network *net, int rod) {
    memcpy(net->rod[rod].step, net->rigid.step, offsetof(wy_director_step, last));
    if (!net->rod[rod].plan.lone) net->rod[rod].now->origin = net->rigid.now->origin;
    wy_section_begin(&net->rod[rod]);
}

void wy_network_share_step(wy_network *net) {
    for (int i = 0; i < net->plan.rods; i++) share_step(net, i);
}

withy_status wy_network_loads_at(wy_network *net, double t0, double when, double t1,
                                 withy_error *err) {
    net->rigid.step->when = when; /* what the rods share */
    WY_TRY(wy_magnet_field(&net->rigid, when, err));
    for (int i = 0; i < net->plan.rods; i++) {
        WY_TRY(wy_director_loads_at(&net->rod[i], when, err));
        WY_TRY(wy_director_ends_at(&net->rod[i], when, t1, err));
        net->rod[i].step->field = net->rigid.step->field;
        if (net->rod[i].active) WY_TRY(wy_active_at(&net->rod[i], t1, err));
    }
    const double factor = net->rigid.step->factor;
    for (int n = 0; n < net->plan.pushes; n++) {
        const int *push = net->plan.push[n];
        const withy_body_load *load = &net->rigid.plan.problem->body[push[0]].load[push[1]];
        WY_TRY(wy_load_value(&load->force, 0, when, factor, &net->load[n][0], err));
        WY_TRY(wy_load_value(&load->moment, 0, when, factor, &net->load[n][1], err));
    }
    if (net->contacts) WY_TRY(wy_contacts_at(net, t1, err));
    WY_TRY(wy_body_fluid_check(net, when, err));
    return wy_constraints_at(net, t0, when, t1, err);
}

/* ---- Newton ------------------------------------------------------------------------------------------------------ */

static void move_rigid_groups(wy_network *net, double share) {
    for (int c = 0; c < wy_network_moving(net); c++) {
        wy_director_next *next = &net->rigid.next[c];
        const double *a = next->change;
        next->dr = v3_axpy(next->dr, share, v3_from(a));
        next->theta = cayley_after(next->theta, v3_scale(share, v3_from(a + 3)));
        next->d = tri_cayley(next->theta, net->rigid.node[c].d);
    }
}

static void move_groups(wy_network *net, double share) {
    wy_constraints_correct(net, share);
    move_rigid_groups(net, share);
}

void wy_network_move_rod(wy_network *net, int rod, double share) {
    net->rod[rod].step->has_stress_of_guess = 0;
    wy_director_correct(&net->rod[rod], share);
    wy_rod_follows(net, rod);
    wy_director_straighten(&net->rod[rod]);
}

void wy_network_move(wy_network *net, double share) {
    wy_constraints_correct(net, share);
    for (int i = 0; i < net->plan.rods; i++) {
        net->rod[i].step->has_stress_of_guess = 0;
        wy_director_mixed_move(&net->rod[i], share);
        wy_director_tendons_move(&net->rod[i], &net->border, share);
    }
    wy_network_tendon_efforts(net);
    move_rigid_groups(net, share);
    wy_group_nodes_follow(net);
    for (int i = 0; i < net->plan.rods; i++) wy_director_straighten(&net->rod[i]);
}

static double change_size(wy_network *net) {
    double size = 0;
    for (int i = 0; i < parts(net); i++) size = wy_max(size, wy_director_change_size(part(net, i)));
    return size;
}

/* Before the next iteration: the rods move where they are next needed, unless tendons lead from rod to rod.
 * Returns the share that is left for them. */
static double move_on(wy_network *net, double share) {
    if (net->plan.tendons || wy_network_pairs(net)) {
        wy_network_move(net, share);
        return 0;
    }
    move_groups(net, share);
    return share;
}

/* Contacts that begin and end cost iterations; the law has a kink in its slope. */
static int most_iterations(const wy_network *net) {
    return ((net->contacts && !net->contacts->idle) || net->rigid.step->turns ? TOUCH_MORE : 1) *
           net->rigid.plan.opt.newton_max;
}

/* Forces between rods at the iterate, and the order of the equations where new ones push. */
static withy_status push_pairs(wy_network *net, withy_error *err) {
    wy_contacts_push(net);
    return net->contacts->step->grew ? wy_contacts_order(net, err) : WITHY_OK;
}

static void tendons_back(wy_network *net) {
    for (int i = 0; i < net->plan.rods && net->plan.tendons; i++)
        wy_director_tendons_back(&net->rod[i], &net->border);
}

/* The last change of a solved step. */
static withy_status move_last(wy_network *net, double share, withy_error *err) {
    share = move_on(net, share);
    for (int i = 0; i < net->plan.rods; i++) {
        wy_rod_fetch(net, i + 1);
        if (share > 0) wy_network_move_rod(net, i, share);
        WY_TRY(wy_director_state_loads_at(&net->rod[i], 0, err));
    }
    if (wy_network_pairs(net)) wy_contacts_push(net);
    return WITHY_OK;
}

/* Where contacts or cables change between two laws, Newton's method has no constant. */
static int is_rough(const wy_network *net) {
    return net->rigid.step->turns || (net->contacts && net->contacts->step->active);
}

static withy_status newton(wy_network *net, int count, int *converged, withy_error *err) {
    wy_director *rigid = &net->rigid;
    double before = INFINITY, share = 0;
    if (net->plan.multipliers)
        memcpy(net->lambda, net->kept, (size_t)net->plan.multipliers * sizeof *net->lambda);
    tendons_back(net);
    wy_network_tendon_efforts(net);
    wy_director_guess(rigid, count);
    for (int i = 0; i < net->plan.rods; i++) {
        wy_rod_fetch(net, i + 1);
        wy_director_guess(&net->rod[i], count);
        wy_rod_follows(net, i);
    }
    wy_constraints_begin(net);
    rigid->now->solves++;
    *converged = 0;
    for (int k = 1; k <= most_iterations(net); k++) {
        double size;
        if (net->contacts) net->contacts->step->active = 0;
        rigid->step->turns = 0;
        rigid->step->has_stress_of_guess = k == 1 && count >= 2;
        if (k > 1) share = move_on(net, share);
        WY_TRY(wy_rigid_groups_hold(net, rigid->step->t + rigid->step->h, err));
        if (wy_network_pairs(net)) WY_TRY(push_pairs(net, err));
        rigid->now->iterations++;
        const withy_status solved = wy_reduced_solve(net, share, &size, err);
        /* before convergence a function of the state may have no value */
        if (solved == WITHY_BAD_INPUT && (k > 1 || count != 0)) return WITHY_OK;
        WY_TRY(solved);
        if (net->border.count && size < STEP_WILD) {
            if (!wy_network_tendons_solve(net)) return WITHY_OK;
            size = change_size(net);
        }
        if (!(size < STEP_WILD)) return WITHY_OK;
        share = size > TURN_MOST ? TURN_MOST / size : 1.0;
        if (net->contacts && net->contacts->plan.law->apart) share = wy_contacts_cut(net, share);
        wy_director_measure(rigid->now, before, size);
        *converged = is_rough(net)
                         ? size <= TOUCH_DONE || (size <= TOUCH_STALLED && size >= 0.3 * before)
                         : size <= STEP_DONE || wy_director_below_rounding(rigid, k, size) ||
                               (size <= STEP_STALLED && size >= 0.3 * before);
        if (*converged) break;
        before = size;
    }
    rigid->step->has_stress_of_guess = 0;
    return *converged ? move_last(net, share, err) : WITHY_OK;
}

/* Does a rod pass through what it should touch in the step just solved? */
static int passes_through(const wy_network *net) {
    int *lost = net->contacts->step->lost;
    if (wy_contacts_pierced(net, lost)) return 1;
    if (wy_network_pairs(net) && wy_contacts_crossed(net, lost)) return 1;
    lost[0] = -1;
    return 0;
}

/* Newton's method, and for rods that touch once more with more pairs where they moved further than was thought. */
static withy_status iterate(wy_network *net, int *converged, withy_error *err) {
    const int guess = (int)net->rigid.now->guess, pairs = wy_network_pairs(net);
    if (net->contacts) net->contacts->step->lost[0] = -1;
    for (int round = 0;; round++) {
        if (pairs) {
            WY_TRY(
                wy_contacts_search(net, round ? WY_CONTACTS_ITERATE : WY_CONTACTS_EXPECTED, err));
            if (!net->contacts->plan.plain) WY_TRY(wy_contacts_order(net, err));
        }
        WY_TRY(newton(net, guess, converged, err));
        if (!*converged && guess != 0) WY_TRY(newton(net, 0, converged, err));
        if (!pairs || !*converged || !wy_contacts_strayed(net)) return WITHY_OK;
        if (round == ROUNDS) return *converged = 0, WITHY_OK;
    }
}

static withy_status solve(wy_network *net, double h, int *converged, withy_error *err) {
    wy_director_step *step = net->rigid.step;
    step->h = h, step->per = 1.0 / h, step->beta = 0.5;
    step->xi = step->late ? 0.5 : 0.5 * net->rigid.plan.opt.xi;
    step->keeps = net->border.count > 0;
    wy_network_share_step(net);
    WY_TRY(wy_network_loads_at(net, step->t, step->t + 0.5 * h, step->t + h, err));
    if (net->plan.multipliers)
        memcpy(net->kept, net->lambda, (size_t)net->plan.multipliers * sizeof *net->lambda);
    for (int i = 0; i < net->plan.rods && net->plan.tendons; i++)
        wy_director_tendons_keep(&net->rod[i], &net->border);
    if (net->contacts) wy_contacts_begin(net);
    WY_TRY(iterate(net, converged, err));
    if (net->contacts && *converged && wy_contacts_woken(net)) WY_TRY(iterate(net, converged, err));
    if ((net->contacts && !net->contacts->idle) || wy_constraints_stopped(net)) step->near = 1;
    if (net->contacts && *converged && !net->contacts->idle) *converged = !passes_through(net);
    if (!*converged && net->plan.multipliers)
        memcpy(net->lambda, net->kept, (size_t)net->plan.multipliers * sizeof *net->lambda);
    if (!*converged) tendons_back(net);
    return WITHY_OK;
}

/* ---- commit ---------------------------------------------------------------------------------------------------------- */

/* The origin follows what flies away, and that of a rod that is tied to nothing this one wherever its ends are driven: by how
 * much. */
static vec3 far_from_origin(vec3 middle, double length) {
    return v3_norm(middle) > 8 * length ? middle : v3(0, 0, 0);
}

static vec3 follow_rod(const wy_director *x) {
    return far_from_origin(wy_director_plus_r(x, x->plan.node_count / 2), x->plan.length);
}

static vec3 follow(const wy_network *net) {
    if (!net->plan.floats && net->plan.rigid_groups) return v3(0, 0, 0);
    if (!net->plan.rigid_groups) return follow_rod(&net->rod[0]);
    return far_from_origin(net->rigid.node[0].r, net->plan.length);
}

static void shift(wy_director *x, vec3 by) {
    if (v3_is_zero(by)) return;
    for (int j = 0; j < x->plan.node_count; j++) x->node[j].r = v3_sub(x->node[j].r, by);
    for (int e = 0; e < 2; e++) x->now->end[e].spring_r = v3_sub(x->now->end[e].spring_r, by);
    x->now->origin = v3_add(x->now->origin, by);
}

/* The loop that a joint closes contradicts the others: the multipliers grow, and nothing moves. */
static withy_status open_joint(const wy_network *net, int widest, double gap, withy_error *err) {
    char words[WY_JOINT_WORDS];
    return wy_no_convergence(
        err,
        "director: at t = %g %s cannot be closed: what it keeps is off by %.3g; the "
        "other joints and drives of its parts contradict it: remove one of them",
        net->rigid.step->t + net->rigid.step->h, wy_network_words(net, widest, words, sizeof words),
        gap);
}

/* K = sin(turn)/h falls again beyond a right angle between two nodes, so that a rod that is bent further than the mesh can
 * resolve snaps into a fold that costs no energy: a wrong answer with a balanced ledger.  Such a fold is detected. */
static withy_status check_fold(const wy_network *net, int i, withy_error *err) {
    int node;
    const wy_director *rod = &net->rod[i];
    const double turn = wy_is_cable(&rod->plan) ? 0 : wy_director_turn(rod, &node);
    char words[WY_JOINT_WORDS];
    if (turn < 0.5 * WY_PI) return WITHY_OK;
    wy_director_step *step = net->rigid.step;
    if (net->rigid.step_size && step->is_never_halved &&
        fabs(step->h) > WY_DIRECTOR_FOLD_SHORT * net->rigid.step_size->to) {
        step->refused = 1; /* perhaps too long a step */
        return WITHY_OK;
    }
    return wy_no_convergence(err,
                             "director: at t = %g %s turns by %.0f degrees between two nodes at "
                             "s = %.4g, more than the mesh can hold (90); use more elements "
                             "(options.n, now %d)",
                             net->rigid.step->t, wy_network_rod_words(net, i, words, sizeof words),
                             turn * 180.0 / WY_PI, rod->plan.s[node], rod->plan.n);
}

static void commit_rigid(wy_network *net) {
    wy_director_keep_rates(&net->rigid);
    wy_director_keep_nodes(&net->rigid);
    wy_rigid_groups_pin(net); /* held values are exact to the last digit */
}

/* All of a rod at once: in a large network its numbers come from memory.  Where it folds, the run ends. */
static withy_status commit_rod(wy_network *net, int i, vec3 by, wy_taut *worst, withy_error *err) {
    wy_director *rod = &net->rod[i];
    if (rod->plan.lone) by = follow_rod(rod);
    wy_director_keep_rates(rod);
    wy_director_keep_nodes(rod);
    shift(rod, by);
    wy_rod_settles(net, i);
    share_step(net, i);
    if (rod->active) wy_active_commit(rod);
    if (rod->activation) wy_muscles_commit(rod);
    wy_director_zero_increment(rod);
    wy_director_strains(rod, 1);
    if (net->rigid.step->trial != WY_TRIAL_NO_LEDGER) wy_director_energies(rod);
    if (!net->rigid.step->trial) wy_director_taut(rod, worst);
    return check_fold(net, i, err);
}

static withy_status commit(wy_network *net, withy_error *err) {
    double miss[WY_DIRECTOR_HISTORY + 1] = {0};
    wy_director_step *step = net->rigid.step;
    WY_TRY(wy_rigid_groups_hold(net, step->t + step->h, err)); /* what rounding left */
    wy_director_guess_miss(&net->rigid, miss);
    wy_network_ledger_add(net, miss);
    if (net->contacts) WY_TRY(wy_contacts_commit(net, err));
    int widest;
    const double gap = wy_constraints_gap(net, &widest);
    if (!(gap <= OPEN)) return open_joint(net, widest, gap, err);
    net->now->gap = gap;
    net->rigid.now->guess = wy_director_guess_best((int)net->rigid.now->history, miss);
    WY_TRY(wy_network_ends_keep(net, err));
    commit_rigid(net);
    const vec3 by = follow(net);
    shift(&net->rigid, by);
    step->t += step->h;
    wy_director_zero_increment(&net->rigid);
    wy_taut worst = {0};
    for (int i = 0; i < net->plan.rods; i++) {
        wy_rod_fetch(net, i + 1);
        WY_TRY(commit_rod(net, i, by, &worst, err));
    }
    WY_TRY(wy_network_taut_judge(&worst, err));
    if (step->trial != WY_TRIAL_NO_LEDGER) wy_network_ledger_close(net);
    if (net->contacts) net->contacts->idle = 0;
    withy_stats *stats = net->rigid.setup->stats;
    stats->constraint_max = wy_max(stats->constraint_max, gap);
    return WITHY_OK;
}

/* ---- dt = "auto" ----------------------------------------------------------------------------------------------- */

/* Of every rod as many nodes, no more than the longest has, and fewer where there are many rods. */
static int marks_of_rod(const wy_network *net) {
    const int most = net->plan.rods <= 4 ? WY_DIRECTOR_MARKED : net->plan.rods <= 16 ? 9 : 5;
    int nodes = 2;
    for (int i = 0; i < net->plan.rods; i++) nodes = wy_max(nodes, net->rod[i].plan.node_count);
    return wy_min(most, nodes);
}

int wy_director_marked(const wy_director *rigid) {
    const wy_network *net = (const wy_network *)rigid;
    return net->plan.rods * marks_of_rod(net) + wy_network_moving(net);
}

const wy_director_node *wy_director_mark_at(const wy_director *rigid, int i, vec3 *origin) {
    const wy_network *net = (const wy_network *)rigid;
    const int per = marks_of_rod(net), rod = i / per;
    *origin = net->rigid.now->origin;
    if (rod >= net->plan.rods) return &net->rigid.node[i - per * net->plan.rods];
    const wy_director *x = &net->rod[rod];
    *origin = wy_director_origin_shift(x);
    return &x->node[(int64_t)(i % per) * (x->plan.node_count - 1) / (per - 1)];
}

void wy_network_save_copy(wy_network *net, int which) {
    memcpy(net->copy[which], net->state, net->state_size);
}

void wy_network_restore_copy(wy_network *net, int which) {
    memcpy(net->state, net->copy[which], net->state_size);
}

/* ---- steps ------------------------------------------------------------------------------------------------------------- */

static withy_status through(const wy_network *net, double h, withy_error *err) {
    char words[WY_CONTACTS_WORDS];
    return wy_no_convergence(
        err,
        "director: at t = %g %s are pressed together so hard that they pass through each other, "
        "even in a step of %.3g s; use a larger contact.stiffness or contact.pair, or less force",
        net->rigid.step->t, wy_contacts_words(net, net->contacts->step->lost, words, sizeof words),
        fabs(h));
}

withy_status wy_network_step_failed(const wy_network *net, double h, withy_error *err) {
    const wy_director_options *opt = &net->rigid.plan.opt;
    if (net->contacts) WY_TRY(wy_contacts_known(net, err));
    if (net->contacts && net->contacts->step->lost[0] >= 0) return through(net, h, err);
    WY_TRY(wy_network_taut_fails(net, 1, err));
    char words[WY_JOINT_WORDS], advice[WY_JOINT_WORDS + 80] = "";
    int widest;
    if (wy_constraints_gap(net, &widest) > ROUNDING)
        snprintf(advice, sizeof advice, ", or look for joints that cannot be closed, first %s",
                 wy_network_words(net, widest, words, sizeof words));
    return wy_no_convergence(
        err,
        "director: no convergence at t = %g with a step of %.3g s after %d halvings and %d Newton "
        "iterations each; try a smaller dt, more elements (now %d), a little damping%s",
        net->rigid.step->t, fabs(h), opt->halvings, opt->newton_max, opt->n, advice);
}

/* Whether a step that is too long for Newton's method converges in the iterations it has is decided
 * by the last bit; that it was cut then shows in the result, by the error of one such step. */
static void note_cut(wy_director *rigid, double h) {
    rigid->now->cut = 1;
    wy_note(rigid->setup->notes, WY_NOTE(step_halved), rigid->step->t, fabs(h));
}

/* ---- rods without inertia (1) ----------------------------------------------------------------------------------------- */

static const double SUDDEN = 4, PART_OF_RATE = 0.2, LEAST_WAY = 1e-12;

static double rates_apart(const wy_director_rate *a, const wy_director_rate *b, double per) {
    const vec3 dr = v3_sub(a->dr, b->dr), turn = v3_sub(a->theta, b->theta);
    return sqrt(wy_max(per * per * v3_dot(dr, dr), v3_dot(turn, turn)));
}

static int rod_jumps(const wy_director *x) {
    static const wy_director_rate none = {{0, 0, 0}, {0, 0, 0}};
    const wy_director_now *now = x->now;
    const double h = x->step->h, per = 1.0 / x->plan.length;
    double apart = 0, before = 0, size = 0;
    if (now->history < 2) return 1;
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_director_rate *last = x->node[j].rate;
        const wy_director_rate rate = {v3_scale(1 / h, x->next[j].dr),
                                       v3_scale(1 / h, x->next[j].theta)};
        apart = wy_max(apart, rates_apart(&rate, &last[0], per));
        before = wy_max(before, rates_apart(&last[0], &last[1], per));
        size = wy_max(size, rates_apart(&rate, &none, per));
    }
    const double *past = now->rate_step;
    return apart * fabs(h) > LEAST_WAY && apart > PART_OF_RATE * size &&
           apart * (past[0] + past[1]) > SUDDEN * before * (h + past[0]);
}

static int jumps(const wy_network *net) {
    for (int i = 0; i < net->plan.rods && !net->rigid.step->late; i++)
        if (wy_is_massless(&net->rod[i].plan) && rod_jumps(&net->rod[i])) return 1;
    return 0;
}

static withy_status step(wy_network *net, double h, int depth, withy_error *err);

static withy_status step_late(wy_network *net, double h, int depth, withy_error *err) {
    enum { PARTS = 4 };
    wy_director_step *now = net->rigid.step;
    withy_status status = WITHY_OK;
    now->late = 1;
    for (int i = 0; i < PARTS && status == WITHY_OK && !now->refused; i++)
        status = step(net, h / PARTS, depth, err);
    now->late = 0;
    return status;
}

/* One step of length h, in halves if necessary; dt = "auto" refuses it instead. */
static withy_status step(wy_network *net, double h, int depth, withy_error *err) {
    int converged;
    wy_director *rigid = &net->rigid;
    WY_TRY(wy_interrupt_check(
        rigid->setup->interrupt,
        rigid->step_size && rigid->step->trial ? rigid->step_size->from : rigid->step->t, err));
    const double square = rigid->now->square;
    const int64_t solves = rigid->now->solves;
    WY_TRY(solve(net, h, &converged, err));
    if (converged && jumps(net)) return step_late(net, h, depth, err);
    if (converged && net->slopes && !rigid->step->trial)
        WY_TRY(wy_network_slopes_step(net, square, solves, err));
    if (converged) return commit(net, err);
    if (net->contacts) net->contacts->idle = 0;
    if (rigid->step->is_never_halved && depth == WY_DIRECTOR_WHOLE) {
        rigid->step->refused = 1;
        return WITHY_OK;
    }
    if (depth == rigid->plan.opt.halvings) return wy_network_step_failed(net, h, err);
    if (!rigid->step->trial) WY_TRY(wy_network_taut_fails(net, TAUT_MOST, err));
    rigid->setup->stats->halvings++;
    if (!rigid->now->cut && !rigid->step->is_never_halved) note_cut(rigid, h);
    WY_TRY(step(net, 0.5 * h, depth + 1, err));
    if (rigid->step->refused) return WITHY_OK;
    return step(net, 0.5 * h, depth + 1, err);
}

withy_status wy_network_again(wy_network *net, double h, withy_error *err) {
    int converged;
    const double square = net->rigid.now->square;
    const int64_t solves = net->rigid.now->solves;
    WY_TRY(solve(net, h, &converged, err));
    if (!converged) return wy_network_step_failed(net, h, err);
    WY_TRY(wy_network_slopes_step(net, square, solves, err));
    return commit(net, err);
}

withy_status wy_network_full_step(wy_network *net, double h, withy_error *err) {
    wy_director_now *now = net->rigid.now;
    const double c = 1.0 / (4.0 - cbrt(4.0)),
                 share[5] = {c, c, 1 - 4 * c, c, c}; /* Suzuki, order 4 */
    now->iterations = 0;
    net->rigid.step->refused = 0;
    if (net->rigid.step->order == 4)
        for (int i = 0; i < 5 && !net->rigid.step->refused; i++)
            WY_TRY(step(net, share[i] * h, 0, err));
    else
        WY_TRY(step(net, h, 0, err));
    withy_stats *stats = net->rigid.setup->stats;
    stats->iterations += now->iterations;
    if (net->rigid.step->refused || net->rigid.step->trial) return WITHY_OK;
    stats->steps++;
    if (now->iterations > stats->iterations_max) stats->iterations_max = (int)now->iterations;
    for (int i = 0; i < net->plan.rods; i++) net->rod[i].now->iterations = now->iterations;
    return WITHY_OK;
}

withy_status wy_network_begin(wy_network *net, withy_error *err) {
    for (int i = 0; i < parts(net); i++) {
        wy_director *x = part(net, i);
        x->now->started = 1;
        wy_director_past_start(x->now);
        if (i) WY_TRY(wy_director_offsets(x, err));
        if (i) WY_TRY(wy_fluid_begin(x, err));
        for (int j = 0; j < x->plan.node_count; j++) {
            wy_director_node *node = &x->node[j];
            node->rate[0].dr = node->v;
            node->rate[0].theta = m3_mul(tri_matrix(node->d), lane_vec3(node->w));
        }
    }
    return wy_rigid_groups_offsets(net, err);
}

void wy_network_open_steps(wy_network *net) {
    wy_director_step *step = net->rigid.step;
    *step = (wy_director_step){.factor = 1.0, .dynamic = 1, .order = net->rigid.plan.opt.order};
    step->gravity = net->rigid.plan.problem->gravity;
    for (int i = 0; i < net->plan.rods; i++)
        *net->rod[i].step = (wy_director_step){.factor = 1.0, .dynamic = 1};
    wy_network_share_step(net);
    wy_rigid_groups_stand(net);
}

static withy_status advance(wy_network *net, const wy_span *span, withy_error *err) {
    wy_director_step *step = net->rigid.step;
    wy_network_open_steps(net);
    if (!net->rigid.now->started) {
        WY_TRY(wy_network_begin(net, err));
        for (int i = 0; i < net->plan.rods; i++) {
            wy_director_note_inertia(&net->rod[i]);
            WY_TRY(wy_section_check_start(&net->rod[i], err));
        }
        if (net->rigid.step_size) wy_director_auto_start(&net->rigid);
    }
    step->t = wy_span_time(span, span->from);
    for (int i = 0; i < net->plan.rods; i++)
        if (net->rod[i].active) WY_TRY(wy_active_jump(&net->rod[i], step->t, err));
    if (net->rigid.step_size) return wy_director_auto_advance(&net->rigid, span, err);
    for (int64_t k = span->from; k < span->to; k++) {
        step->t = wy_span_time(span, k);
        WY_TRY(wy_network_full_step(net, span->h, err));
    }
    return WITHY_OK;
}

withy_status wy_network_advance(void *self, const wy_span *span, withy_error *err) {
    const withy_status status = advance(self, span, err);
    wy_network_totals(self); /* also of a run that fails */
    return status;
}
