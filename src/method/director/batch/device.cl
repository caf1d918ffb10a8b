/* device.cl - the kernels of director/batch/device.c, after director/batch/chain.inc. */

/* `steps` steps of all members that do not stand still. */
kernel void make_steps(int steps, int varies, int given, global double *state, global double *work,
                       global N *panel, global const double *plan, global const double *row,
                       global const double *action, global const double *shape,
                       global const int *table) {
    const size_t i = get_global_id(0);
    if (i >= MEMBERS) return;
    rod own;
    own.state = state + i, own.work = work + i, own.panel = panel + i;
    own.plan = plan, own.row = row, own.action = action + i, own.shape = shape, own.table = table;
    own.share = 1.0 / steps;
    const rod *x = &own;
    for (int k = 0; k < steps && STATE(x, OWN(ROD_FAILED)) == 0.0; k++) {
        own.row = row + (varies ? (size_t)k * given : 0), own.begun = (double)k / steps;
        step(x, STEP, 1);
        if (STATE(x, OWN(ROD_FAILED)) == 0.0) STATE(x, OWN(ROD_STEPS)) += 1.0;
    }
    for (int k = 0; k < ACTIONS; k++) STATE(x, OWN(ROD_ACTION + k)) = own.action[(size_t)k * RODS];
}

#else

/* Columns list[i] become what list[count + i] are. */
kernel void copy_columns(int count, global double *state, global const int *list) {
    const size_t at = get_global_id(0);
    if (at >= (size_t)count * FIELDS) return;
    const size_t f = at / count, i = at % count;
    state[f * RODS + list[i]] = state[f * RODS + list[count + i]];
}

/* One column in (1) or out (0). */
kernel void one_column(int column, int in, global double *state, global double *line) {
    const size_t f = get_global_id(0);
    if (f >= FIELDS) return;
    if (in)
        state[f * RODS + column] = line[f];
    else
        line[f] = state[f * RODS + column];
}

/* out[member][count], less zero[count]. */
kernel void gather(int count, global const double *state, global const int *field,
                   global const double *zero, global double *out) {
    const size_t i = get_global_id(0);
    if (i >= MEMBERS) return;
    for (int k = 0; k < count; k++) out[i * count + k] = state[(size_t)field[k] * RODS + i] - zero[k];
}
#endif
