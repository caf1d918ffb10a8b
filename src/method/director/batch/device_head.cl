/* device_head.cl - many rods on a device: what stands before director/batch/chain.inc.  One rod per work-item; number f of rod i is at f RODS + i, so
 * that neighbours read neighbours.  OpenCL 1.2 with double precision and no extension of a vendor.  Constants of the
 * build: ELEMENTS, RODS (members and shelves), MEMBERS, FIELDS, ACTIONS, HELD0, HELD1, LOADS, DRAG, FLOOR, NEWTON_MOST, HALVINGS,
 * MIXED (1: tangent and elimination in single precision), STEP (its length); STEPS: the kernel that makes steps, else the
 * small ones. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#ifdef STEPS
typedef double W;
typedef int M;
#if MIXED
typedef float N;
#else
typedef double N;
#endif

#define FN static inline
#define PART static
#define UNROLL
#define UNROLL2
#define UNROLL6
#define WS(k) ((double)(k))
#define NS(k) ((N)(k))
#define NARROW(a) ((N)(a))
#define WIDEN(a) ((double)(a))
#define SEL(m, a, b) ((m) ? (a) : (b))
#define NOT(m) (!(m))
#define KEEP(m, to, a) ((to) = (a)) /* where m is true: a work-item is one rod */
#define ANY(m) (m)
#define ROOT(a) sqrt(a)

typedef struct rod {
    global double *state, *work;
    global N *panel;
    global const double *plan, *row, *action, *shape;
    global const int *table;
    double begun, share; /* of the interval: where the step begins, and how much it is */
} rod;

#define HELD(which) ((which) ? HELD1 : HELD0)
#define STATE(x, f) ((x)->state[(size_t)(f)*RODS])
#define WORK(x, f) ((x)->work[(size_t)(f)*RODS])
#define PANEL(x, f) ((x)->panel[(size_t)(f)*RODS])
#define PLAN(x, f) ((x)->plan[f])
#define ROW(x, f) ((x)->row[f])
#define ACTION(x, k, f) ((x)->table[(k)*ACTION_SIZE + (f)])
#define SHAPE(x, k, e) ((x)->shape[(k)*ELEMENTS + (e)])

static inline double action_at(const rod *x, int k, double part) {
    const double now = x->action[(size_t)k * RODS];
    const double before = STATE(x, (ELEMENTS + 1) * NODE_SIZE + ELEMENTS * ELEMENT_SIZE + ROD_ACTION + k);
    if (!ACTION(x, k, ACTION_RAMP)) return now;
    return before + (x->begun + x->share * part) * (now - before);
}
