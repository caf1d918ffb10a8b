/* usda.c - the same nodes as a USD text file (.usda): a rod is a curve whose points move, everything else a mesh that does. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cli.h"
#include "gltf/gltf.h"

static const double PER_SECOND = 24; /* time codes: pictures a second, as Blender counts them */

static const void *rows_of(const glb *g, int rows) {
    return g->byte + g->rows[rows].at;
}

static double code_of(const glb *g, int64_t k) {
    return PER_SECOND * (double)((const float *)rows_of(g, g->times))[k];
}

/* A name of USD: letters, digits and _, no digit first; the index makes it the only one. */
static void put_name(FILE *f, const char *kind, const glb_node *node, int index) {
    fprintf(f, "    def %s \"%s", kind, isdigit((unsigned char)*node->name) ? "_" : "");
    for (const char *c = node->name; *c; c++)
        fputc(isalnum((unsigned char)*c) && (unsigned char)*c < 128 ? *c : '_', f);
    fprintf(f, "_%d\"\n    {\n", index);
}

static void put_point(FILE *f, const float *x) {
    fprintf(f, "(%.9g, %.9g, %.9g)", (double)x[0], (double)x[1], (double)x[2]);
}

static void put_points(FILE *f, const char *what, const float *x, int count) {
    fprintf(f, "        %s = [", what);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", f);
        put_point(f, x + 3 * i);
    }
    fputs("]\n", f);
}

static void put_colour(FILE *f, int kind) {
    double c[4];
    shade_colour((shade_kind)kind, c);
    fprintf(f, "        color3f[] primvars:displayColor = [(%.6g, %.6g, %.6g)]\n", c[0], c[1],
            c[2]);
    if (c[3] < 1) fprintf(f, "        float[] primvars:displayOpacity = [%.6g]\n", c[3]);
}

/* ---- rods: curves through the joints of their tubes ------------------------------------------------- */

static const float *station(const glb *g, const glb_skin *skin, int i, int64_t k) {
    return (const float *)rows_of(g, g->node[skin->first + i].moves) + 3 * k;
}

/* The first corner of the tube is on its surface next to the first station. */
static double width_of(const glb *g, const glb_node *tube, const glb_skin *skin) {
    const float *corner = rows_of(g, g->mesh[tube->mesh].at), *middle = station(g, skin, 0, 0);
    double square = 0;
    for (int c = 0; c < 3; c++)
        square += (double)(corner[c] - middle[c]) * (double)(corner[c] - middle[c]);
    return 2 * sqrt(square);
}

static void put_curve(const glb *g, int index, FILE *f) {
    const glb_node *tube = &g->node[index];
    const glb_skin *skin = &g->skin[tube->skin];
    put_name(f, "BasisCurves", tube, index);
    fprintf(f, "        uniform token type = \"linear\"\n        int[] curveVertexCounts = [%d]\n",
            skin->count);
    fprintf(f, "        float[] widths = [%.9g] ( interpolation = \"constant\" )\n",
            width_of(g, tube, skin));
    put_colour(f, g->mesh[tube->mesh].kind);
    fputs("        point3f[] points.timeSamples = {\n", f);
    for (int64_t k = 0; k < g->snapshots; k++) {
        fprintf(f, "            %.9g: [", code_of(g, k));
        for (int i = 0; i < skin->count; i++) {
            fputs(i ? ", " : "", f);
            put_point(f, station(g, skin, i, k));
        }
        fputs("],\n", f);
    }
    fputs("        }\n    }\n", f);
}

/* ---- bodies, joints, obstacles ------------------------------------------------------------------------ */

static void put_faces(const glb *g, const glb_mesh *mesh, FILE *f) {
    const unsigned *corner = rows_of(g, mesh->index);
    const int count = g->rows[mesh->index].count;
    fputs("        int[] faceVertexCounts = [", f);
    for (int i = 0; i < count / 3; i++) fputs(i ? ", 3" : "3", f);
    fputs("]\n        int[] faceVertexIndices = [", f);
    for (int i = 0; i < count; i++) fprintf(f, "%s%u", i ? ", " : "", corner[i]);
    fputs("]\n        uniform token subdivisionScheme = \"none\"\n", f);
}

static void put_moves(const glb *g, const glb_node *node, FILE *f) {
    fputs("        double3 xformOp:translate.timeSamples = {\n", f);
    for (int64_t k = 0; k < g->snapshots; k++) {
        fprintf(f, "            %.9g: ", code_of(g, k));
        put_point(f, (const float *)rows_of(g, node->moves) + 3 * k);
        fputs(",\n", f);
    }
    fputs("        }\n", f);
    if (node->turns < 0) return;
    fputs("        quatf xformOp:orient.timeSamples = {\n", f);
    for (int64_t k = 0; k < g->snapshots; k++) {
        const float *q = (const float *)rows_of(g, node->turns) + 4 * k;
        fprintf(f, "            %.9g: (%.9g, %.9g, %.9g, %.9g),\n", code_of(g, k), (double)q[3],
                (double)q[0], (double)q[1], (double)q[2]);
    }
    fputs("        }\n", f);
}

static void put_mesh(const glb *g, int index, FILE *f) {
    const glb_node *node = &g->node[index];
    const glb_mesh *mesh = &g->mesh[node->mesh];
    put_name(f, "Mesh", node, index);
    put_faces(g, mesh, f);
    put_points(f, "point3f[] points", rows_of(g, mesh->at), g->rows[mesh->at].count);
    put_points(f, "normal3f[] normals", rows_of(g, mesh->normal), g->rows[mesh->normal].count);
    put_colour(f, mesh->kind);
    put_moves(g, node, f);
    fprintf(f, "        uniform token[] xformOpOrder = [\"xformOp:translate\"%s]\n    }\n",
            node->turns < 0 ? "" : ", \"xformOp:orient\"");
}

int usda_write(const glb *g, FILE *file) {
    fprintf(file,
            "#usda 1.0\n(\n    defaultPrim = \"withy\"\n    doc = \"withy %s\"\n"
            "    endTimeCode = %.9g\n    metersPerUnit = 1\n    startTimeCode = 0\n"
            "    timeCodesPerSecond = %g\n    upAxis = \"Z\"\n)\n\ndef Xform \"withy\"\n{\n",
            WITHY_VERSION, code_of(g, g->snapshots - 1), PER_SECOND);
    for (int i = 0; i < g->node_count; i++) {
        if (g->node[i].skin >= 0)
            put_curve(g, i, file);
        else if (g->node[i].mesh >= 0)
            put_mesh(g, i, file);
    }
    fputs("}\n", file);
    return fflush(file) != 0 || ferror(file) ? errno ? errno : EIO : 0;
}
