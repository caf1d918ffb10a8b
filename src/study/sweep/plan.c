/* sweep_plan.c - see sweep_plan.h. */
#include "study/sweep/sweep.h"

static const int64_t MOST = 1000000;

/* ---- axes ------------------------------------------------------------------------------------------ */

static withy_status wrong(const char *text, const char *why, withy_error *err) {
    return wy_bad_input(err, "--over %.100s: %s", text, why);
}

static int read_number(const char **text, double *number) {
    char *end;
    *number = strtod(*text, &end);
    const int fine = end != *text && isfinite(*number);
    *text = end;
    return fine;
}

/* "1,2,5" */
static withy_status read_list(wy_axis *axis, const char *text, const char *over, wy_arena *arena,
                              withy_error *err) {
    axis->count = 1;
    for (const char *c = text; *c; c++) axis->count += *c == ',';
    axis->value = wy_arena_alloc(arena, (size_t)axis->count, sizeof *axis->value);
    if (!axis->value) return wy_no_memory(err, "no memory for a list of values");
    for (int i = 0; i < axis->count; i++) {
        if (!read_number(&text, &axis->value[i]) || (*text && *text != ','))
            return wrong(over, "must be PATH=FROM..TO:COUNT or a list of numbers, PATH=1,2,5", err);
        text += *text == ',';
    }
    return WITHY_OK;
}

/* What follows "1e-3..4e-3": ":32", ":32:log", ":log", "". */
static withy_status read_steps(wy_axis *axis, const char *text, const char *over, int sampled,
                               withy_error *err) {
    axis->count = 0;
    if (text[0] == ':' && strcmp(text, ":log") != 0) {
        char *end;
        const double count = strtod(text + 1, &end);
        if (end == text + 1 || !(count >= 1 && count <= 1e6 && count == floor(count)))
            return wrong(over, "the number of values must be a whole number from 1 to 1000000",
                         err);
        axis->count = (int)count;
        text = end;
    }
    axis->logarithmic = strcmp(text, ":log") == 0;
    if (*text && !axis->logarithmic)
        return wrong(over, "must be PATH=FROM..TO:COUNT, PATH=FROM..TO:COUNT:log or PATH=1,2,5",
                     err);
    if (!sampled && axis->count == 0)
        return wrong(over,
                     "the number of values is missing; write PATH=FROM..TO:COUNT, or give --sample",
                     err);
    return WITHY_OK;
}

static withy_status check_range(const wy_axis *axis, const char *over, int sampled,
                                withy_error *err) {
    if (!(axis->from != axis->to) && (sampled || axis->count > 1))
        return wrong(over, "the range is empty: both ends are the same", err);
    if (axis->from > axis->to)
        return wrong(over, "the range is empty: it ends before it starts", err);
    if (axis->logarithmic && !(axis->from > 0))
        return wrong(over, "a logarithmic range must be of positive numbers", err);
    return WITHY_OK;
}

/* "2e-3+-1e-5" */
static withy_status read_normal(wy_axis *axis, const char *text, const char *over,
                                withy_error *err) {
    const char *at = text;
    axis->normal = 1;
    if (!read_number(&at, &axis->from) || strncmp(at, "+-", 2) != 0)
        return wrong(over, "must be PATH=MEAN+-DEVIATION with two numbers", err);
    at += 2;
    if (!read_number(&at, &axis->to) || *at || !(axis->to > 0))
        return wrong(over, "the standard deviation after +- must be a number above 0", err);
    return WITHY_OK;
}

