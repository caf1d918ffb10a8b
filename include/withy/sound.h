/* withy/sound.h - sound of a result: probes to a WAV file. */
#pragma once

#include "withy/base.h"
#include "withy/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct withy_sound {
    const char *const *channel; /* "bridge" or "bridge.y": probe and component; without a component
                                 * the one that moves most.  NULL: every probe                   */
    int channel_count;          /* at most 64                                                    */
    double rate;                /* samples per second of the file; 0: as recorded          [Hz]  */
    int mono;                   /* 1: all channels mixed into one                                */
    double gain; /* full scale per unit of the probe; 0: the loudest sample reaches 0.9          */
} withy_sound;

/* What was written. */
typedef struct withy_sound_report {
    int channels;
    double rate;    /* [Hz] */
    double seconds; /* [s]  */
    double gain;    /* full scale per unit */
} withy_sound_report;

/* Write probes of a result as sound, their means subtracted.  `how` NULL: every probe as recorded.  All
 * must be recorded at one even interval.  `report` may be NULL. */
WITHY_API withy_status withy_result_sound(withy_result *result, const char *path,
                                          const withy_sound *how, withy_sound_report *report,
                                          withy_error *err);

#ifdef __cplusplus
}
#endif
