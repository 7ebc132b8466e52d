// routers/relay/coming_message.cpp: see coming_message.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/coming_message.hpp"

#include <sstream>
#include <string>

#include "configs/error.hpp"

namespace flitwave {
namespace {

/// Throws: ConfigError on the field.
void check(const RelayedMessages& messages, const Cube& cube, const RelayRules& rules,
           const CubeHeader& header, std::int64_t data, std::int64_t buffer) {
  check_header(cube, header, messages.format().header);
  if (!rules.broadcaster && (header.for_all(cube) || !rules.greedy(header)))
    throw ConfigError("header.k", std::to_string(header.count) +
                                      " destinations, and the router has no broadcaster");
  const std::int64_t leads = messages.format().leads(header);
  if (leads + data > buffer)
    throw ConfigError("data", "a message of " + std::to_string(leads + data) + " flits, " +
                                  std::to_string(leads) +
                                  " of which are its header, is longer than the buffer, of " +
                                  std::to_string(buffer));
}

/// Of which a flit is a part.
std::string field_at(const RelayFormat& format, const CubeHeader& header, std::int64_t flit) {
  const auto named = static_cast<std::int64_t>(header.destinations.size());
  const std::int64_t field = flit / format.field;
  if (field == 0) return "header.k";
  if (field <= named) return "header.destinations[" + std::to_string(field - 1) + "]";
  if (field > named + 1) return "data";
  return format.header == HeaderFormat::source ? "header.source" : "header.control";
}

}  // namespace

void check_coming(const Router& router, const RelayedMessages& messages, const Cube& cube,
                  const RelayRules& rules, Flit head, std::int64_t buffer) {
  try {
    check(messages, cube, rules, messages.header(head, router.node()), messages.data(head), buffer);
  } catch (const ConfigError& error) {
    throw ModelError(std::string(router.name()) + " of node " + messages.label(router.node()) +
                     ": " + error.key() + ": " + error.problem() + ", in a message from node " +
                     messages.label(head.source()));
  }
}

void refuse_flit(NodeId node, const RelayedMessages& messages, const ComingMessage& coming,
                 std::optional<Flit> found) {
  std::ostringstream text;
  text << "router of node " << messages.label(node) << ": ";
  if (coming.received == 0)
    text << "header.k";
  else if (coming.received >= coming.length)
    text << "data";
  else
    text << field_at(messages.format(), messages.header(coming.group, node), coming.received);
  text << ": flit " << coming.received << " of an acknowledged message was due";
  if (coming.length > 0) text << ", of " << coming.length;
  if (found)
    text << "; found " << text_of(*found, messages.label(found->source()));
  else
    text << "; none has come";
  throw ModelError(text.str());
}

}  // namespace flitwave
