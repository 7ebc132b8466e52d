// testbenches/tests/sc_main.cpp: the entry point that libsystemc requires; Catch2's own main runs
// the tests.
// SPDX-License-Identifier: Apache-2.0
#include <systemc>

int sc_main(int, char*[]) { return 0; }
