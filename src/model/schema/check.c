/* check.c - one value of a description: finite, in its range, of the right size.  Each message has the key,
 * the value and what is allowed. */
#include "model/schema/schema.h"

withy_status wy_check_positive(const char *key, double value, const char *unit, withy_error *err) {
    if (value > 0 && isfinite(value)) return WITHY_OK;
    return wy_bad_input(err, "%s" WY_KEY " = %g: must be %s> 0 [%s]", key, value,
                        isinf(value) ? "finite and " : "", unit);
}

withy_status wy_check_not_negative(const char *key, double value, const char *unit,
                                   withy_error *err) {
    if (value >= 0 && isfinite(value)) return WITHY_OK;
    return wy_bad_input(err, "%s" WY_KEY " = %g: must be %s>= 0 [%s]", key, value,
                        isinf(value) ? "finite and " : "", unit);
}

withy_status wy_check_finite(const char *key, double value, const char *unit, withy_error *err) {
    if (isfinite(value)) return WITHY_OK;
    return wy_bad_input(err, "%s" WY_KEY " = %g: must be finite [%s]", key, value, unit);
}

/* Not given, or so many numbers. */
static withy_status check_size(const char *where, const char *name, const withy_field *field,
                               int size, withy_error *err) {
    if (field->size == 0 || field->size == size) return WITHY_OK;
    return wy_bad_input(err, "%s.%s" WY_KEY " has %d numbers; it must have %d", where, name,
                        field->size, size);
}

/* What may not change with time. */
withy_status wy_check_static(const char *where, const char *name, const withy_field *field,
                             int size, withy_error *err) {
    if (field->size && (field->table || wy_field_has_input(field)))
        return wy_bad_input(err,
                            "%s.%s" WY_KEY " is not a function of time, so it cannot be a table or "
                            "an input; give numbers or a function of s",
                            where, name);
    return check_size(where, name, field, size, err);
}

static withy_status check_table(const char *where, const char *name, const withy_field *field,
                                withy_error *err) {
    if (field->rows < 1)
        return wy_bad_input(err, "%s.%s" WY_KEY ": its table has %d rows; it needs at least one",
                            where, name, field->rows);
    const double *row = field->table, *before = NULL;
    for (int r = 0; r < field->rows; r++, before = row, row += 1 + field->size) {
        for (int i = 0; i <= field->size; i++)
            if (!isfinite(row[i]))
                return wy_bad_input(
                    err, "%s.%s" WY_KEY ": row %d of its table has %g; all numbers must be finite",
                    where, name, r + 1, row[i]);
        if (before && !(row[0] > before[0]))
            return wy_bad_input(
                err,
                "%s.%s" WY_KEY
                ": row %d of its table is at t = %g, not after t = %g; times must increase",
                where, name, r + 1, row[0], before[0]);
    }
    return WITHY_OK;
}

/* Not given, or so many finite numbers; a function is checked when it is called. */
withy_status wy_check_field(const char *where, const char *name, const withy_field *field, int size,
                            withy_error *err) {
    if (field->size == 0) return WITHY_OK;
    WY_TRY(check_size(where, name, field, size, err));
    if (!!field->call + !!field->table + wy_field_has_input(field) + !!field->from_state > 1)
        return wy_bad_input(err,
                            "%s.%s" WY_KEY
                            ": is given as more than one of function, table and input; keep one",
                            where, name);
    if (field->from_state && strcmp(name, "force") != 0 && strcmp(name, "moment") != 0)
        return wy_bad_input(
            err, "%s.%s" WY_KEY ": is a function of the state; only force and moment can be one",
            where, name);
    if (field->table) return check_table(where, name, field, err);
    for (int i = 0; i < size && !wy_field_varies(field); i++) {
        if (!isfinite(field->value[i]))
            return wy_bad_input(err, "%s.%s" WY_KEY ": number %d is %g; it must be finite", where,
                                name, i + 1, field->value[i]);
        if (field->input[i] && !field->input[i][0])
            return wy_bad_input(err, "%s.%s" WY_KEY ": the input of number %d has no name", where,
                                name, i + 1);
    }
    return WITHY_OK;
}

/* A count needs a list. */
withy_status wy_check_count(const char *list, int count, const void *entries, withy_error *err) {
    if (count >= 0 && (count == 0 || entries)) return WITHY_OK;
    return wy_bad_input(err,
                        "%s" WY_KEY ": has %d entries%s; give a list of that many, or the count 0",
                        list, count, entries ? "" : " and no list");
}

withy_status wy_check_on_rod(const char *key, double s, const withy_rod *rod, withy_error *err) {
    if (s >= 0 && s <= rod->length) return WITHY_OK;
    return wy_bad_input(err, "%s" WY_KEY " = %g: must lie on the rod, 0 .. %g [m]", key, s,
                        rod->length);
}

withy_status wy_fail_in_rod(withy_error *err, withy_status status, int rod) {
    static const char *const of_rod[] = {"ends", "loads", "initial"};
    char path[WITHY_ERROR_PATH];
    wy_fail_in(err, status, "rods[%d]: ", rod + 1);
    if (!err) return status;
    const size_t word = strcspn(err->path, ".[");
    const char *rest = NULL;
    if (word == 0 || (word == 3 && memcmp(err->path, "rod", 3) == 0)) rest = err->path + word;
    snprintf(path, sizeof path, "rods[%d]%.200s", rod + 1, rest ? rest : "");
    for (size_t i = 0; i < sizeof of_rod / sizeof *of_rod; i++)
        if (strlen(of_rod[i]) == word && memcmp(err->path, of_rod[i], word) == 0)
            snprintf(path, sizeof path, "rods[%d].%.200s", rod + 1, rest = err->path);
    if (rest) memcpy(err->path, path, sizeof path);
    return status;
}

