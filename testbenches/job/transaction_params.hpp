// testbenches/job/transaction_params.hpp: the section of a job about TLM transactions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "configs/schema.hpp"
#include "modules/tlm/address_map.hpp"
#include "modules/tlm/interconnect.hpp"

namespace flitwave {

/// An entry of the address map.
struct RegionParams {
  Address base;
  Bytes size{0};
  ConfigNode node;
  std::string device;
  Place place{};     ///< Of the entry.
  std::string path;  ///< Of the entry, e.g. "transactions.map[0]".
};
template <>
struct Codec<RegionParams> {
  static RegionParams read(const ConfigNode& node);
  static std::string print(const RegionParams& value);
  static ValueType type();
};

/// Section `transactions`.
struct TransactionParams : TransactionSizes {
  std::vector<RegionParams> map;
  int message_classes = 1;
  Cycles answer_within{100'000};
};
Schema<TransactionParams> transaction_schema();

}  // namespace flitwave
