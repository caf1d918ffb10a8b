/* Every public function refuses NULL and nonsense with a status and a message, or an empty answer. */
#include "check.h"
#include "withy/withy.h"

static withy_error err;

/* The call fails with a reason, also without room for the message. */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        err = (withy_error){0};                                                                    \
        CHECK((call) != WITHY_OK);                                                                 \
        CHECK(err.code != WITHY_OK && err.text[0] != '\0');                                        \
    } while (0)

static withy_sim *make_sim(void) {
    static withy_problem problem;
    withy_sim *sim;
    problem = withy_problem_default();
    CHECK(withy_sim_create(&problem, NULL, NULL, 0, &sim, &err) == WITHY_OK);
    return sim;
}

TEST(a_simulation_that_is_not_there_is_refused) {
    withy_sim *copy;
    withy_equilibrium point;
    withy_figure figure;
    withy_mode *mode;
    char text[WITHY_NAME];
    REFUSED(withy_sim_create(NULL, NULL, NULL, 0, &copy, &err));
    CHECK(copy == NULL);
    REFUSED(withy_sim_advance(NULL, 1, &err));
    withy_batch *batch;
    int64_t records;
    REFUSED(withy_batch_create(NULL, 1, NULL, &batch, &err));
    REFUSED(withy_batch_create(&copy, 0, NULL, &batch, &err));
    REFUSED(withy_batch_create(&copy, 1, NULL, &batch, &err)); /* an array of NULL */
    REFUSED(withy_batch_advance(NULL, 1, &err));
    REFUSED(withy_study_run_batch(NULL, 1, NULL, NULL, NULL, NULL, &err));
    REFUSED(withy_batch_failure(NULL, 0, &err));
    CHECK(withy_batch_probe(NULL, 0, 0, &records) == NULL && withy_batch_seconds(NULL) == 0);
    CHECK(withy_batch_engine(NULL)[0] == '\0' && !withy_device_name(0, NULL, 0));
    withy_batch_destroy(NULL);
    REFUSED(withy_sim_save(NULL, text, sizeof text, &err));
    REFUSED(withy_sim_restore(NULL, text, sizeof text, &err));
    REFUSED(withy_sim_fork(NULL, &copy, &err));
    REFUSED(withy_sim_equilibrium(NULL, 1, &point, &err));
    REFUSED(withy_sim_follow(NULL, 1, 1, &point, &err));
    REFUSED(withy_sim_modes(NULL, 1, &mode, &err));
    int freedoms;
    REFUSED(withy_sim_freedoms(NULL, &freedoms, &err));
    withy_linear *linear;
    REFUSED(withy_sim_linearise(NULL, 1, &linear, &err));
    withy_linear_free(NULL);
    CHECK(!withy_sim_at_rest(NULL));
    withy_sim_interrupt(NULL, NULL, NULL);
    CHECK(withy_interrupt_flag(NULL, 0) == 0);
    CHECK(withy_sim_advance(NULL, 1, NULL) == WITHY_BAD_INPUT);
    CHECK(withy_sim_sample(NULL, 0) == NULL);
    CHECK(withy_sim_time(NULL) == 0 && withy_sim_step(NULL) == 0 && withy_sim_hash(NULL) == 0);
    CHECK(withy_sim_method(NULL)[0] == '\0' && withy_sim_notes(NULL)->text[0] == '\0');
    CHECK(withy_sim_stats(NULL).steps == 0 && withy_sim_save_size(NULL) == 0);
    CHECK(!withy_sim_option(NULL, 0, text, text, sizeof text));
    CHECK(!withy_sim_figure(NULL, 0, &figure));
    withy_sim_destroy(NULL), withy_modes_free(NULL, 3), withy_static_free(NULL);
}

