// testbenches/waves/files/fst_writer.cpp: GTKWave's writer of FST, from the files of Verilator.
// SPDX-License-Identifier: Apache-2.0
// [compiled alone]
#ifdef FLITWAVE_FSTAPI
#define FST_CONFIG_INCLUDE "fst_config.h"
#include <gtkwave/fastlz.c>
#include <gtkwave/fstapi.c>
#include <gtkwave/lz4.c>
#endif
