/* record.h - the sink into memory; the state that open finds in *state is a withy_record. */
#pragma once

#include "sink/sink.h"
#include "withy/record.h"

extern const wy_sink wy_record_sink;
