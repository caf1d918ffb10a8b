/* The report of withy verify: what counts as passed, the kind of a row, and a valid page. */
#include "check.h"

#include "../../cli/report/report.c" /* the program is not a library: include the two files directly */

#include "../../cli/report/html.c"
#include "../../cli/report/style.c"

void cli_warn(const char *format, ...) {
    (void)format;
}
int whole_begin(wy_atomic_file *file, const char *path) {
    (void)file, (void)path;
    return 1;
}
void report_json(const report *r, FILE *file) {
    (void)r, (void)file;
}
void report_summary(const report *r, FILE *file) {
    (void)r, (void)file;
}
void report_draw(report *r, const char *folder) {
    (void)r, (void)folder;
}
int report_next_case(const char **list, char *name, size_t size) {
    (void)list, (void)name, (void)size;
    return 0;
}
int report_has_picture(const report *r, const char *name) {
    (void)r, (void)name;
    return 0;
}

static const verify_study a_study = {.name = "figure <1>", .title = "a & b"};

static report_row row_of(const char *printed, double expected, double ours, const char *note) {
    return (report_row){.quantity = "x < \"1\"",
                        .printed = (char *)printed,
                        .note = (char *)note,
                        .expected = expected,
                        .ours = ours,
                        .tolerance = 1e-6};
}

static report_row added(const char *printed, double expected, double ours, const char *note) {
    static report_row kept;
    report r = {0};
    const report_row given = row_of(printed, expected, ours, note);
    CHECK(report_begin(&r, "elastica", &a_study));
    kept = *report_add(&r, &given);
    report_free(&r);
    return kept;
}

TEST(a_row_passes_within_its_tolerance_and_nan_never_does) {
    CHECK(added("", 1, 1 + 0.9e-6, "").pass);
    CHECK(!added("", 1, 1 + 1.1e-6, "").pass);
    CHECK(!added("", 1, NAN, "").pass);
    CHECK(!added("", NAN, 1, "").pass);
}

static int corrected(const char *printed, const char *note) {
    const double m = 0.6244006497;
    return added(printed, m, m, note).kind == VERIFY_CORRECTED;
}

TEST(a_printed_number_that_is_only_rounded_is_no_erratum) {
    CHECK(!corrected("0.624401", ""));
    CHECK(!corrected("0.62", ""));
    CHECK(!corrected("6.2e-1", ""));
    CHECK(!corrected("about 4", ""));
    CHECK(!corrected("", "defined by (12)"));
}

TEST(a_printed_number_that_is_wrong_is_an_erratum_and_fails_without_a_proof) {
    CHECK(corrected("0.63", "by elliptic integrals"));
    CHECK(corrected("6.3e-1", ""));
    CHECK(corrected("0.624404", ""));
    CHECK(corrected("", "erratum: the sign"));
    CHECK(added("0.63", 0.6244006497, 0.6244006497, "by elliptic integrals").pass);
    CHECK(!added("0.63", 0.6244006497, 0.6244006497, "").pass);
}

TEST(a_row_that_does_not_say_where_its_number_comes_from_is_a_regression) {
    static const verify_study based = {.name = "a", .title = "b", .basis = "a closed form"};
    const report_row given = row_of("", 1, 1, "n = 3"), own = row_of("1", 1, 1, "regression: ours");
    report r = {0};
    CHECK(added("", 1, 1, "").kind == VERIFY_REGRESSION);
    CHECK(added("-", 1, 1, "defined by (12)").kind == VERIFY_REGRESSION);
    CHECK(added("1", 1, 1, "regression: our own output").kind == VERIFY_REGRESSION);
    CHECK(added("1", 1, 1, "").kind == VERIFY_REPRODUCED);
    CHECK(added("about 1", 1, 1, "").kind == VERIFY_REPRODUCED);
    CHECK(added("", 1, 1, "independent: a closed form").kind == VERIFY_REPRODUCED);
    CHECK(report_begin(&r, "elastica", &based));
    CHECK(report_add(&r, &given)->kind == VERIFY_REPRODUCED);
    CHECK(report_add(&r, &own)->kind == VERIFY_REGRESSION);
    CHECK(r.kind[VERIFY_REPRODUCED] == 1 && r.kind[VERIFY_REGRESSION] == 1 && r.printed == 0);
    report_free(&r);
}

TEST(a_hundred_rows_are_kept_and_counted_by_source) {
    report r = {0};
    const char *source[] = {"elastica", "se3"};
    for (int k = 0; k < 3; k++) {
        CHECK(report_begin(&r, source[k / 2], &a_study));
        for (int i = 0; i < 33 + k; i++) {
            const report_row given = row_of("", 0, i % 11 ? 0 : 1, "");
            CHECK(report_add(&r, &given));
        }
        report_end(&r, 0.5);
    }
    CHECK(r.rows == 102 && r.failed == 3 + 4 + 4 && r.study[2].first == 67);
    CHECK(report_next_source(&r, 0) == 2 && report_next_source(&r, 2) == 3);
    CHECK_NEAR(r.elapsed, 1.5, 0);
    report_free(&r);
}

TEST(texts_cannot_break_the_page) {
    report r = {0};
    char page[65536];
    const report_row given = row_of("<b>", 1, 2, "</table><script>&");
    CHECK(report_begin(&r, "elastica", &a_study));
    CHECK(report_add(&r, &given));
    FILE *file = tmpfile();
    report_html(&r, file);
    rewind(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    report_free(&r);
    CHECK(strstr(page, "x &lt; &quot;1&quot;") && strstr(page, "a &amp; b"));
    CHECK(strstr(page, "&lt;/table&gt;&lt;script&gt;&amp;") && !strstr(page, "<script"));
    CHECK(strstr(page, "failed") && strstr(page, "</html>"));
}

RUN(test(a_row_passes_within_its_tolerance_and_nan_never_does),
    test(a_printed_number_that_is_only_rounded_is_no_erratum),
    test(a_printed_number_that_is_wrong_is_an_erratum_and_fails_without_a_proof),
    test(a_row_that_does_not_say_where_its_number_comes_from_is_a_regression),
    test(a_hundred_rows_are_kept_and_counted_by_source), test(texts_cannot_break_the_page))
