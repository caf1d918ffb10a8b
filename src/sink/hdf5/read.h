/* read.h - a result file that is open: what open.c fills and read.c reads from (the contents are in layout.h). */
#pragma once

#include "sink/hdf5/opened.h"
#include "sink/hdf5/read_parts.h"
#include "sink/hdf5/rows.h"
#include "withy/result.h"

typedef struct wy_rod_reader {
    withy_result_rod info;
    withy_snapshot snap;
    wy_rows *field;  /* [quantities]                     */
    wy_rows *ledger; /* [entries]                        */
    wy_rows field_check, ledger_check;
    bool ledger_good; /* all its rows have been checked */
    unsigned lacking; /* WITHY_HAVE_ bits of which something is not in the file */
} wy_rod_reader;

typedef struct wy_probe_reader {
    withy_result_probe info;
    wy_rows time, value, check;
} wy_probe_reader;

/* Its texts: attributes, data sets, and those of its states, which it need not have. */
enum {
    WY_RESULT_ATTRIBUTES = 5,
    WY_RESULT_RESTART = WY_RESULT_ATTRIBUTES + 4,
    WY_RESULT_TEXTS = WY_RESULT_RESTART + 3
};
extern const char *const wy_result_text_name[WY_RESULT_TEXTS];

struct withy_result {
    wy_opened file;
    int64_t count;
    wy_rows time, step, check;
    int rods, probes;
    wy_part_reader parts;
    wy_rod_reader *rod;                /* [rods]   */
    wy_probe_reader *probe;            /* [probes] */
    const char *text[WY_RESULT_TEXTS]; /* of wy_result_text_name, or NULL */
    withy_parameter *parameter;        /* [parameters] */
    int parameters;
};
