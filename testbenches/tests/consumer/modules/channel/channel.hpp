// testbenches/tests/consumer/modules/channel/channel.hpp: a user's own header with the same name as
// one of ours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

constexpr int own_channels = 1;