TEST(missing_room_for_an_answer_is_refused) {
    withy_problem problem = withy_problem_default();
    withy_sim *sim = make_sim(), *other;
    double number, stiffness[WITHY_STRAINS];
    char text[WITHY_NAME];
    REFUSED(withy_sim_create(&problem, NULL, NULL, 0, NULL, &err));
    REFUSED(withy_sim_create(&problem, NULL, NULL, 2, &other, &err));
    REFUSED(withy_sim_create(&problem, NULL, NULL, -1, &other, &err));
    REFUSED(withy_sim_create(&problem, "nonsense", NULL, 0, &other, &err));
    REFUSED(withy_sim_save(sim, NULL, withy_sim_save_size(sim), &err));
    REFUSED(withy_sim_save(sim, text, 1, &err));
    REFUSED(withy_sim_restore(sim, NULL, withy_sim_save_size(sim), &err));
    REFUSED(withy_sim_restore(sim, text, sizeof text, &err));
    REFUSED(withy_sim_fork(sim, NULL, &err));
    REFUSED(withy_sim_advance(sim, -1, &err));
    REFUSED(withy_sim_advance(sim, NAN, &err));
    REFUSED(withy_sim_equilibrium(sim, 1, NULL, &err));
    REFUSED(withy_sim_follow(sim, 0.1, 1, NULL, &err));
    REFUSED(withy_sim_modes(sim, 1, NULL, &err));
    REFUSED(withy_sim_freedoms(sim, NULL, &err));
    CHECK(withy_sim_sample(sim, -1) == NULL && withy_sim_sample(sim, 99) == NULL);
    CHECK(!withy_sim_option(sim, 0, NULL, text, sizeof text));
    CHECK(!withy_sim_option(sim, -1, text, text, sizeof text));
    CHECK(!withy_sim_figure(sim, 0, NULL));
    REFUSED(withy_field_at(NULL, 0, 0, &number, &err));
    REFUSED(withy_rod_stiffness(NULL, 0, stiffness, &err));
    REFUSED(withy_rod_stiffness(problem.rod, 0, NULL, &err));
    withy_sim_destroy(sim);
}

TEST(a_study_of_nothing_is_refused) {
    withy_report *report = test_malloc(sizeof *report);
    withy_static_report path;
    withy_mode *mode;
    withy_study study = withy_study_default();
    withy_output *output;
    withy_comparison *comparison;
    withy_compare_setup setup = {0};
    REFUSED(withy_study_run(NULL, report, &err));
    REFUSED(withy_study_run(&study, report, &err));
    REFUSED(withy_study_run(&study, NULL, &err));
    REFUSED(withy_study_static(NULL, &path, &err));
    REFUSED(withy_study_static(&study, NULL, &err));
    REFUSED(withy_study_modes(NULL, 1, &mode, &err));
    REFUSED(withy_study_modes(&study, 1, NULL, &err));
    REFUSED(withy_output_open(NULL, "x.csv", NULL, &output, &err));
    REFUSED(withy_output_write(NULL, &err));
    CHECK(withy_output_close(NULL, WITHY_OK, &err) == WITHY_OK);
    REFUSED(withy_compare(NULL, &comparison, &err));
    REFUSED(withy_compare(&setup, &comparison, &err));
    REFUSED(withy_compare(&setup, NULL, &err));
    CHECK(withy_comparison_at(NULL, 0, 0, 0).x == 0);
    CHECK(withy_compare_name(-1) == NULL && withy_compare_unit(99) == NULL);
    withy_comparison_free(NULL);
    test_free(report);
}

TEST(a_scene_or_a_result_that_is_not_there_is_refused) {
    withy_scene *scene;
    withy_sim *sim;
    withy_mode *mode;
    withy_static_report path;
    withy_option option[WITHY_SCENE_OPTIONS];
    withy_study study;
    withy_run_setup setup = {0};
    withy_report *report = test_malloc(sizeof *report);
    int count = 7;
    REFUSED(withy_scene_resume(NULL, NULL, 0, &scene, &err));
    REFUSED(withy_scene_resume("none.h5", NULL, 0, NULL, &err));
    REFUSED(withy_scene_read(NULL, NULL, 0, &scene, &err));
    REFUSED(withy_scene_read("no such file", NULL, 0, NULL, &err));
    REFUSED(withy_scene_read_text(NULL, 5, "name", NULL, 0, &scene, &err));
    REFUSED(withy_scene_read_text("return {}", 9, "name", NULL, 1, &scene, &err));
    REFUSED(withy_scene_read_text("return {}", 9, NULL, NULL, 0, &scene, &err));
    REFUSED(withy_scene_read_text("return {}", 9, "name", NULL, 0, NULL, &err));
    CHECK(withy_scene_problem(NULL) == NULL && withy_scene_method(NULL)[0] == '\0');
    CHECK(withy_scene_text(NULL)[0] == '\0' && withy_scene_name(NULL)[0] == '\0');
    CHECK(withy_scene_options(NULL, &count) == NULL && count == 0);
    REFUSED(withy_run(NULL, &setup, report, &err));
    REFUSED(withy_static(NULL, &setup, &path, &err));
    REFUSED(withy_modes(NULL, 1, &setup, &mode, &err));
    REFUSED(withy_scene_sim(NULL, NULL, &sim, &err));
    REFUSED(withy_scene_sim_of(NULL, NULL, NULL, &sim, &err));
    REFUSED(withy_scene_study(NULL, NULL, option, &study, &err));
    REFUSED(withy_check(NULL, NULL, &err));
    REFUSED(withy_check_run(NULL, NULL, &err));
    CHECK(withy_scene_reference(-1) == NULL && withy_scene_reference(1 << 20) == NULL);
    withy_scene_destroy(NULL);
    test_free(report);
}

