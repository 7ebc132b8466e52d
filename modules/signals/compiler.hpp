// modules/signals/compiler.hpp: hints for the compiler and the processor's cache.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>

/// Precedes a function that runs in every cycle: the compiler inlines all calls in it whose code it
/// has. Code that runs rarely is in another source.
#define FLITWAVE_HOT [[gnu::flatten]]
/// Precedes a function that is not inlined, so that its callers stay small.
#define FLITWAVE_APART [[gnu::noinline]]

namespace flitwave {

/// Unit: byte
constexpr std::size_t cache_line = 64;

/// A base of objects that ticks read: an object of the class begins a line of the cache.
struct alignas(cache_line) CacheLine {};

/// Whether so many objects of a type fit in a line of the cache.
template <class T, std::size_t Objects = 1>
constexpr bool fits_in_line = Objects * sizeof(T) <= cache_line;

/// Prefetches the first lines of an object into the cache.
inline void prefetch(const void* where, std::size_t lines) {
  for (std::size_t line = 0; line < lines; ++line)
    __builtin_prefetch(static_cast<const char*>(where) + line * cache_line);
}

/// Memory for data that ticks read: contiguous in the order of allocation, freed all at once.
class HotMemory {
 public:
  /// Shape: one value
  template <class T, class... Args>
  T& place(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return *new (store_.allocate(sizeof(T), alignof(T))) T(std::forward<Args>(args)...);
  }
  /// A row of values without destructors. A row of a line's size or more begins a line.
  /// Shape: [count]
  template <class T>
  T* make(int count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return make_owned<T>(count);
  }
  /// The same; the caller calls the destructors.
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
