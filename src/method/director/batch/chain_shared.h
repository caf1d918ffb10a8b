/* chain_shared.h - where the numbers of a rod are in the arrays of a batch: read by the host (director/batch/batch.c), by the
 * processor (vector.c) and, put before their text, by the kernels of a device (chain.inc).  Enumerations only. */

/* Of a node: the state. */
enum {
    NODE_R,                 /* [3] from the local origin of the scene          [m]     */
    NODE_D = NODE_R + 3,    /* [9] d1, d2, d3                                          */
    NODE_V = NODE_D + 9,    /* [3] laboratory                                  [m/s]   */
    NODE_W = NODE_V + 3,    /* [3] about d1, d2, d3                            [rad/s] */
    NODE_RATE = NODE_W + 3, /* [3][6] dr/h, theta/h of past steps, newest first        */
    NODE_SIZE = NODE_RATE + 18
};

/* Of an element: the state. */
enum {
    ELEMENT_S,                    /* [6] raw strains at the start of the step                 */
    ELEMENT_RATE = ELEMENT_S + 6, /* [6] their rate in the last step                   [1/s] */
    ELEMENT_SIZE = ELEMENT_RATE + 6
};

/* Of a rod: the state. */
enum {
    ROD_HISTORY,                   /* past rates known, 1 .. 3                                  */
    ROD_GUESS,                     /* how many of them make the next guess; 0: q-               */
    ROD_SQUARE,                    /* measured constant of Newton's squaring, 0: not yet        */
    ROD_SOLVES,                    /* Newton's method has been run so often                     */
    ROD_WORK,                      /* put in since the start                               [J]  */
    ROD_LOST,                      /* dissipated since the start                           [J]  */
    ROD_FALLEN,                    /* energy of gravity since the start                    [J]  */
    ROD_REACTION,                  /* [2][6] force and moment on a held end, mean of the step   */
    ROD_STEPS = ROD_REACTION + 12, /* made since it was put in or reset                      */
    ROD_ITERATIONS,
    ROD_HALVINGS,
    ROD_BALANCE, /* of the ledger at its start                                    [J]  */
    ROD_FAILED,  /* FAILED_: why it stands still; 0: it does not                              */
    ROD_ANGLE,   /* cosine of the largest turn from node to node, where that is the failure   */
    ROD_ACTION,  /* [actions] their values at the end of the last step                        */
    ROD_SIZE = ROD_ACTION
};
enum { FAILED_NEWTON = 1, FAILED_FOLD = 2 };

/* Of an iterate: a node, an element, and what is left of an eliminated node (narrow numbers). */
enum { NEXT_DR, NEXT_THETA = 3, NEXT_D = 6, NEXT_SIZE = 15 };
enum { POINT_BASE, POINT_SIGMA = 6, POINT_SIZE = 12 };
enum { PANEL_U, PANEL_Y = 36, PANEL_SIZE = 42 };

/* Of the plan: an element, a node, and what is the same along the rod. */
enum {
    PLAN_L,                  /* length                                                  [m] */
    PLAN_C,                  /* [6] stiffness of (Gamma, K)                                 */
    PLAN_CV = PLAN_C + 6,    /* [6] viscosity                                               */
    PLAN_REST = PLAN_CV + 6, /* [6] raw strains without stress                             */
    PLAN_ELEMENT = PLAN_REST + 6
};
enum { PLAN_MASS, PLAN_J, PLAN_SHARE = PLAN_J + 3, PLAN_NODE };
enum {
    ALL_GRAVITY,                 /* [3]                                                  */
    ALL_DRAG = ALL_GRAVITY + 3,  /* [3] linear, quadratic, of spins                      */
    ALL_FLOOR = ALL_DRAG + 3,    /* stiffness, damping [N/m^2, N s/m^2]                  */
    ALL_NORMAL = ALL_FLOOR + 2,  /* [3] of the floor                                     */
    ALL_HEIGHT = ALL_NORMAL + 3, /* of the local origin over it                      [m] */
    ALL_LENGTH,                  /* L                                                    */
    ALL_AXIAL,                   /* 1: Gamma3 is corrected for turned directors          */
    ALL_XI,                      /* algorithmic damping                                  */
    PLAN_ALL
};

/* What is given for a step: of each end the pose at its end and the force in its middle; then loads of the nodes [6]. */
enum { ROW_R, ROW_D = 3, ROW_FORCE = 12, ROW_END = 18, ROW_SIZE = 2 * ROW_END };

/* An action: what it acts on, its component, and whether it goes from its last value to the new one in a straight line. */
enum { ACTION_KIND, ACTION_PART, ACTION_RAMP, ACTION_SIZE };
enum {
    ACTS_ON_REST, /* part 0 .. 5 of (Gamma, K) without stress, by a shape along the elements */
    ACTS_ON_POSE, /* 0 .. 2 place, 3 .. 5 turn 2 tan(phi/2) axis, of the start; 6 .. of the finish */
    ACTS_ON_LOAD  /* 0 .. 2 force, 3 .. 5 moment, on the start; 6 .. on the finish           */
};
