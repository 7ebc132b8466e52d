// modules/signals/one_end.hpp: the end of a link, which one owner has.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace flitwave::detail {

/// A base of the ends of links: can be moved, but not copied.
template <class Of>
class OneEnd {
 public:
  /// Whether it is the end of a link.
  explicit operator bool() const { return of_ != nullptr; }

 protected:
  OneEnd() = default;
  explicit OneEnd(Of& of) : of_(&of) {}
  OneEnd(OneEnd&& from) noexcept : of_(std::exchange(from.of_, nullptr)) {}
  OneEnd& operator=(OneEnd&& from) noexcept {
    of_ = std::exchange(from.of_, nullptr);
    return *this;
  }
  ~OneEnd() = default;

  Of& of() const { return *of_; }

 private:
  Of* of_ = nullptr;
};

/// Records that an end was taken. Throws: ModelError when it was taken before.
void give_once(bool& given, const char* end);

}  // namespace flitwave::detail