TEST(a_result_file_that_is_not_there_is_refused) {
    withy_result *result;
    withy_result_rod rod;
    withy_result_entry entry;
    withy_result_probe probe;
    double number;
    withy_sweep_file *sweep;
    withy_sweep_column column;
    withy_sweep_report swept;
    const withy_sweep_setup nothing = {0};
    REFUSED(withy_sweep(NULL, &swept, &err));
    REFUSED(withy_sweep(&nothing, &swept, &err));
    REFUSED(withy_sweep(&nothing, NULL, &err));
    REFUSED(withy_sweep_open(NULL, &sweep, &err));
    REFUSED(withy_sweep_open("none.h5", NULL, &err));
    CHECK(withy_sweep_count(NULL) == 0 && withy_sweep_is_grid(NULL) == 0);
    CHECK(withy_sweep_text(NULL, "plan")[0] == '\0');
    CHECK(withy_sweep_column_at(NULL, 0, &column) == 0 && withy_sweep_status(NULL, 0, NULL) == -1);
    withy_sweep_close(NULL);
    REFUSED(withy_result_open(NULL, &result, &err));
    REFUSED(withy_result_open("no such file.h5", &result, &err));
    REFUSED(withy_result_open("no such file.h5", NULL, &err));
    CHECK(withy_result_text(NULL, "title")[0] == '\0' && withy_result_rods(NULL) == 0);
    CHECK(!withy_result_rod_at(NULL, 0, &rod) && withy_result_count(NULL) == 0);
    CHECK(withy_result_at(NULL, 0, 0, &err) == NULL);
    CHECK(!withy_result_ledger_at(NULL, 0, 0, &entry) && !withy_result_probe_at(NULL, 0, &probe));
    REFUSED(withy_result_times(NULL, &number, &err));
    REFUSED(withy_result_ledger_read(NULL, 0, "kinetic", &number, &err));
    REFUSED(withy_result_probe_read(NULL, 0, &number, &number, &err));
    REFUSED(withy_result_export(NULL, "x.csv", &err));
    REFUSED(withy_result_sound(NULL, "x.wav", NULL, NULL, &err));
    withy_body body;
    withy_joint joint;
    CHECK(withy_result_bodies(NULL) == 0 && withy_result_joints(NULL) == 0);
    withy_obstacle obstacle;
    withy_contact_state contacts;
    withy_parameter parameter;
    CHECK(withy_result_parameter(NULL, 0, &parameter) == 0);
    CHECK(withy_scene_parameter(NULL, 0, &parameter) == 0);
    CHECK(withy_result_obstacles(NULL) == 0 && withy_result_contacts(NULL) == 0);
    CHECK(withy_result_obstacle_at(NULL, 0, &obstacle) == 0);
    withy_result_tendon tendon;
    CHECK(!withy_result_tendons(NULL) && !withy_result_tendon_at(NULL, 0, &tendon));
    CHECK(withy_result_contact_read(NULL, 0, 1, &contacts, &err) == WITHY_BAD_INPUT);
    CHECK(!withy_result_body_at(NULL, 0, &body) && !withy_result_joint_at(NULL, 0, &joint));
    CHECK(withy_result_parts_at(NULL, 0, &err) == NULL && err.code != WITHY_OK);
    withy_result_close(NULL);
}

