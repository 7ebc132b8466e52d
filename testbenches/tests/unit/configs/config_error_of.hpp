// testbenches/tests/unit/configs/config_error_of.hpp: errors that bad input causes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "configs/error.hpp"

namespace flitwave {

/// The ConfigError that `action` throws; a test without one fails.
template <class Action>
ConfigError config_error_of(Action action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error;
  }
  throw std::logic_error("accepted what should have been rejected");
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace flitwave
