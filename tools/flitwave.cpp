// tools/flitwave.cpp: the program, with the kinds of this tree.
// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/main.hpp"

int main(int argc, char** argv) { return flitwave::main(argc, argv, flitwave::standard_catalog()); }
