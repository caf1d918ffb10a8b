/* verify_network.h - what the studies of networks share. */
#pragma once

#include "verify.h"

/* ---- verify_network_ledger.c -------------------------------------------------------------------------- */
void study_network_ledger_sums(verify_log *log);