/* ---- all values of a structure, by the rows of the schema ---------------------------------------------- */

/* 0 is what is not given, where that is allowed. */
static withy_status check_number(const char *name, const wy_key *key, int needed, double x,
                                 withy_error *err) {
    char range[128];
    const int above = key->open_min ? x > key->min : x >= key->min;
    const int below = key->open_max ? x < key->max : x <= key->max;
    if ((above && below) || (x == 0 && !needed)) return WITHY_OK;
    wy_key_range(key, range, sizeof range);
    return wy_bad_input(err, "%s" WY_KEY " = %g: must be %s%s", name, x,
                        isinf(x) && strncmp(range, "finite", 6) != 0 ? "finite and " : "", range);
}

static withy_status check_word(const char *name, const wy_key *key, int word, withy_error *err) {
    char text[WITHY_NAME];
    int count = 0;
    while (wy_word_at(key->child, count, text, sizeof text)) count++;
    if (word >= 0 && word < count) return WITHY_OK;
    return wy_bad_input(err, "%s" WY_KEY " = %d: must be 0 .. %d", name, word, count - 1);
}

static withy_status check_fields(const char *where, const wy_key *key, const withy_field *field,
                                 withy_error *err) {
    const int each = key->kind == WY_KEY_SPREAD || key->kind == WY_KEY_ROTARY;
    const int timed = key->arguments == 't' || key->arguments == 'b';
    for (int i = 0; i < (each || key->kind == WY_KEY_ROWS ? key->size : 1); i++) {
        const int size = each ? 1 : key->size;
        if (!timed) WY_TRY(wy_check_static(where, key->name, &field[i], size, err));
        if (isfinite(key->max)) /* infinite is rigid */
            WY_TRY(wy_check_field(where, key->name, &field[i], size, err));
    }
    return WITHY_OK;
}

static withy_status check_value(const char *where, const wy_key *key, int needed, const void *at,
                                withy_error *err) {
    static const char *const part[] = {".forward", ".back", ".lateral"};
    const int friction = key->kind == WY_KEY_FRICTION;
    char name[3 * WITHY_NAME];
    int word;
    switch (key->kind) {
    case WY_KEY_DIRECTION:
        if (needed && v3_is_zero(*(const vec3 *)at))
            return wy_bad_input(err, "%s.%s" WY_KEY " = { 0, 0, 0 }: must be %s", where, key->name,
                                wy_key_allowed(key, name, sizeof name));
        /* fall through */
    case WY_KEY_NUMBER:
    case WY_KEY_FRICTION:
        for (int i = 0; i < (friction ? WITHY_FRICTIONS : key->size); i++) {
            snprintf(name, sizeof name, "%s%s%s%s", where, *where ? "." : "", key->name,
                     friction ? part[i] : "");
            WY_TRY(check_number(name, key, needed, ((const double *)at)[i], err));
        }
        return WITHY_OK;
    case WY_KEY_WORD:
        snprintf(name, sizeof name, "%s.%s", where, key->name);
        memcpy(&word, at, sizeof word);
        return check_word(name, key, word, err);
    case WY_KEY_FIELD:
    case WY_KEY_UNIT:
    case WY_KEY_SPREAD:
    case WY_KEY_ROTARY:
    case WY_KEY_ROWS: return check_fields(where, key, at, err);
    default: return WITHY_OK;
    }
}

/* Another table of a structure may be left out, and is then 0.  What another constructor would read is not read, but it is
 * copied: then its fields must be fields. */
withy_status wy_check_values(wy_structure of, int tag, const void *structure, const char *where,
                             withy_error *err) {
    const wy_key *key;
    for (int others = 0; others < 2; others++)
        for (int i = 0; (key = wy_key_at(i)) != NULL; i++) {
            const void *at = (const char *)structure + key->offset;
            if (key->in != of || wy_key_is_in(key, of, tag) == others) continue;
            const wy_group *group = wy_group_find(key->group);
            const int own = wy_group_is_of(group, of, tag);
            if (!others)
                WY_TRY(
                    check_value(own ? where : group->where, key, own && !key->fallback, at, err));
            else if (key->kind == WY_KEY_FIELD || key->kind == WY_KEY_UNIT)
                WY_TRY(check_fields(where, key, at, err));
        }
    return WITHY_OK;
}

/* Has the constructor a key, perhaps of another name, for what this one writes? */
static int is_read(wy_structure of, int tag, const wy_key *what) {
    const wy_key *key;
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++)
        if (key->offset == what->offset && wy_key_is_in(key, of, tag)) return 1;
    return 0;
}

withy_status wy_check_unread(wy_structure of, int tag, const void *structure, const char *where,
                             withy_error *err) {
    const wy_key *key;
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++)
        if (key->in == of && wy_key_given(key, structure) && !is_read(of, tag, key))
            return wy_bad_input(err, "%s" WY_KEY ": a %s of this kind has no %s", where,
                                wy_structure_group(of), key->name);
    return WITHY_OK;
}