TEST(lists_and_records_take_nonsense) {
    withy_method_info method;
    withy_sink_info sink;
    withy_partial partial;
    double number = 0;
    int count;
    CHECK(!withy_method_at(0, NULL) && !withy_method_at(-1, &method));
    CHECK(!withy_sink_at(0, NULL) && !withy_sink_at(-1, &sink));
    withy_feature_info feature;
    CHECK(!withy_feature_at(0, NULL) && !withy_feature_at(-1, &feature));
    CHECK(!withy_closest(NULL, NULL, NULL) && !withy_closest("x", NULL, NULL));
    const withy_quantity *list = withy_quantity_list(WITHY_OF_ROD, &count);
    CHECK(withy_quantity_list(WITHY_OF_ROD, NULL) == list);
    CHECK(withy_quantity_find(WITHY_OF_ROD, NULL) == NULL &&
          withy_quantity_at(NULL, NULL, 0) == NULL);
    CHECK(withy_quantity_at(list, NULL, 0) == NULL);
    withy_number named;
    int component;
    CHECK(!withy_number_find(NULL, "finish.x", &named));
    CHECK(!withy_component_find(NULL, "x", &component) && !withy_component_find(list, "x", NULL));
    CHECK(!withy_component_find(list, NULL, &component));
    CHECK(withy_component_of(list, WITHY_NORM, (double[]){3, 4, 12}) == 13);
    REFUSED(withy_spectrum(8, NULL, 1, &number, &err));
    REFUSED(withy_spectrum(-1, &number, 1, &number, &err));
    REFUSED(withy_partial_between(8, NULL, 1, 0, 1, &partial, &err));
    REFUSED(withy_partial_theory(NULL, 1, 1, &number, &err));
    REFUSED(withy_snapshot_decay(NULL, 0, &number, &err));
    withy_cycle cycle;
    int64_t cycles;
    REFUSED(withy_cycles(1, NULL, &cycle, &cycles, &err));
    REFUSED(withy_cycles(1, &number, NULL, &cycles, &err));
    REFUSED(withy_cycles(1, &number, &cycle, NULL, &err));
    REFUSED(withy_cycles(-1, &number, &cycle, &cycles, &err));
    CHECK(withy_cycles_sum(NULL, 0, 3) == 0);
    CHECK(withy_kernel(NULL, NULL) == WITHY_OK);
    CHECK(withy_status_text((withy_status)-1) && withy_status_text((withy_status)99));
    CHECK(withy_status_name((withy_status)-1) && withy_status_name((withy_status)99));
    withy_note note;
    withy_note_kind kind;
    CHECK(!withy_note_at(NULL, "", 0, &note) && !withy_note_at("", NULL, 0, &note));
    CHECK(!withy_note_at("a\n", "a\n", -1, &note) && !withy_note_at("a\n", "a\n", 0, NULL));
    CHECK(!withy_note_kind_at(-1, &kind) && !withy_note_kind_at(0, NULL));
    REFUSED(withy_problem_check(NULL, &err));
    int overlaps = 0;
    REFUSED(withy_problem_overlaps(NULL, 0, NULL, &overlaps, &err));
}

TEST(a_program_compiled_with_other_headers_is_reported_so) {
    withy_problem problem = withy_problem_default();
    CHECK(problem.layout == WITHY_LAYOUT);
    CHECK(withy_problem_check(&problem, &err) == WITHY_OK);
    problem.layout++;
    CHECK(withy_problem_check(&problem, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "compile it again") != NULL);
    problem.layout = 0;
    CHECK(withy_problem_check(&problem, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "withy_problem_default") != NULL);
}

/* Such a program has room for its own struct only. */
TEST(a_shorter_problem_is_not_overrun) {
    union {
        withy_problem problem;
        unsigned char byte[sizeof(withy_problem)];
    } room;
    memset(&room, 0x5a, sizeof room);
    const size_t size = sizeof room - 16;
    withy_problem_fill(&room.problem, size, 12345);
    CHECK(room.problem.layout == 12345);
    for (size_t i = size; i < sizeof room; i++) CHECK(room.byte[i] == 0x5a);
    CHECK(withy_problem_check(&room.problem, &err) == WITHY_BAD_INPUT);
}

