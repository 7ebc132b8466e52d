// modules/signals/link.cpp: see link.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/signals/link.hpp"

#include <string>

#include "configs/error.hpp"

namespace flitwave::detail {

void refuse_second_end(const char* which) {
  throw ModelError(std::string("a link has one ") + which + ", and has it already");
}

}  // namespace flitwave::detail
