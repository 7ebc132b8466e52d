// modules/signals/one_end.cpp: see one_end.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/signals/one_end.hpp"

#include <string>

#include "configs/error.hpp"

namespace flitwave::detail {

void give_once(bool& given, const char* end) {
  if (std::exchange(given, true))
    throw ModelError(std::string("a link has one ") + end + ", and has it already");
}

}  // namespace flitwave::detail
