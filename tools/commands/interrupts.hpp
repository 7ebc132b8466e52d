// tools/commands/interrupts.hpp: ctrl-C, counted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace flitwave {

/// After this call ctrl-C and requests to terminate end the program at once with exit code 130,
/// except while they are counted, or where they are ignored.
void end_at_interrupts();

/// During its lifetime, ctrl-C and requests to terminate are counted instead of ending the program.
/// One at a time.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  int count() const;

 private:
  struct sigaction before_int_ {};
  struct sigaction before_term_ {};
};

}  // namespace flitwave
