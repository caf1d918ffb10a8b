/* Surfaces of triangles: files that are whole and files that are broken, large ones, and what results keep of them.
 *
 *     test_meshes big     also a ball of a million triangles: read, checked, run and written
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "contact/contact.h"
#include "model/contact.h"
#include "sink/hdf5/layout.h"
#include "withy/withy.h"

#define ROD                                                                                        \
    "rod = { length = 1, section = circle { diameter = 0.01 }, material = { young = 1e7, poisson " \
    "= 0.3, density = 1000 } }, initial = { shape = straight { from = { 0, 0, 0.1 }, along = { "   \
    "1, 0, 0 } } }, time = { stop = 0.1 }, "

/* ---- files -------------------------------------------------------------------------------------------- */

static void write_triangle(FILE *file, vec3 a, vec3 b, vec3 c) {
    const vec3 p[4] = {v3(0, 0, 0), a, b, c};
    for (int i = 0; i < 12; i++) {
        const float f = (float)v3_get(p[i / 3], i % 3);
        fwrite(&f, sizeof f, 1, file);
    }
    fwrite("\0", 1, 1, file), fwrite("\0", 1, 1, file);
}

/* The point (i, j) of a side of an octahedron, each edge in n parts, on the unit sphere. */
static vec3 on_side(const vec3 c[3], int i, int j, int n) {
    return v3_unit(v3_axpy(v3_axpy(v3_scale(n - i - j, c[0]), i, c[1]), j, c[2]));
}

static void write_side(FILE *file, const vec3 c[3], int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; i + j < n; j++) {
            const vec3 u = on_side(c, i + 1, j, n), v = on_side(c, i, j + 1, n);
            write_triangle(file, on_side(c, i, j, n), u, v);
            if (i + j + 1 < n) write_triangle(file, u, on_side(c, i + 1, j + 1, n), v);
        }
}

/* A unit sphere of 8 n^2 triangles. */
static void ball_stl(const char *path, int n) {
    FILE *file = fopen(path, "wb");
    const char head[80] = "solid in name only";
    const uint32_t count = 8 * (uint32_t)n * (uint32_t)n;
    fwrite(head, 1, sizeof head, file);
    fwrite(&count, sizeof count, 1, file);
    for (int k = 0; k < 8; k++) {
        const vec3 x = v3(k & 1 ? -1 : 1, 0, 0), y = v3(0, k & 2 ? -1 : 1, 0),
                   z = v3(0, 0, k & 4 ? -1 : 1);
        const int odd = (k & 1) ^ (k >> 1 & 1) ^ (k >> 2 & 1);
        write_side(file, (const vec3[3]){x, odd ? z : y, odd ? y : z}, n);
    }
    fclose(file);
}

static withy_status read_beside(const char *file, withy_scene **scene, withy_error *err) {
    FILE *to = fopen("mesh_test.lua", "w");
    fprintf(to,
            "return { " ROD
            "obstacles = { mesh { file = \"%s\", scale = 0.05, point = { 0.5, 0, 0.04 } } } }",
            file);
    fclose(to);
    return withy_scene_read("mesh_test.lua", NULL, 0, scene, err);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    fputs(text, file);
    fclose(file);
}

TEST(a_ball_from_a_file_is_a_sphere_to_its_facets) {
    withy_scene *scene = NULL;
    withy_error err = {0};
    ball_stl("mesh_test.stl", 64);
    CHECK_OK(read_beside("mesh_test.stl", &scene, &err));
    if (scene) {
        const withy_problem *p = withy_scene_problem(scene);
        CHECK(p->obstacle[0].triangle_count == 8 << 12);
        CHECK(p->obstacle[0].vertex_count == (4 << 12) + 2);
        vec3 unused;
        const double d =
            wy_obstacle_distance(&wy_model_obstacle(p->model)[0].shape, v3(0.5, 0, 0.03), &unused);
        CHECK_NEAR(d, 0.04, 2e-5);
    }
    withy_scene_destroy(scene);
    remove("mesh_test.stl");
}