static withy_status read_axis(wy_axis *axis, const char *over, int sampled, wy_arena *arena,
                              withy_error *err) {
    const size_t length = strcspn(over, "=");
    if (!over[length] || length == 0 || length >= WY_PLAN_PATH)
        return wrong(over, "must be PATH=FROM..TO:COUNT, e.g. params.wire=1e-3..4e-3:32", err);
    memcpy(axis->path, over, length);
    const char *text = over + length + 1, *dots = strstr(text, "..");
    if (strstr(text, "+-")) {
        if (sampled) return read_normal(axis, text, over, err);
        return wrong(over, "a distribution is for samples; give --sample lhs:400, say", err);
    }
    if (!dots && sampled)
        return wrong(over, "a sample needs a range, PATH=FROM..TO, or PATH=MEAN+-DEVIATION", err);
    if (!dots) return read_list(axis, text, over, arena, err);
    char from[64];
    snprintf(from, sizeof from, "%.*s", (int)(dots - text),
             text); /* strtod would take "1." of 1..4 */
    const char *head = from, *tail = dots + 2;
    if (!read_number(&head, &axis->from) || *head || !read_number(&tail, &axis->to))
        return wrong(over, "must be PATH=FROM..TO:COUNT with two numbers", err);
    WY_TRY(read_steps(axis, tail, over, sampled, err));
    return check_range(axis, over, sampled, err);
}

/* x with the probability u of being below: Newton's method, from the tail on, where it is monotone. */
static double normal_quantile(double u) {
    const double p = u < 0.5 ? u : 1 - u;
    double x = -sqrt(-2 * log(p)); /* below the root */
    for (int i = 0; i < 60; i++) {
        const double way = (0.5 * erfc(-x / sqrt(2)) - p) * sqrt(2 * WY_PI) * exp(0.5 * x * x);
        x -= way;
        if (fabs(way) <= 1e-14 * fabs(x)) break;
    }
    return u < 0.5 ? x : -x;
}

static double between(const wy_axis *axis, double u) {
    if (axis->normal) return axis->from + axis->to * normal_quantile(u);
    if (axis->logarithmic) return axis->from * pow(axis->to / axis->from, u);
    return axis->from + (axis->to - axis->from) * u;
}

static double grid_value(const wy_axis *axis, int64_t i) {
    if (axis->value) return axis->value[i];
    if (i == axis->count - 1 && i > 0) return axis->to;
    return axis->count > 1 ? between(axis, (double)i / (axis->count - 1)) : axis->from;
}

/* ---- samples --------------------------------------------------------------------------------------- */

/* Degree, inner coefficients of the primitive polynomial, first direction numbers: dimensions 2 .. 16. */
static const struct {
    int degree, polynomial;
    uint32_t m[6];
} joe_kuo[WY_PLAN_AXES - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
};

/* Direction numbers v_1 .. v_32 of a dimension. */
static void directions(int dimension, uint32_t v[32]) {
    for (int i = 0; i < 32; i++) v[i] = UINT32_C(1) << (31 - i);
    if (dimension == 0) return;
    const int s = joe_kuo[dimension - 1].degree, a = joe_kuo[dimension - 1].polynomial;
    for (int i = 0; i < s; i++) v[i] = joe_kuo[dimension - 1].m[i] << (31 - i);
    for (int i = s; i < 32; i++) {
        v[i] = v[i - s] ^ (v[i - s] >> s);
        for (int k = 1; k < s; k++)
            if (a >> (s - 1 - k) & 1) v[i] ^= v[i - k];
    }
}

/* Point `index` of the sequence in the order of Gray's code. */
static double sobol(int64_t index, int dimension) {
    uint32_t v[32], x = 0;
    directions(dimension, v);
    const uint64_t gray = (uint64_t)index ^ (uint64_t)index >> 1;
    for (int i = 0; i < 32; i++)
        if (gray >> i & 1) x ^= v[i];
    return ((double)x + 0.5) / 4294967296.0;
}

