// tools/commands/main.hpp: the program flitwave as a function, for programs with kinds of their
// own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/catalog.hpp"

namespace flitwave {

/// The program `flitwave`, every command of it, with the kinds of a catalogue: for the `main` of a
/// program. Handles signals of interruption; prints errors; so nothing is thrown.
///
/// `argc`, `argv`: those of the program's `main`.
/// Returns: the exit code: 0 done, 2 wrong job, 3 deadlock, 4 expectation or limit missed or error
///   of a design, 5 files or system, 6 failed points of a sweep, 70 error of the program, 130
///   interrupted.
int main(int argc, char** argv, const Catalog& catalog);

}  // namespace flitwave