TEST(a_tetrahedron_of_text_and_of_obj_are_one) {
    static const char *const file[] = {"mesh_test.stl", "mesh_test.obj"};
    write_file(
        file[0],
        "solid t\nfacet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 1 0 vertex 1 0 0 endloop "
        "endfacet\nfacet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 1 endloop "
        "endfacet\nfacet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 0 1 vertex 0 1 0 endloop "
        "endfacet\nfacet normal 0 0 0 outer loop vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 endloop "
        "endfacet\nendsolid t\n");
    write_file(file[1], "# a tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1/1 3/1 2/1\nf 1 2 "
                        "4\nf -4 -1 -2\nf 2//1 3//1 4//1\n");
    double d[2] = {0, 1};
    for (int k = 0; k < 2; k++) {
        withy_scene *scene = NULL;
        withy_error err = {0};
        vec3 unused;
        CHECK_OK(read_beside(file[k], &scene, &err));
        if (scene)
            d[k] =
                wy_obstacle_distance(&wy_model_obstacle(withy_scene_problem(scene)->model)[0].shape,
                                     v3(0.7, 0.3, 0), &unused);
        withy_scene_destroy(scene);
        remove(file[k]);
    }
    CHECK(d[0] == d[1]);
}

TEST(broken_files_are_refused_in_one_sentence) {
    static const struct {
        const char *file, *text, *words;
    } row[] = {
        {"mesh_test.stl", "", "no STL file"},
        {"mesh_test.stl", "solid t facet vertex 0 0 zero", "not three numbers"},
        {"mesh_test.stl", "solid t facet vertex 0 0 0", "cut off"},
        {"mesh_test.stl", "solid t facet vertex 0 0 0 endfacet", "has 1 vertices"},
        {"mesh_test.stl", "solid t facet vertex 0 0 nan", "not three finite numbers"},
        {"mesh_test.stl", "solid t endsolid", "has no triangles"},
        {"mesh_test.stl",
         "                                                                                        ",
         "the file is cut off or no STL"},
        {"mesh_test.stl", "solid t facet vertex 0 0 0 vertex 0 1 0 vertex 1 0 0 endfacet endsolid",
         "at least 4"},
        {"mesh_test.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "a face of 2 corners"},
        {"mesh_test.obj", "v 0 0 0\nv 1 0 0\nf 1 2 7\n", "not one of the 2 vertices"},
        {"mesh_test.obj", "v 0 0\n", "not three numbers"},
        {"mesh_test.obj",
         "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n", "has no area"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_scene *scene = NULL;
        withy_error err = {0};
        write_file(row[i].file, row[i].text);
        CHECK(read_beside(row[i].file, &scene, &err) != WITHY_OK);
        CHECK(strstr(err.text, row[i].words) != NULL && strstr(err.text, "mesh_test.lua"));
        if (!strstr(err.text, row[i].words)) printf("  row %zu got: %s\n", i, err.text);
        withy_scene_destroy(scene);
        remove(row[i].file);
    }
    withy_scene *scene = NULL;
    withy_error err = {0};
    CHECK(read_beside("mesh_test_none.stl", &scene, &err) != WITHY_OK);
    CHECK(strstr(err.text, "cannot be opened") != NULL);
    write_file("mesh_test.obj", "v 0 0 0\n");
    remove("mesh_link.obj");
    CHECK(symlink("mesh_test.obj", "mesh_link.obj") == 0);
    CHECK(read_beside("mesh_link.obj", &scene, &err) != WITHY_OK);
    CHECK(strstr(err.text, "it is a symbolic link") != NULL);
    remove("mesh_link.obj"), remove("mesh_test.obj"), remove("mesh_test.lua");
}

/* A binary file of a ball with some bytes changed, or cut. */
typedef struct damage {
    long at;          /* < 0: none */
    const char *byte; /* [4] */
    long more;        /* bytes added, or taken away, at the end */
    const char *words;
} damage;

static void damage_ball(const damage *d) {
    ball_stl("mesh_test.stl", 2);
    FILE *file = fopen("mesh_test.stl", "r+b");
    if (d->at >= 0) fseek(file, d->at, SEEK_SET), fwrite(d->byte, 1, 4, file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    fclose(file);
    CHECK(truncate("mesh_test.stl", size + d->more) == 0);
}

TEST(a_binary_file_that_is_cut_or_counts_wrong_or_has_no_numbers_is_refused_in_one_sentence) {
    static const damage row[] = {
        {-1, NULL, -10, "says that it has 32 triangles, which take 1684"},
        {-1, NULL, -1600, "cut off or no STL"},
        {-1, NULL, -1610, "shorter than a binary one"},
        {-1, NULL, 120, "is 1804 bytes long"},
        {80, "\x21\0\0\0", 0, "says that it has 33 triangles"},
        {80, "\0\0\0\0", 0, "says that it has 0 triangles"},
        {80, "\xff\xff\xff\xff", 0, "says that it has 4294967295 triangles"},
        {96, "\0\0\xc0\x7f", 0, "not three finite numbers"},
        {96, "\0\0\x80\x7f", 0, "not three finite numbers"},
        {96, "\0\0\0\x3f", 0, "the surface is open"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_scene *scene = NULL;
        withy_error err = {0};
        damage_ball(&row[i]);
        CHECK(read_beside("mesh_test.stl", &scene, &err) == WITHY_BAD_INPUT);
        if (!strstr(err.text, row[i].words)) fail_msg("row %zu got: %s", i, err.text);
        CHECK(!strchr(err.text, '\n'));
        withy_scene_destroy(scene);
    }
    remove("mesh_test.stl");
}

/* Text of a tetrahedron of the size `size` with a name of `name` letters. */
static void write_named(const char *size, int name) {
    static const char *const side[4][3] = {{"0 0 0", "0 %s 0", "%s 0 0"},
                                           {"0 0 0", "%s 0 0", "0 0 %s"},
                                           {"0 0 0", "0 0 %s", "0 %s 0"},
                                           {"%s 0 0", "0 %s 0", "0 0 %s"}};
    FILE *file = fopen("mesh_test.stl", "wb");
    fputs("solid ", file);
    for (int i = 0; i < name; i++) fputc('x', file);
    for (int i = 0; i < 12; i++) {
        const char *way = side[i / 3][i % 3], *at = strstr(way, "%s");
        fprintf(file, i % 3 ? " vertex " : "\nfacet normal 0 0 0 outer loop vertex ");
        fprintf(file, "%.*s%s%s", at ? (int)(at - way) : (int)strlen(way), way, at ? size : "",
                at ? at + 2 : "");
        if (i % 3 == 2) fputs(" endloop endfacet", file);
    }
    fclose(file);
}

TEST(a_name_of_a_million_letters_is_read_over_and_sizes_that_are_no_lengths_are_refused) {
    static const struct {
        const char *size, *words;
        int name;
    } row[] = {{"1", NULL, 1000000},
               {"1e300", "are the units right?", 10},
               {"1e400", "not three finite numbers", 10},
               {"-1", "inside out", 10},
               {"1e-200", "has no area", 10}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_scene *scene = NULL;
        withy_error err = {0};
        write_named(row[i].size, row[i].name);
        const withy_status status = read_beside("mesh_test.stl", &scene, &err);
        if (status != WITHY_OK && (!row[i].words || !strstr(err.text, row[i].words)))
            fail_msg("row %zu got: %s", i, err.text);
        CHECK((status == WITHY_OK) == !row[i].words);
        withy_scene_destroy(scene);
    }
    remove("mesh_test.stl");
}

TEST(corners_of_obj_that_are_no_vertices_are_refused_in_one_sentence) {
    static const char *const corner[] = {
        "0", "5", "-5", "99999999999999999999", "-99999999999999999999", "x", "1x", "1.5", "/2"};
    for (size_t i = 0; i < sizeof corner / sizeof *corner; i++) {
        withy_scene *scene = NULL;
        withy_error err = {0};
        char text[200];
        snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 %s\n", corner[i]);
        write_file("mesh_test.obj", text);
        CHECK(read_beside("mesh_test.obj", &scene, &err) == WITHY_BAD_INPUT);
        if (!strstr(err.text, "mesh_test.obj:5: the corner") ||
            !strstr(err.text, "not one of the 4 vertices"))
            fail_msg("%s got: %s", corner[i], err.text);
        withy_scene_destroy(scene);
    }
    remove("mesh_test.obj");
}

/* ---- runs --------------------------------------------------------------------------------------------- */

#define BALL                                                                                       \
    "return { rod = { length = 0.3, section = circle { diameter = 4e-3 }, material = { density = " \
    "1000, young = 1e7, poisson = 0.5 } }, initial = { shape = straight { from = { -0.15, 0.001, " \
    "%s }, along = { 1, 0, 0 } } }, gravity = { 0, 0, -9.81 }, contact = { stiffness = 1e5, "      \
    "friction = 0.3 }, obstacles = { mesh { file = \"mesh_test.stl\", scale = 0.1 }, sphere { "    \
    "center = { 0, 0, 9 }, radius = 1 }, mesh { file = \"mesh_test.stl\", scale = 0.1, point = { " \
    "0, 0, -1 } } }, time = { stop = %s, output = 0.01 }, method = \"director\", options = { n = " \
    "10, dt = 1e-3 } }"

static double seconds(clock_t since) {
    return (double)(clock() - since) / CLOCKS_PER_SEC;
}

static withy_status run_ball(const char *height, const char *stop, double took[2],
                             withy_error *err) {
    char text[2048];
    const char *file = "mesh_test.h5";
    const withy_run_setup setup = {.output = &file, .output_count = 1};
    static withy_report report;
    withy_scene *scene = NULL;
    snprintf(text, sizeof text, BALL, height, stop);
    write_file("mesh_test.lua", text);
    clock_t begun = clock();
    withy_status status = withy_scene_read("mesh_test.lua", NULL, 0, &scene, err);
    took[0] = seconds(begun), begun = clock();
    if (status == WITHY_OK) status = withy_run(scene, &setup, &report, err);
    took[1] = seconds(begun);
    withy_scene_destroy(scene);
    remove("mesh_test.lua");
    return status;
}

/* Triangles in the result, each of which lies within `off` of the unit sphere times 0.1; their number. */
static int drawn(double off) {
    withy_result *r = NULL;
    withy_error err = {0};
    withy_obstacle a = {0}, b = {0}, c = {0};
    CHECK_OK(withy_result_open("mesh_test.h5", &r, &err));
    CHECK(withy_result_obstacles(r) == 3 && withy_result_contacts(r) > 0);
    CHECK(withy_result_obstacle_at(r, 0, &a) && withy_result_obstacle_at(r, 1, &b) &&
          withy_result_obstacle_at(r, 2, &c));
    CHECK(a.triangle_count > 0 && b.triangle_count == 0 && c.triangle_count == a.triangle_count);
    for (int i = 0; i < a.triangle_count; i++) {
        vec3 middle = v3(0, 0, 0);
        for (int k = 0; k < 3; k++) middle = v3_axpy(middle, 1.0 / 3, a.vertex[a.triangle[i][k]]);
        CHECK_NEAR(v3_norm(middle), 0.1, off);
    }
    withy_result_close(r);
    remove("mesh_test.h5");
    return a.triangle_count;
}

TEST(a_result_keeps_the_triangles_of_its_obstacles_and_of_many_a_coarser_surface) {
    withy_error err = {0};
    double took[2];
    ball_stl("mesh_test.stl", 20);
    CHECK_OK(run_ball("0.102", "0.01", took, &err));
    CHECK(drawn(1e-3) == 3200);
    ball_stl("mesh_test.stl", 90);
    CHECK_OK(run_ball("0.102", "0.01", took, &err));
    const int few = drawn(1e-3);
    print_message("64800 triangles: %d in the result; read in %.2f s, run in %.2f s\n", few,
                  took[0], took[1]);
    CHECK(few <= WY_H5_TRIANGLES && few > WY_H5_TRIANGLES / 8);
    remove("mesh_test.stl");
}

TEST(a_surface_that_swallows_the_rod_at_the_start_is_refused_with_place_and_depth) {
    withy_error err = {0};
    double took[2];
    ball_stl("mesh_test.stl", 20);
    CHECK(run_ball("0.05", "0.01", took, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "obstacles[1]") && strstr(err.text, " s = ") && !strchr(err.text, '\n'));
    print_message("%s\n", err.text);
    remove("mesh_test.stl");
}

static int big;

TEST(a_million_triangles_are_read_checked_and_run) {
    withy_error err = {0};
    double took[2];
    if (!big) skip();
    ball_stl("mesh_test.stl", 354);
    CHECK_OK(run_ball("0.105", "0.2", took, &err));
    print_message(
        "1002528 triangles twice: %d in the result; read in %.2f s, 200 steps in %.2f s\n",
        drawn(1e-3), took[0], took[1]);
    remove("mesh_test.stl");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(a_ball_from_a_file_is_a_sphere_to_its_facets),
        test(a_tetrahedron_of_text_and_of_obj_are_one),
        test(broken_files_are_refused_in_one_sentence),
        test(
            a_binary_file_that_is_cut_or_counts_wrong_or_has_no_numbers_is_refused_in_one_sentence),
        test(a_name_of_a_million_letters_is_read_over_and_sizes_that_are_no_lengths_are_refused),
        test(corners_of_obj_that_are_no_vertices_are_refused_in_one_sentence),
        test(a_result_keeps_the_triangles_of_its_obstacles_and_of_many_a_coarser_surface),
        test(a_surface_that_swallows_the_rod_at_the_start_is_refused_with_place_and_depth),
        test(a_million_triangles_are_read_checked_and_run),
    };
    big = argc > 1 && strcmp(argv[1], "big") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
