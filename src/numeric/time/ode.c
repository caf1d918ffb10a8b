/* ode.c - SUNDIALS: ARKODE's explicit Runge-Kutta pair of order 5.  Everything is allocated by SUNDIALS in make and released in free. */
#include "numeric/time/ode.h"

#ifdef WITHY_HAVE_LIB_SUNDIALS
#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

struct wy_ode {
    wy_ode_problem problem;
    SUNContext sun;
    N_Vector y, tolerance;
    void *memory;
    withy_error *err; /* of the call in progress */
    withy_status status;
};

const char *wy_ode_missing(void) {
    return NULL;
}

static int rate(realtype t, N_Vector y, N_Vector dy, void *context) {
    wy_ode *o = context;
    o->status = o->problem.rate(o->problem.context, t, N_VGetArrayPointer(y),
                                N_VGetArrayPointer(dy), o->err);
    return o->status == WITHY_OK ? 0 : -1;
}

static void be_silent(int code, const char *module, const char *function, char *message,
                      void *context) {
    (void)code, (void)module, (void)function, (void)message, (void)context;
}

static int make(wy_ode *o) {
    o->memory = ERKStepCreate(rate, 0.0, o->y, o->sun);
    if (!o->memory) return -1;
    int bad = ERKStepSetErrHandlerFn(o->memory, be_silent, NULL);
    bad |= ERKStepSetUserData(o->memory, o);
    bad |= ERKStepSetOrder(o->memory, 5);
    bad |= ERKStepSVtolerances(o->memory, o->problem.relative, o->tolerance);
    bad |= ERKStepSetMaxNumSteps(o->memory, -1);
    return bad;
}

withy_status wy_ode_make(const wy_ode_problem *problem, wy_ode **ode, withy_error *err) {
    wy_ode *o = wy_alloc(1, sizeof *o);
    *ode = o;
    if (!o) return wy_no_memory(err, "no memory for SUNDIALS");
    o->problem = *problem;
    if (SUNContext_Create(NULL, &o->sun) != 0)
        return wy_no_memory(err, "SUNDIALS could not be started");
    o->y = N_VNew_Serial(problem->size, o->sun);
    o->tolerance = N_VNew_Serial(problem->size, o->sun);
    if (!o->y || !o->tolerance) return wy_no_memory(err, "no memory for SUNDIALS");
    for (int i = 0; i < problem->size; i++) NV_Ith_S(o->tolerance, i) = problem->absolute[i];
    if (make(o) != 0)
        return wy_no_memory(err, "SUNDIALS could not be set up for %d unknowns", problem->size);
    return WITHY_OK;
}

/* Has the caller a reason to stop after a step? */
static int goes_on(wy_ode *o, double t) {
    if (o->problem.stepped)
        o->status = o->problem.stepped(o->problem.context, t, N_VGetArrayPointer(o->y), o->err);
    return o->status == WITHY_OK;
}

/* h becomes the step from the error control, not the shorter one that ends at t. */
static int advance(wy_ode *o, double from, double t, double *h, double *reached, long *steps) {
    int code = 0;
    ERKStepReInit(o->memory, rate, from, o->y);
    ERKStepSetInitStep(o->memory, *h < t - from ? *h : 0.0);
    ERKStepSetStopTime(o->memory, t);
    while (code == ARK_SUCCESS && goes_on(o, *reached))
        code = ERKStepEvolve(o->memory, t, o->y, reached, ARK_ONE_STEP);
    ERKStepGetNumSteps(o->memory, steps);
    ERKStepGetCurrentStep(o->memory, h);
    return code;
}

withy_status wy_ode_advance(wy_ode *o, double from, double t, double *y, double *h, long *steps,
                            withy_error *err) {
    double reached = from;
    o->err = err, o->status = WITHY_OK;
    for (int i = 0; i < o->problem.size; i++) NV_Ith_S(o->y, i) = y[i];
    const int code = advance(o, from, t, h, &reached, steps);
    if (o->status != WITHY_OK) return o->status;
    if (code < 0)
        return wy_no_convergence(err,
                                 "the adaptive integration failed at t = %g (SUNDIALS code %d); "
                                 "loosen options.tol or choose another integrator",
                                 reached, code);
    const double *found = N_VGetArrayPointer(o->y);
    for (int i = 0; i < o->problem.size; i++) y[i] = found[i];
    return WITHY_OK;
}

void wy_ode_free(wy_ode *o) {
    if (!o) return;
    if (o->memory) ERKStepFree(&o->memory);
    if (o->y) N_VDestroy(o->y);
    if (o->tolerance) N_VDestroy(o->tolerance);
    if (o->sun) SUNContext_Free(&o->sun);
    wy_free(o);
}

#else

const char *wy_ode_missing(void) {
    return "SUNDIALS";
}

withy_status wy_ode_make(const wy_ode_problem *problem, wy_ode **ode, withy_error *err) {
    (void)problem;
    *ode = NULL;
    return wy_fail(err, WITHY_MISSING,
                   "adaptive integration needs SUNDIALS, which this build lacks");
}

withy_status wy_ode_advance(wy_ode *o, double from, double t, double *y, double *h, long *steps,
                            withy_error *err) {
    (void)o, (void)from, (void)t, (void)y, (void)h, (void)steps;
    return wy_fail(err, WITHY_MISSING,
                   "adaptive integration needs SUNDIALS, which this build lacks");
}

void wy_ode_free(wy_ode *o) {
    (void)o;
}

#endif