TEST(an_input_or_an_equilibrium_of_no_simulation_is_refused) {
    withy_sim *sim = make_sim();
    withy_equilibrium point = {0};
    double number;
    REFUSED(withy_sim_input(NULL, "pull", 1, &err));
    REFUSED(withy_sim_input(sim, NULL, 1, &err));
    REFUSED(withy_sim_input(sim, "no such input", 1, &err));
    REFUSED(withy_sim_input_get(NULL, "pull", &number, &err));
    REFUSED(withy_sim_input_get(sim, "pull", NULL, &err));
    REFUSED(withy_sim_input_get(sim, NULL, &number, &err));
    CHECK(withy_sim_input_name(NULL, 0) == NULL && withy_sim_input_name(sim, -1) == NULL);
    CHECK(withy_sim_input_name(sim, 99) == NULL);
    REFUSED(withy_sim_rest(NULL, 1, &point, &err));
    REFUSED(withy_sim_rest(sim, 1, NULL, &err));
    REFUSED(withy_sim_rest(sim, NAN, &point, &err));
    REFUSED(withy_sim_leave(NULL, &point, &err));
    REFUSED(withy_sim_leave(sim, NULL, &err));
    REFUSED(withy_sim_leave(sim, &point, &err)); /* before there is an equilibrium */
    CHECK(withy_sim_parts(NULL) == NULL && withy_sim_parts(sim) == NULL);
    CHECK(withy_quantity_find(99, "x") == NULL && withy_quantity_list(99, NULL) == NULL);
    CHECK(withy_quantity_list(-1, NULL) == NULL && withy_quantity_of_part(NULL, NULL, 0) == NULL);
    const withy_quantity *place = withy_quantity_list(WITHY_OF_BODY, NULL);
    char axis[4];
    CHECK(place && withy_quantity_of_part(place, NULL, 0) == NULL);
    CHECK(withy_quantity_component(NULL, 0, axis, sizeof axis)[0] == 0);
    CHECK(withy_quantity_component(place, 3, axis, sizeof axis)[0] == 0);
    CHECK(withy_quantity_component(place, -1, axis, sizeof axis)[0] == 0);
    CHECK(withy_quantity_component(place, 0, NULL, 0)[0] == 0);
    const withy_parts none = {0};
    CHECK(withy_quantity_of_part(place, &none, 0) == NULL);
    CHECK(withy_quantity_of_part(place, &none, -1) == NULL);
    withy_sim_destroy(sim);
}

TEST(fields_and_shapes_of_nothing_are_refused_where_they_are_used) {
    withy_shape shape = {.kind = WITHY_SHAPE_THROUGH, .point_count = 3};
    double length, out[WITHY_FIELD_MAX];
    const withy_field table = withy_field_table(1, 4, NULL), wide = withy_field_table(99, 1, out);
    REFUSED(withy_shape_length(NULL, &length, &err));
    REFUSED(withy_shape_length(&shape, &length, &err));
    REFUSED(withy_shape_length(&shape, NULL, &err));
    REFUSED(withy_field_at(&wide, 0, 0, out, &err));
    const withy_field number = withy_field_number(1), vector = withy_field_vector(1, 2, 3);
    REFUSED(withy_field_at(&number, 0, 0, NULL, &err));
    REFUSED(withy_field_at(&vector, 0, 0, NULL, &err));
    withy_rod rod = withy_rod_default();
    withy_problem problem = withy_problem_default();
    problem.rod = &rod;
    rod.end[0].position = table;
    REFUSED(withy_problem_check(&problem, &err));
    rod = withy_rod_default();
    rod.initial = shape;
    REFUSED(withy_problem_check(&problem, &err));
    rod = withy_rod_default();
    rod.damping[0] = withy_field_input(NULL, 1); /* a constant */
    CHECK(rod.damping[0].input[0] == NULL);
    withy_rod_fill(NULL, 0), withy_problem_fill(NULL, 0, 0);
}

