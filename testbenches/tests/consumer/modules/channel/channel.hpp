// testbenches/tests/consumer/modules/channel/channel.hpp: a user's own header under the name of one
// of ours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

constexpr int own_channels = 1;
