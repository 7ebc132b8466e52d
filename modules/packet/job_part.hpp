// modules/packet/job_part.hpp: the parts of a job that send packets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace flitwave {

/// The part of a job that sends a packet. Statistics are kept for each part, since a mean over
/// several parts would describe none of them.
enum class JobPart : std::uint8_t { collective, background, requests, replies };
constexpr std::size_t job_parts = 4;

constexpr const char* name_of(JobPart part) {
  constexpr const char* names[job_parts] = {"collective", "background", "requests", "replies"};
  return names[static_cast<std::size_t>(part)];
}

}  // namespace flitwave
