// routers/relay/arriving_message.cpp: see arriving_message.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/arriving_message.hpp"

#include <sstream>
#include <string>

#include "configs/error.hpp"

namespace flitwave {
namespace {

/// The name of a header's field. `named`: destinations that the header lists.
std::string field_name(HeaderFormat format, std::int64_t named, std::int64_t field) {
  if (field == 0) return "header.k";
  if (field <= named) return "header.destinations[" + std::to_string(field - 1) + "]";
  if (field > named + 1) return "data";
  return format == HeaderFormat::source ? "header.source" : "header.control";
}

/// Throws: ConfigError when a router cannot serve the message whose first field has arrived.
void check_first(const ArrivalSite& site, const CubeHeader& header, std::int64_t header_flits,
                 std::int64_t length) {
  if (!site.rules.broadcaster && (header.for_all(site.cube) || !site.rules.greedy(header)))
    throw ConfigError("header.k", std::to_string(header.count) +
                                      " destinations, and the router has no broadcaster");
  if (length > site.buffer)
    throw ConfigError("data", "a message of " + std::to_string(length) + " flits, " +
                                  std::to_string(header_flits) +
                                  " of which are its header, is longer than the buffer of " +
                                  std::to_string(site.buffer) + " flits");
}

/// Checks that the fields that have arrived are those that were sent.
/// Throws: ConfigError on the field that arrived last.
void check_conserved(const CubeHeader& sent, const HeaderReader& arrived, HeaderFormat format) {
  const int last = arrived.taken() - 1;
  const int named = static_cast<int>(sent.destinations.size());
  if (last == 0 && named != arrived.named())
    throw ConfigError("header.k", "k is " + std::to_string(arrived.header().count) + ", but " +
                                      std::to_string(named) + " destinations follow");
  const auto field = [&](const CubeHeader& header) {
    if (last == 0) return header.count;
    return last <= named ? header.destinations[static_cast<std::size_t>(last - 1)] : header.last;
  };
  if (field(sent) != field(arrived.header()))
    throw ConfigError(field_name(format, named, last),
                      std::to_string(field(sent)) + " was sent, and " +
                          std::to_string(field(arrived.header())) + " has arrived");
}

}  // namespace

void ArrivingMessage::take(Flit flit, std::optional<FlitWord> word, const ArrivalSite& site) {
  if (flit.head() && received_ == 0) begin(flit, word, site);
  if (!expects(flit)) reject(site.messages, site.router.node(), flit);
  const std::int64_t field = site.messages.format().field;
  if (received_ >= header_flits_)
    field_ = word.value_or(0);
  else if (received_ > 0 && received_ % field == 0)
    read_field(word, site);
  ++received_;
}

void ArrivingMessage::take_end(Flit end) {
  if (received_ == 0) group_ = end;
  ++received_;
  truncate();
}

/// The first flit of a message, which carries k.
void ArrivingMessage::begin(Flit head, std::optional<FlitWord> word, const ArrivalSite& site) {
  group_ = head;
  reader_ = HeaderReader(site.cube, site.messages.format().header);
  read_field(word, site);
}

/// Throws: ModelError
void ArrivingMessage::read_field(std::optional<FlitWord> word, const ArrivalSite& site) {
  const RelayFormat& format = site.messages.format();
  const CubeHeader& sent = site.messages.header(group_, site.router.node());
  try {
    if (!word)
      throw ConfigError(field_name(format.header, named(), reader_.taken()),
                        "flit " + std::to_string(received_) + " carries no field");
    field_ = *word;
    reader_.take(field_);
    if (reader_.taken() == 1) {
      header_flits_ = reader_.length() * format.field;
      length_ = header_flits_ + site.messages.data(group_);
    }
    check_conserved(sent, reader_, format.header);
    if (reader_.taken() == 1) check_first(site, header(), header_flits_, length_);
  } catch (const ConfigError& error) {
    throw ModelError(std::string(site.router.name()) + " of node " +
                     site.messages.label(site.router.node()) + ": " + error.key() + ": " +
                     error.problem() + ", in a message from node " +
                     site.messages.label(group_.source()));
  }
}

void ArrivingMessage::reject(const RelayedMessages& messages, NodeId here,
                             std::optional<Flit> found) const {
  const RelayFormat& format = messages.format();
  std::ostringstream text;
  text << "router of node " << messages.label(here) << ": ";
  if (received_ > 0 && received_ >= length_)
    text << "data";
  else
    text << field_name(format.header, named(), received_ / format.field);
  text << ": flit " << received_ << " of an acknowledged message was due";
  if (length_ > 0) text << ", of " << length_;
  if (found)
    text << "; found " << text_of(*found, messages.label(found->source()));
  else
    text << "; none has come";
  throw ModelError(text.str());
}

}  // namespace flitwave
