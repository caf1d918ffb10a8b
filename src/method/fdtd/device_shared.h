/* device_shared.h - where the numbers of a rod are in the buffers of a device: read by the host
 * (fdtd/device.c) and, put before its text, by the kernel (fdtd/device.cl).  Enumerations only. */

/* Whole numbers of a rod. */
enum {
    PLAN_STEPS,                    /* to make in this launch                               */
    PLAN_END,                      /* [2] END_ bits of start and finish                    */
    PLAN_PROBES = PLAN_END + 2,    /* places that are recorded                             */
    PLAN_PERIOD,                   /* steps from one record to the next                    */
    PLAN_DUE,                      /* steps to the next record                             */
    PLAN_RECORD,                   /* where its records begin in their buffer              */
    PLAN_STREAM,                   /* where its signals begin in their buffer              */
    PLAN_WIDTH,                    /* numbers of its signals per step; 0: it has none      */
    PLAN_POSE,                     /* [2] where an end that moves is in a row, -1: rests   */
    PLAN_PULL = PLAN_POSE + 2,     /* [2] where force and moment of an end are, -1: constant */
    PLAN_CHANNELS = PLAN_PULL + 2, /* loads along the rod that vary, three numbers each    */
    PLAN_FIRST,                    /* where these begin in a row                           */
    PLAN_PATTERN,                  /* where their shares of the nodes begin in that buffer */
    PLAN_SIZE
};

/* Of an end: what is held, and what acts. */
enum {
    END_PLACE = 1,
    END_MOVES = 2,
    END_FRAME = 4,
    END_TURNS = 8,
    END_LOADED = 16,
    END_FOLLOWS = 32
};

/* Numbers of one end. */
enum {
    END_PE,
    END_PF,
    END_LOAD,                   /* [3] gravity and loads of its node                    [N]     */
    END_KM = END_LOAD + 3,      /* [3]                                                          */
    END_M0 = END_KM + 3,        /* [3]                                                          */
    END_CM = END_M0 + 3,        /* [3]                                                          */
    END_R = END_CM + 3,         /* [3] where it is held                                 [m]     */
    END_Q = END_R + 3,          /* [4] the frame in which it is held                            */
    END_FORCE = END_Q + 4,      /* [3] as given: laboratory, of a follower material     [N]     */
    END_MOMENT = END_FORCE + 3, /* [3] likewise                                        [N m]   */
    END_MASS = END_MOMENT + 3,
    END_LINE,
    END_SQUARE,
    END_SIZE
};

/* Numbers of a rod: the step, what a plain rod has in place of arrays, and its ends. */
enum {
    OWN_H,
    OWN_KN1,
    OWN_KN3,
    OWN_N03,
    OWN_PF,
    OWN_WF1,
    OWN_WF3,
    OWN_WG,
    OWN_KM,                /* [3] */
    OWN_FALL = OWN_KM + 3, /* [3] */
    OWN_END = OWN_FALL + 3,
    OWN_SIZE = OWN_END + 2 * END_SIZE
};

/* Arrays of a rod, of n + 1 numbers each: state, and what a rich rod needs. */
enum { STATE_R, STATE_P = 3, STATE_Q = 6, STATE_W = 10, STATE_PLAIN = 13 };
enum { STATE_EO = 13, STATE_ZO = 16, STATE_VISCOUS = 19 };
enum {
    COEF_KN,
    COEF_N0 = 3,
    COEF_KM = 6,
    COEF_M0 = 9,
    COEF_PE = 12,
    COEF_PF,
    COEF_WF,
    COEF_WG = 17,
    COEF_WE = 20,
    COEF_LOAD = 23,
    COEF_COUPLE = 26,
    COEF_CN = 29,
    COEF_CM = 32,
    COEF_MASS = 35,
    COEF_LINE,
    COEF_SQUARE,
    COEF_SIZE
};

/* Rows of the operators Q, Q^T, I, I^T at orders 4 and 6: first column, columns in use, weights. */
enum { ROW_Q, ROW_QT, ROW_I, ROW_IT, ROW_KINDS };
enum { ROW_FIRST, ROW_USED, ROW_WEIGHT, ROW_SIZE = ROW_WEIGHT + 12 };

/* A place that is recorded: the first of six nodes, and their weights. */
enum { PLACE_FIRST, PLACE_WEIGHT, PLACE_SIZE = PLACE_WEIGHT + 6 };
