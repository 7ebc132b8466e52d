// routers/parts/allocator.hpp: matching of requesters that each request several resources.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "routers/parts/arbiter.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// The method by which requests are matched.
enum class AllocatorKind {
  separable_input_first,   ///< Every input selects one request, then every output grants one.
  separable_output_first,  ///< Every output grants one request, then every input accepts one.
  islip,                   ///< The same, but priorities are ignored.
};
std::vector<std::string> names_of(AllocatorKind);

/// The rules of an allocator.
struct AllocatorRule {
  AllocatorKind kind = AllocatorKind::separable_input_first;
  int iterations = 1;  ///< Later ones match the remaining inputs and outputs. Range: >= 1
  Arbitration arbitration = Arbitration::round_robin;
};

/// The times of a request, by which arbiters order requests.
struct RequestAge {
  Cycle since = 0;
  Cycle created = 0;
};

/// Matches inputs to outputs: at most one of each. One arbiter per input chooses among outputs and
/// one per output among inputs. Only the arbiters of pairs that were matched in the first iteration
/// are updated.
///
/// Source: Becker & Dally 2009, "Allocator implementations for network-on-chip routers"; McKeown
///   1999, "The iSLIP scheduling algorithm for input-queued switches".
class Allocator {
 public:
  /// `purpose` and `place` identify the streams of the random rule.
  Allocator(const AllocatorRule& rule, int inputs, int outputs, std::uint64_t seed,
            std::string_view purpose, std::uint64_t place);

  /// Removes all requests and matches.
  void clear();
  /// Adds a request; of the requests at an arbiter, only those of the highest priority count.
  void request(int input, int output, int priority, const RequestAge& age);
  void allocate();

  /// The output that was granted to an input, or -1.
  int output_of(int input) const { return inputs_.match[index(input)]; }

 private:
  struct Wish {
    int input;
    int output;
    int priority;
    RequestAge age;
  };
  struct Side {
    std::vector<Arbiter> arbiters;
    std::vector<int> match;                // the other side's number, or -1
    std::vector<std::vector<int>> wishes;  // per number: indices into wishes_
    std::vector<std::vector<int>> offers;  // scratch: wishes that the other side has selected
    std::vector<int> active;               // numbers with wishes
  };

  static int number(const Wish& wish, bool input) { return input ? wish.input : wish.output; }
  void match(Side& first, Side& second, bool input_first, bool moves);
  int choose(Side& side, int chooser, bool input, const std::vector<int>& wishes);

  AllocatorRule rule_;
  Side inputs_;
  Side outputs_;
  std::vector<Wish> wishes_;
  std::vector<int> best_;          // scratch
  std::vector<Request> requests_;  // scratch
};

}  // namespace flitwave
