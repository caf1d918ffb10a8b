/* section_matrix.c - stiffness and damping of a section as full matrices: symmetric, and positive. */
#include <stdio.h>

#include "model/model.h"
#include "numeric/eigen/eigen.h"

enum { N = WITHY_STRAINS };

static withy_status read_rows(const withy_field *row, const char *name, double s, double c[N][N],
                              withy_error *err) {
    for (int i = 0; i < N; i++) {
        if (row[i].size != N)
            return wy_bad_input(err, "%s[%d]" WY_KEY ": has %d numbers; each row must have %d",
                                name, i + 1, row[i].size, N);
        WY_TRY(withy_field_at(&row[i], s, 0, c[i], err));
    }
    return WITHY_OK;
}

/* Both halves are given, so that a slip in one of them shows. */
static withy_status make_symmetric(const char *name, double s, double c[N][N], withy_error *err) {
    for (int i = 0; i < N; i++)
        for (int k = 0; k < i; k++) {
            const double size = sqrt(fabs(c[i][i] * c[k][k]));
            if (!(fabs(c[i][k] - c[k][i]) <= 1e-9 * wy_max(size, fabs(c[i][k]))))
                return wy_bad_input(err,
                                    "%s" WY_KEY ": is not symmetric at s = %g: number %d of row %d "
                                    "is %.10g, and number %d of row %d is %.10g",
                                    name, s, k + 1, i + 1, c[i][k], i + 1, k + 1, c[k][i]);
            c[i][k] = c[k][i] = 0.5 * (c[i][k] + c[k][i]);
        }
    return WITHY_OK;
}

/* Forces and moments have different units: the eigenvalues are those of c_ik/sqrt(c_ii c_kk). */
static withy_status check_positive(const char *name, double s, double c[N][N], double least,
                                   withy_error *err) {
    double a[N * N], value[N], vector[N * N];
    for (int i = 0; i < N; i++)
        if (!(c[i][i] > 0 || (least < 0 && c[i][i] == 0)))
            return wy_bad_input(
                err, "%s" WY_KEY ": number %d of row %d is %g at s = %g; it must be %s 0", name,
                i + 1, i + 1, c[i][i], s, least < 0 ? ">=" : ">");
    for (int i = 0; i < N * N; i++) {
        const double size = sqrt(c[i / N][i / N] * c[i % N][i % N]);
        a[i] = size > 0 ? c[i / N][i % N] / size : c[i / N][i % N];
    }
    wy_symmetric_eigen(N, a, value, vector);
    if (value[0] > least) return WITHY_OK;
    return wy_bad_input(err,
                        "%s" WY_KEY ": has a negative eigenvalue at s = %g, so that strains would "
                        "release energy: with rows and columns divided by the roots of the "
                        "diagonal the smallest is %g",
                        name, s, value[0]);
}

withy_status wy_stiffness_matrix_at(const withy_rod *rod, double s, double c[N][N],
                                    withy_error *err) {
    static const char name[] = "rod.stiffness.matrix";
    for (int i = 0; i < N; i++)
        if (rod->stiffness[i].size)
            return wy_bad_input(err, "%s" WY_KEY ": excludes the single stiffnesses", name);
    WY_TRY(read_rows(rod->stiffness_matrix, name, s, c, err));
    WY_TRY(make_symmetric(name, s, c, err));
    return check_positive(name, s, c, 1e-12, err);
}

withy_status wy_damping_matrix_at(const withy_rod *rod, double s, double c[N][N],
                                  withy_error *err) {
    static const char name[] = "rod.damping.matrix";
    WY_TRY(read_rows(rod->damping_matrix, name, s, c, err));
    WY_TRY(make_symmetric(name, s, c, err));
    return check_positive(name, s, c, -1e-9, err);
}

withy_status wy_matrix_diagonal(const withy_rod *rod, double s, double k[N], withy_error *err) {
    double c[N][N];
    WY_TRY(wy_stiffness_matrix_at(rod, s, c, err));
    for (int i = 0; i < N; i++) k[i] = c[i][i];
    return WITHY_OK;
}