TEST(counts_without_lists_are_refused) {
    const withy_problem problem = withy_problem_default();
    withy_study study = withy_study_default();
    withy_report *report = test_malloc(sizeof *report);
    withy_static_report path;
    withy_mode *mode;
    study.problem = &problem;
    for (int count = -1; count <= 3; count += 4) {
        study.option_count = count;
        REFUSED(withy_study_run(&study, report, &err));
        REFUSED(withy_study_static(&study, &path, &err));
        REFUSED(withy_study_modes(&study, 1, &mode, &err));
        study.option_count = 0, study.output_count = count;
        REFUSED(withy_study_run(&study, report, &err));
        REFUSED(withy_study_static(&study, &path, &err));
        study.output_count = 0;
    }
    const char *const nothing[] = {NULL};
    study.output = nothing, study.output_count = 1;
    REFUSED(withy_study_run(&study, report, &err));
    REFUSED(withy_study_static(&study, &path, &err));
    withy_static_free(&path); /* the points that were found before the file was refused */
    REFUSED(withy_study_modes(&study, 1, &mode, &err));
    study.output_count = 0;
    REFUSED(withy_study_modes(&study, -1, &mode, &err));
    REFUSED(withy_study_modes(&study, 0, &mode, &err));
    withy_problem bodies = problem;
    bodies.body_count = 2;
    REFUSED(withy_problem_check(&bodies, &err));
    test_free(report);
}

TEST(a_scene_with_lists_that_are_not_there_is_refused) {
    static const char text[] = "return {}";
    withy_scene *scene;
    withy_report *report = test_malloc(sizeof *report);
    withy_run_setup setup = {.output_count = 2};
    const withy_status status =
        withy_scene_read_text(text, sizeof text - 1, "x", NULL, 0, &scene, &err);
    if (status == WITHY_OK) REFUSED(withy_run(scene, &setup, report, &err));
    if (status == WITHY_OK) withy_scene_destroy(scene);
    const char *const nothing[] = {NULL};
    REFUSED(withy_scene_read_text(text, sizeof text - 1, "x", NULL, -1, &scene, &err));
    CHECK(strstr(err.text, "negative"));
    REFUSED(withy_scene_read_text(text, sizeof text - 1, "x", nothing, 1, &scene, &err));
    test_free(report);
}

static withy_status study_of(void *context, const char *method, withy_study *study,
                             withy_error *error) {
    (void)method, (void)error;
    study->problem = context;
    return WITHY_OK;
}

TEST(a_comparison_of_methods_without_names_is_refused) {
    withy_problem problem = withy_problem_default();
    withy_comparison *comparison;
    const char *const nothing[] = {NULL, NULL};
    withy_compare_setup setup = {.study = study_of, .context = &problem, .accuracy = 0.5};
    setup.refine = 1, setup.method = nothing, setup.method_count = 2;
    REFUSED(withy_compare(&setup, &comparison, &err));
    setup.method_count = -1;
    REFUSED(withy_compare(&setup, &comparison, &err));
    setup.method_count = 0, setup.refine = 0;
    REFUSED(withy_compare(&setup, &comparison, &err));
    setup.refine = 1, setup.accuracy = NAN;
    REFUSED(withy_compare(&setup, &comparison, &err));
}

