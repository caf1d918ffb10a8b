/* tendon_robot.c - a continuum robot with three tendons, driven by a controller at 1 kHz.
 *
 * Every millisecond the controller reads the position of the tip, sets three tensions, and advances the
 * rod by one step.  The tensions are functions whose context the controller owns: the method calls
 * them at every step, so that a new tension acts at once.  The tip follows a circle; the
 * program prints how well, and how long a step takes in the worst case.
 *
 *     cc tendon_robot.c $(pkg-config --cflags --libs withy) -lm
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <withy/withy.h>

enum { TENDONS = 3, STEPS = 8000 };

static const double LENGTH = 0.2, ARM = 0.008, TICK = 1e-3, TWO_PI = 6.283185307179586;

/* What the controller writes and the tendons read. */
static double tension[TENDONS]; /* [N] */

static withy_status read_tension(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)t, (void)err;
    out[0] = *(const double *)context;
    return WITHY_OK;
}

/* A nickel-titanium wire that carries discs; the tendons run 8 mm from its axis. */
static withy_rod robot(withy_load load[TENDONS]) {
    withy_rod rod = withy_rod_default();
    rod.length = LENGTH;
    rod.section.a = withy_field_number(1e-3);
    rod.material = (withy_material){.young = 60e9, .shear = 23e9, .density = 6450};
    rod.inertia[WITHY_MASS] = withy_field_number(0.05); /* kg/m, discs included */
    for (int i = WITHY_ROTARY1; i <= WITHY_ROTARY3; i++) rod.inertia[i] = withy_field_number(2e-6);
    rod.damping_time = 0.02;
    rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, 1}, .normal = {1, 0, 0}};
    rod.end[0].kind = WITHY_END_CLAMPED;
    for (int k = 0; k < TENDONS; k++) {
        const double angle = TWO_PI * k / TENDONS;
        load[k] = (withy_load){.kind = WITHY_LOAD_TENDON, .to = LENGTH};
        load[k].route = (withy_field){.size = 2, .value = {ARM * cos(angle), ARM * sin(angle)}};
        load[k].tension = (withy_field){.size = 1, .call = read_tension, .context = &tension[k]};
    }
    rod.load = load;
    rod.load_count = TENDONS;
    return rod;
}

/* Proportional and integral: a lateral pull towards the target, shared among tendons that can only
 * pull. */
static void control(withy_vec3 tip, double x, double y) {
    static double sum_x, sum_y;
    const double gain = 5, rate = 150, rest = 1.5, least = 0.05; /* N/m, N/(m s), N, N */
    sum_x += rate * TICK * (x - tip.x);
    sum_y += rate * TICK * (y - tip.y);
    const double pull_x = gain * (x - tip.x) + sum_x, pull_y = gain * (y - tip.y) + sum_y;
    for (int k = 0; k < TENDONS; k++) {
        const double angle = TWO_PI * k / TENDONS;
        tension[k] = fmax(least, rest + pull_x * cos(angle) + pull_y * sin(angle));
    }
}

/* The wall clock, or the processor time of this thread, which other programs do not affect. */
static double now_us(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(const char *name, double *took) {
    qsort(took, STEPS, sizeof *took, by_size);
    printf("%-9s time of a step: median %.0f us, 99.9 %% below %.0f us, worst %.0f us\n", name,
           took[STEPS / 2], took[STEPS - 1 - STEPS / 1000], took[STEPS - 1]);
}

int main(void) {
    static double wall[STEPS], cpu[STEPS];
    withy_load load[TENDONS];
    const withy_rod rod = robot(load);
    withy_problem problem = withy_problem_default();
    problem.title = "tendon robot";
    problem.rod = &rod;
    problem.gravity = (withy_vec3){0, 0, -9.81};
    problem.request.stop = STEPS * TICK;
    problem.request.output = TICK;
    const withy_option option[] = {{.name = "n", .number = 40}, {.name = "dt", .number = TICK}};
    withy_error err;
    withy_sim *sim;
    if (withy_sim_create(&problem, "se3", option, 2, &sim, &err) != WITHY_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    const size_t takes = withy_memory_allocations();
    double miss = 0;
    for (int k = 0; k < STEPS; k++) {
        const double t = k * TICK, radius = 0.05 * fmin(1, t), angle = TWO_PI * t / 4;
        const withy_snapshot *seen = withy_sim_sample(sim, 0);
        const withy_vec3 tip = seen->position[seen->count - 1];
        const double x = radius * cos(angle), y = radius * sin(angle);
        if (t > 4) miss = fmax(miss, hypot(tip.x - x, tip.y - y));
        if (k % 1000 == 0)
            printf("t = %.0f s   tip (%7.4f, %7.4f, %7.4f) m   tensions %.2f %.2f %.2f N\n", t,
                   tip.x, tip.y, tip.z, tension[0], tension[1], tension[2]);
        control(tip, x, y);
        const double start = now_us(CLOCK_MONOTONIC), busy = now_us(CLOCK_THREAD_CPUTIME_ID);
        if (withy_sim_advance(sim, (k + 1) * TICK, &err) != WITHY_OK) {
            fprintf(stderr, "%s\n", err.text);
            withy_sim_destroy(sim);
            return 1;
        }
        cpu[k] = now_us(CLOCK_THREAD_CPUTIME_ID) - busy;
        wall[k] = now_us(CLOCK_MONOTONIC) - start;
    }
    printf("\nfollows the circle of 50 mm to %.1f mm after 4 s, with %zu allocations\n", 1e3 * miss,
           withy_memory_allocations() - takes);
    print_times("processor", cpu);
    print_times("elapsed", wall);
    withy_sim_destroy(sim);
    return 0;
}
