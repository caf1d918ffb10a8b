/* The report of withy verify: what counts as passed, what as an erratum, and a valid page. */
#include "check.h"

#include "../../cli/report/report.c" /* the program is not a library: include the two files directly */

#include "../../cli/report/html.c"
#include "../../cli/report/style.c"

void cli_warn(const char *format, ...) {
    (void)format;
}
int whole_begin(wy_beside *file, const char *path) {
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

TEST(a_printed_number_that_is_only_rounded_is_no_erratum) {
    CHECK(!added("0.624401", 0.6244006497, 0.6244006497, "").erratum);
    CHECK(!added("0.62", 0.6244006497, 0.6244006497, "").erratum);
    CHECK(!added("6.2e-1", 0.6244006497, 0.6244006497, "").erratum);
    CHECK(!added("about 4", 3, 3, "").erratum);
    CHECK(!added("", 3, 3, "defined by (12)").erratum);
}

TEST(a_printed_number_that_is_wrong_is_an_erratum) {
    CHECK(added("0.63", 0.6244006497, 0.6244006497, "").erratum);
    CHECK(added("6.3e-1", 0.6244006497, 0.6244006497, "").erratum);
    CHECK(added("0.624404", 0.6244006497, 0.6244006497, "").erratum);
    CHECK(added("", 3, 3, "erratum: the sign").erratum);
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
    CHECK_NEAR(r.wall, 1.5, 0);
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
    test(a_printed_number_that_is_wrong_is_an_erratum),
    test(a_hundred_rows_are_kept_and_counted_by_source), test(texts_cannot_break_the_page))
