// modules/signals/compiler.hpp: what is written for the compiler and the processor's cache.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>

/// Before a function that runs in every cycle: it is compiled into one with all that it calls and
/// whose code is seen. What is rare has its code in another source.
#define FLITWAVE_HOT [[gnu::flatten]]

namespace flitwave {

/// Unit: byte
constexpr std::size_t cache_line = 64;

/// A base of what ticks look at: an object of the class begins a line of the cache.
struct alignas(cache_line) CacheLine {};

/// Whether so many objects of a type have space in a line of the cache.
template <class T, std::size_t Objects = 1>
constexpr bool fits_in_line = Objects * sizeof(T) <= cache_line;

/// Gets the first of some lines into the cache while something else is done.
inline void prefetch(const void* where, std::size_t lines) {
  for (std::size_t line = 0; line < lines; ++line)
    __builtin_prefetch(static_cast<const char*>(where) + line * cache_line);
}

/// Memory for what ticks look at: side by side in the order of making, freed all at once.
class HotMemory {
 public:
  /// Shape: one value
  template <class T, class... Args>
  T& place(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return *new (store_.allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
  }
  /// A row of values, which no destructor is called of. One as long as a line begins a line.
  /// Shape: [count]
  template <class T>
  T* make(int count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return make_owned<T>(count);
  }
  /// The same; who makes it calls the destructors.
  template <class T>
  T* make_owned(int count) {
    const auto size = static_cast<std::size_t>(count);
    const std::size_t bytes = size * sizeof(T);
    const std::size_t start = bytes < cache_line ? alignof(T) : cache_line;
    T* values = static_cast<T*>(store_.allocate(bytes, start));
    std::uninitialized_value_construct_n(values, size);
    return values;
  }

 private:
  std::pmr::monotonic_buffer_resource store_{std::size_t{1} << 20};
};

}  // namespace flitwave
