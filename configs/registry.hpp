// configs/registry.hpp: kinds by name, with their descriptions, parameters and builders.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "configs/schema.hpp"

namespace flitwave {

/// A summary of a kind, its source, and examples.
struct About {
  std::string summary;  ///< One line, without a full stop.
  std::string source;  ///< Author, year and section; empty when it is an extension of this project.
  /// Sections of a job, e.g. "{kind: mesh, shape: [8, 8]}", for the manual and for tests that cover
  /// every kind.
  std::vector<std::string> examples{};
  /// Why this program cannot run the kind, e.g. since it was built without something; empty: it
  /// can.
  std::string unavailable{};
};

/// The description of a kind for the manual.
struct KindInfo {
  std::string name;
  About about;
  std::vector<ParameterInfo> parameters;
};

namespace detail {
/// The value of the key "kind" of a section.
/// Throws: ConfigError when the section is not a map, has no kind, or has a kind that is not
///   `known`.
std::string read_kind(const ConfigNode& section, const std::string& what,
                      const std::vector<std::string>& known);
/// `error` with the position of its key below `section`, unless it has a position already. A key
/// that does not start with the section's path is relative to the section.
ConfigError located(const ConfigError& error, const ConfigNode& section);
}  // namespace detail

/// For a concept whose kinds have no properties that are needed before they are built.
struct NoTraits {};

template <class Signature, class Traits = NoTraits>
class Bound;

/// A section of a job that was read and checked, but is not built yet.
///
/// The type of the parameters is erased; the builder of their kind restores it.
template <class Product, class... Context, class Traits>
class Bound<Product(Context...), Traits> {
 public:
  using Builder = std::function<Product(const void* params, Context...)>;

  Bound() = default;
  Bound(std::string kind, Traits traits, Printed parameters, ConfigNode section,
        std::shared_ptr<const void> params, Builder builder)
      : kind_(std::move(kind)),
        traits_(std::move(traits)),
        parameters_(std::move(parameters)),
        section_(std::move(section)),
        params_(std::move(params)),
        builder_(std::move(builder)) {}

  const std::string& kind() const { return kind_; }
  const Traits& traits() const { return traits_; }
  /// Every parameter with its value, defaults filled in.
  const Printed& parameters() const { return parameters_; }
  const ConfigNode& section() const { return section_; }

  /// Throws: ConfigError, located in the job, when the parameters do not fit the context.
  Product build(Context... context) const {
    try {
      return builder_(params_.get(), std::forward<Context>(context)...);
    } catch (const ConfigError& error) {
      throw detail::located(error, section_);
    }
  }

 private:
  std::string kind_;
  Traits traits_;
  Printed parameters_;
  ConfigNode section_;
  std::shared_ptr<const void> params_;
  Builder builder_;
};

template <class Signature, class Traits = NoTraits>
class Registry;

/// The kinds of one concept, e.g. all topologies. A kind is a function `Product(Context...)` from
/// the context (and its own parameters) to a product. `Traits` are the properties of a kind that
/// are needed before there is a product.
template <class Product, class... Context, class Traits>
class Registry<Product(Context...), Traits> {
 public:
  using BoundKind = Bound<Product(Context...), Traits>;

  /// `what` names the concept in messages, e.g. "topology".
  explicit Registry(std::string what) : what_(std::move(what)) {}

  /// `builder` is callable as (const Params&, Context...).
  template <class Params, class Builder>
  void add(std::string name, About about, Schema<Params> schema, Builder builder,
           Traits traits = {}) {
    KindInfo info = {name, std::move(about), schema.describe()};
    kinds_.insert_or_assign(
        std::move(name), Kind{std::move(info), std::move(traits), schema.fields(),
                              []() -> std::shared_ptr<void> { return std::make_shared<Params>(); },
                              [builder](const void* params, Context... context) -> Product {
                                return builder(*static_cast<const Params*>(params),
                                               std::forward<Context>(context)...);
                              }});
  }

  /// For a kind with parameters that are kinds of this registry themselves: after each section of
  /// the kind is read, calls `complete(Params&, const Registry&)`, which may throw ConfigError.
  /// Needs: the kind was added with these parameters.
  template <class Params, class Complete>
  void add_completion(const std::string& name, Complete complete) {
    kinds_.at(name).complete = [complete](void* params, const Registry& registry) {
      complete(*static_cast<Params*>(params), registry);
    };
  }

  /// `written`: a map with the key `kind`, or the name of a kind alone.
  /// Throws: ConfigError for an unknown kind or wrong parameters, at their positions.
  BoundKind bind(const ConfigNode& written) const {
    const ConfigNode section = written.is_scalar() ? written.under("kind") : written;
    const Kind& kind = kinds_.at(detail::read_kind(section, what_, names()));
    const std::shared_ptr<void> params = kind.make_params();
    kind.fields.parse(section, {"kind"}, params.get());
    if (kind.complete) kind.complete(params.get(), *this);
    return BoundKind(kind.info.name, kind.traits, kind.fields.print(params.get()), section, params,
                     kind.builder);
  }

  const std::string& what() const { return what_; }
  /// In alphabetical order.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : kinds_) names.push_back(entry.first);
    return names;
  }
  /// Each as a manual shows it, in alphabetical order.
  std::vector<KindInfo> kinds() const {
    std::vector<KindInfo> kinds;
    for (const auto& entry : kinds_) kinds.push_back(entry.second.info);
    return kinds;
  }
  /// For those that go through all kinds and run them: removes the kinds that are unavailable.
  void drop_unavailable() {
    for (auto kind = kinds_.begin(); kind != kinds_.end();)
      kind = kind->second.info.about.unavailable.empty() ? std::next(kind) : kinds_.erase(kind);
  }
  bool contains(const std::string& name) const { return kinds_.count(name) > 0; }
  const KindInfo& info(const std::string& name) const { return kinds_.at(name).info; }
  const Traits& traits(const std::string& name) const { return kinds_.at(name).traits; }

 private:
  struct Kind {
    KindInfo info;
    Traits traits;
    detail::Fields fields;
    std::shared_ptr<void> (*make_params)();  ///< Parameters with their defaults.
    typename BoundKind::Builder builder;
    std::function<void(void* params, const Registry&)> complete{};  ///< May be empty.
  };

  std::string what_;
  std::map<std::string, Kind> kinds_;
};

}  // namespace flitwave
