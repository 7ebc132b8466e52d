// modules/signals/wire.hpp: signals of a clock domain: read by any module, committed all at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <typeinfo>

#include <systemc>

namespace flitwave {

/// Commits a wire that a module outside the domain drives.
class WireOwner {
 public:
  /// A port that can write is bound to the wire.
  virtual void driven_from_outside() = 0;
  virtual void written_from_outside() = 0;

 protected:
  ~WireOwner() = default;
};

namespace detail {

/// An event that is created at the first request.
class LazyEvent {
 public:
  /// Sets `requested` at the first request.
  const sc_core::sc_event& get(bool& requested) const;
  void notify() const {
    if (event_) event_->notify(sc_core::SC_ZERO_TIME);
  }

 private:
  mutable std::unique_ptr<sc_core::sc_event> event_;
};

}  // namespace detail

/// Of wires that are committed together: when they changed last, which changed, and whether an
/// event of one of them was requested.
struct WireChange {
  const sc_dt::uint64& stamp;  ///< SystemC's number of the delta cycle.
  const std::uint8_t& wires;   ///< A bit per wire.
  bool& watched;
};

/// A signal whose value its owner stores and commits in the update phase. To all others it behaves
/// as an sc_signal<T>: `sc_in<T>` binds to it, processes are sensitive to it, `sc_trace` records
/// it.
template <class T>
class BasicWire : public sc_core::sc_signal_inout_if<T> {
 public:
  /// `current` is the committed value, `next` the one to commit; `bit`: the wire's in
  /// `change.wires`. The objects outlive the wire.
  BasicWire(WireOwner& owner, const T& current, T& next, const WireChange& change, std::uint8_t bit)
      : owner_(owner), current_(current), next_(next), change_(change), bit_(bit) {}

  const sc_core::sc_event& default_event() const override { return value_changed_event(); }
  const sc_core::sc_event& value_changed_event() const override {
    return changed_.get(change_.watched);
  }
  const T& read() const override { return current_; }
  const T& get_data_ref() const override { return current_; }
  bool event() const override {
    return change_.stamp == sc_core::sc_get_curr_simcontext()->change_stamp() &&
           (change_.wires & bit_) != 0;
  }
  void register_port(sc_core::sc_port_base&, const char* interface) override {
    if (std::strcmp(interface, typeid(sc_core::sc_signal_inout_if<T>).name()) == 0)
      owner_.driven_from_outside();
  }
  /// For foreign modules (RTL that replaces a router); modules of the domain use its link.
  void write(const T& value) override {
    next_ = value;
    owner_.written_from_outside();
  }

 protected:
  WireOwner& owner_;
  const T& current_;
  T& next_;
  WireChange change_;
  std::uint8_t bit_;
  detail::LazyEvent changed_;
};

template <class T>
class Wire final : public BasicWire<T> {
 public:
  using BasicWire<T>::BasicWire;
  /// The value has changed: notifies the processes that are sensitive to it. Update phase only.
  void notify() { this->changed_.notify(); }
};

template <>
class Wire<bool> final : public BasicWire<bool> {
 public:
  using BasicWire<bool>::BasicWire;
  const sc_core::sc_event& posedge_event() const override { return rises_.get(change_.watched); }
  const sc_core::sc_event& negedge_event() const override { return falls_.get(change_.watched); }
  bool posedge() const override { return event() && current_; }
  bool negedge() const override { return event() && !current_; }

  void notify() {
    changed_.notify();
    (current_ ? rises_ : falls_).notify();
  }

 private:
  detail::LazyEvent rises_;
  detail::LazyEvent falls_;
};

}  // namespace flitwave