TEST(a_record_of_nothing_is_empty) {
    withy_table table;
    withy_scene *scene;
    withy_record *record = withy_record_create();
    REFUSED(withy_record_read(NULL, "x.h5", &err));
    REFUSED(withy_record_read(record, NULL, &err));
    REFUSED(withy_record_read(record, "nowhere.h5", &err));
    REFUSED(withy_scene_solve(NULL, WITHY_TASK_RUN, 0, &(withy_run_setup){0}, &err));
    REFUSED(withy_scene_solve(NULL, (withy_task)9, 0, NULL, &err));
    REFUSED(withy_scene_read_host(NULL, 4, "x", NULL, 0, NULL, &scene, &err));
    CHECK(withy_record_count(NULL, WITHY_RECORD_ROD) == 0);
    CHECK(withy_record_count(record, (withy_record_of)77) == 0);
    CHECK(withy_record_name(record, WITHY_RECORD_ROD, -1)[0] == '\0');
    CHECK(!withy_record_table(record, WITHY_RECORD_ROD, 0, 0, &table));
    CHECK(!withy_record_find(record, WITHY_RECORD_ROD, 0, NULL, &table));
    CHECK(withy_record_text(NULL, "status")[0] == '\0' && !withy_record_text(record, NULL)[0]);
    CHECK(withy_sim_count(NULL, WITHY_RECORD_ROD) == 0);
    CHECK(withy_sim_name(NULL, WITHY_RECORD_ROD, 0)[0] == '\0');
    CHECK(!withy_sim_table(NULL, WITHY_RECORD_ROD, 0, 0, &table));
    CHECK(withy_progress_flag(NULL, 0, 0, 0) == 0);
    withy_parameter parameter;
    CHECK(!withy_result_parameter(NULL, 0, &parameter) &&
          !withy_scene_parameter(NULL, 0, &parameter));
    withy_problem problem = withy_problem_default();
    int count;
    REFUSED(withy_problem_overlaps(NULL, 0, NULL, &count, &err));
    REFUSED(withy_problem_overlaps(&problem, 1, NULL, &count, &err));
    CHECK(!withy_scene_constructor(-1) && !withy_scene_constructor(1000));
    withy_record_destroy(record), withy_record_destroy(NULL);
}

TEST(small_functions_take_nonsense) {
    CHECK(withy_version()[0] != '\0');
    (void)withy_cents(0, 0), (void)withy_cents(-1, 1);
    CHECK(withy_memory_allocations() >= withy_memory_blocks());
    withy_memory_hooks(NULL, NULL); /* malloc and free again */
    withy_sim_destroy(make_sim());
}

/* ---- all of them ------------------------------------------------------------------------------- */

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    char *text = test_calloc(1, 1 << 20);
    CHECK(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* The name of the function that is declared at `at`, with "(", or nothing. */
static void name_after(const char *at, char *name, size_t size) {
    const char *end = strchr(at, '('), *begin = end;
    name[0] = '\0';
    if (!end) return;
    while (begin > at && (begin[-1] == '_' || (begin[-1] >= 'a' && begin[-1] <= 'z') ||
                          (begin[-1] >= '0' && begin[-1] <= '9')))
        begin--;
    snprintf(name, size, "%.*s", (int)(end + 1 - begin), begin);
}

TEST(every_public_function_is_tried_in_this_file) {
    static const char *const header[] = {"base",     "compare", "list",     "math",  "output",
                                         "problem",  "record",  "result",   "scene", "sim",
                                         "snapshot", "sound",   "spectrum", "study"};
    char *here = read_text(WITHY_SOURCE "/tests/unit/test_null.c");
    int found = 0, lacking = 0;
    for (size_t i = 0; i < sizeof header / sizeof *header; i++) {
        char path[400], name[WITHY_NAME];
        snprintf(path, sizeof path, WITHY_SOURCE "/include/withy/%s.h", header[i]);
        char *text = read_text(path);
        for (const char *at = text; (at = strstr(at, "\nWITHY_API ")) != NULL;) {
            name_after(at += 11, name, sizeof name);
            found++;
            if (strstr(here, name)) continue;
            lacking++;
            print_message("%s) is not tried\n", name);
        }
        test_free(text);
    }
    test_free(here);
    print_message("%d public functions\n", found);
    CHECK(found > 90 && lacking == 0);
}

RUN(test(a_simulation_that_is_not_there_is_refused), test(missing_room_for_an_answer_is_refused),
    test(a_study_of_nothing_is_refused), test(a_scene_or_a_result_that_is_not_there_is_refused),
    test(a_result_file_that_is_not_there_is_refused), test(lists_and_records_take_nonsense),
    test(a_program_compiled_with_other_headers_is_reported_so),
    test(a_shorter_problem_is_not_overrun),
    test(an_input_or_an_equilibrium_of_no_simulation_is_refused),
    test(fields_and_shapes_of_nothing_are_refused_where_they_are_used),
    test(counts_without_lists_are_refused), test(a_scene_with_lists_that_are_not_there_is_refused),
    test(a_comparison_of_methods_without_names_is_refused), test(a_record_of_nothing_is_empty),
    test(small_functions_take_nonsense), test(every_public_function_is_tried_in_this_file))
