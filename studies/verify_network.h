/* verify_network.h - what the studies of networks share. */
#pragma once

#include "verify.h"

/* ---- verify_network_books.c -------------------------------------------------------------------------- */
void study_network_books(verify_log *log);
