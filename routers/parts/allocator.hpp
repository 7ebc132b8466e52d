// routers/parts/allocator.hpp: who gets what, when many ask for several things at once.
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

/// How a matching of inputs to outputs is found from their requests.
enum class AllocatorKind {
  separable_input_first,   ///< Every input settles on one request, then every output grants one.
  separable_output_first,  ///< Every output grants one request, then every input takes one grant.
  islip,                   ///< The same, but no request goes before another by its priority.
};
std::vector<std::string> names_of(AllocatorKind);

/// How an allocator decides.
struct AllocatorRule {
  AllocatorKind kind = AllocatorKind::separable_input_first;
  int iterations = 1;  ///< Further ones match inputs and outputs that are left. Range: >= 1
  Arbitration arbitration = Arbitration::round_robin;
};

/// Who asks an arbiter, beside what for.
struct Asker {
  Cycle since = 0;
  Cycle created = 0;
};

/// Matches inputs to outputs: at most one of each. One arbiter per input chooses among outputs and
/// one per output among inputs; the arbiters of a pair that was matched in the first iteration move
/// on, and no others.
///
/// Source: Becker & Dally 2009, "Allocator implementations for network-on-chip routers"; McKeown
///   1999, "The iSLIP scheduling algorithm for input-queued switches".
class Allocator {
 public:
  /// `purpose` and `place` name the streams of the random rule.
  Allocator(const AllocatorRule& rule, int inputs, int outputs, std::uint64_t seed,
            std::string_view purpose, std::uint64_t place);

  /// Forgets requests and matches.
  void clear();
  /// Adds a request; of those that meet at an arbiter, only the ones of the highest priority count.
  void request(int input, int output, int priority, const Asker& asker);
  void allocate();

  /// The output that an input was given, or -1.
  int output_of(int input) const { return inputs_.match[index(input)]; }

 private:
  struct Wish {
    int input;
    int output;
    int priority;
    Asker asker;
  };
  struct Side {
    std::vector<Arbiter> arbiters;
    std::vector<int> match;                // the other side's number, or -1
    std::vector<std::vector<int>> wishes;  // per number: indices into wishes_
    std::vector<std::vector<int>> offers;  // scratch: those that the other side settled on
    std::vector<int> asked;                // numbers with wishes
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
