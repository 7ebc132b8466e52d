// modules/interface/exchange.cpp: the exchange of each handshake that has one.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/exchange.hpp"

#include "modules/interface/circuit_exchange.hpp"
#include "modules/interface/request_exchange.hpp"

namespace flitwave {

std::unique_ptr<Exchange> make_exchange(Handshake handshake, const ExchangeSite& site) {
  switch (handshake) {
    case Handshake::acknowledge:
      return std::make_unique<CircuitExchange>(site);
    case Handshake::request:
      return std::make_unique<RequestExchange>(site);
    case Handshake::credit:
    case Handshake::ready_valid:
      break;
  }
  return nullptr;
}

}  // namespace flitwave
