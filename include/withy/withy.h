/* withy/withy.h - everything. */
#pragma once

#include "withy/base.h"
#include "withy/compare.h"
#include "withy/fit.h"
#include "withy/gradient.h"
#include "withy/list.h"
#include "withy/math.h"
#include "withy/output.h"
#include "withy/problem.h"
#include "withy/record.h"
#include "withy/result.h"
#include "withy/scene.h"
#include "withy/sim.h"
#include "withy/snapshot.h"
#include "withy/sound.h"
#include "withy/spectrum.h"
#include "withy/study.h"