/* splitmix64: a number from a state, the same on every machine. */
static uint64_t mix(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* A random order of the strata of every axis (Fisher and Yates). */
static withy_status shuffle(wy_sweep_plan *plan, wy_arena *arena, withy_error *err) {
    const size_t count = (size_t)plan->count;
    uint64_t state = plan->seed;
    plan->stratum = wy_arena_alloc(arena, (size_t)plan->axes * count, sizeof *plan->stratum);
    if (!plan->stratum) return wy_no_memory(err, "no memory for the samples");
    for (int axis = 0; axis < plan->axes; axis++) {
        uint32_t *order = plan->stratum + (size_t)axis * count;
        for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
        for (size_t i = count; i-- > 1;) {
            const size_t k = (size_t)(mix(&state) % (i + 1));
            const uint32_t other = order[k];
            order[k] = order[i], order[i] = other;
        }
    }
    return WITHY_OK;
}

static double latin(const wy_sweep_plan *plan, int64_t member, int axis) {
    uint64_t state =
        plan->seed ^ (uint64_t)member * UINT64_C(0xd1342543de82ef95) ^ (uint64_t)axis << 56;
    const double within = ((double)(mix(&state) >> 11) + 0.5) / 9007199254740992.0;
    const uint32_t stratum = plan->stratum[(size_t)axis * (size_t)plan->count + (size_t)member];
    return (stratum + within) / (double)plan->count;
}

static withy_status read_sample(wy_sweep_plan *plan, const char *sample, withy_error *err) {
    char kind[16] = "", rest;
    double count = 0, seed = 1;
    const int read = sscanf(sample, "%15[a-z]:%lf:%lf%c", kind, &count, &seed, &rest);
    const int latin_too = strcmp(kind, "lhs") == 0, sobol_too = strcmp(kind, "sobol") == 0;
    if ((!latin_too && !sobol_too) || read < 2 || read > (latin_too ? 3 : 2))
        return wy_bad_input(err, "--sample %.60s: must be sobol:COUNT, lhs:COUNT or lhs:COUNT:SEED",
                            sample);
    if (!(count >= 1 && count <= (double)MOST && count == floor(count)) ||
        !(seed >= 0 && seed < 9e15 && seed == floor(seed)))
        return wy_bad_input(
            err, "--sample %.60s: the number of points must be a whole number from 1 to %lld",
            sample, (long long)MOST);
    plan->sampled = latin_too ? 2 : 1;
    plan->count = (int64_t)count, plan->seed = (uint64_t)seed;
    return WITHY_OK;
}

/* ---- the plan -------------------------------------------------------------------------------------- */

static withy_status count_grid(wy_sweep_plan *plan, withy_error *err) {
    plan->count = 1;
    for (int i = 0; i < plan->axes; i++) {
        plan->count *= plan->axis[i].count;
        if (plan->count > MOST)
            return wy_bad_input(err,
                                "the grid has more than %lld members; take fewer values, or sample "
                                "the ranges: --sample sobol:4096",
                                (long long)MOST);
    }
    return WITHY_OK;
}

withy_status wy_sweep_plan_make(wy_sweep_plan *plan, const char *const *over, int count,
                                const char *sample, wy_arena *arena, withy_error *err) {
    *plan = (wy_sweep_plan){.axes = count};
    if (count < 1 || count > WY_PLAN_AXES)
        return wy_bad_input(
            err, "a sweep needs --over PATH=FROM..TO:COUNT (what to vary), 1 to %d times",
            WY_PLAN_AXES);
    if (sample) WY_TRY(read_sample(plan, sample, err));
    for (int i = 0; i < count; i++) {
        WY_TRY(read_axis(&plan->axis[i], over[i], plan->sampled, arena, err));
        for (int k = 0; k < i; k++)
            if (strcmp(plan->axis[k].path, plan->axis[i].path) == 0)
                return wrong(over[i], "is varied twice; keep one", err);
    }
    if (!plan->sampled) return count_grid(plan, err);
    return plan->sampled == 2 ? shuffle(plan, arena, err) : WITHY_OK;
}

void wy_sweep_plan_at(const wy_sweep_plan *plan, int64_t member, double *x) {
    for (int i = plan->axes; i-- > 0;) {
        const wy_axis *axis = &plan->axis[i];
        if (!plan->sampled)
            x[i] = grid_value(axis, member % axis->count), member /= axis->count;
        else
            x[i] = between(axis, plan->sampled == 1 ? sobol(member, i) : latin(plan, member, i));
    }
}
