// modules/wire.hpp: signals of a clock domain: read by anybody, committed all at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <systemc>

namespace flitwave {

/// Whoever commits a wire that somebody outside the domain wrote.
class WireOwner {
 public:
  virtual void written_from_outside() = 0;

 protected:
  ~WireOwner() = default;
};

namespace detail {

/// An event that exists once somebody asks for it.
class LazyEvent {
 public:
  const sc_core::sc_event& get() const;
  void notify() const {
    if (event_) event_->notify(sc_core::SC_ZERO_TIME);
  }

 private:
  mutable std::unique_ptr<sc_core::sc_event> event_;
};

}  // namespace detail

/// A signal whose owner commits it in the update phase: to everybody else it behaves as an
/// sc_signal<T> does. `sc_in<T>` binds to it, processes are sensitive to it, `sc_trace` sees it.
template <class T>
class BasicWire : public sc_core::sc_signal_inout_if<T> {
 public:
  T current{};  ///< The committed value.
  T next{};     ///< The value to commit.

  void set_owner(WireOwner& owner) { owner_ = &owner; }

  const sc_core::sc_event& default_event() const override { return changed_.get(); }
  const sc_core::sc_event& value_changed_event() const override { return changed_.get(); }
  const T& read() const override { return current; }
  const T& get_data_ref() const override { return current; }
  bool event() const override {
    return stamp_ == sc_core::sc_get_curr_simcontext()->change_stamp();
  }
  /// For foreign modules (RTL in a router's place); modules of the domain use their lane.
  void write(const T& value) override {
    next = value;
    owner_->written_from_outside();
  }

 protected:
  detail::LazyEvent changed_;
  sc_dt::uint64 stamp_ = ~sc_dt::uint64{0};

 private:
  WireOwner* owner_ = nullptr;
};

template <class T>
class Wire final : public BasicWire<T> {
 public:
  /// Makes the next value the current one and notifies those who listen. Update phase only.
  void commit(sc_dt::uint64 stamp) {
    if (this->next == this->current) return;
    this->current = this->next;
    this->stamp_ = stamp;
    this->changed_.notify();
  }
};

template <>
class Wire<bool> final : public BasicWire<bool> {
 public:
  const sc_core::sc_event& posedge_event() const override { return rises_.get(); }
  const sc_core::sc_event& negedge_event() const override { return falls_.get(); }
  bool posedge() const override { return event() && current; }
  bool negedge() const override { return event() && !current; }

  void commit(sc_dt::uint64 stamp) {
    if (next == current) return;
    current = next;
    stamp_ = stamp;
    changed_.notify();
    (current ? rises_ : falls_).notify();
  }

 private:
  detail::LazyEvent rises_;
  detail::LazyEvent falls_;
};

}  // namespace flitwave
