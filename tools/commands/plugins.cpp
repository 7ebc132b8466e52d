// tools/commands/plugins.cpp: see plugins.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/plugins.hpp"

#include <dlfcn.h>
#include <string_view>

#include "configs/error.hpp"
#include "configs/version.hpp"

namespace flitwave {

namespace {

// What a plug-in defines, with C linkage; see plugin_kinds.cpp.in.
constexpr const char* version_symbol = "flitwave_plugin_version";  // const char[]
constexpr const char* add_symbol = "flitwave_plugin_add";          // void(flitwave::Catalog*)
using AddKinds = void (*)(Catalog*);

std::string last_error() {
  const char* const text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

}  // namespace

void load_plugin(const std::string& path, Catalog& catalog) {
  // The loader looks up names without a slash in the system's folders only.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  const std::string refusal = library == nullptr ? last_error() : "";
  // One of another version may need functions that this program does not have: its version first.
  if (library == nullptr) library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr)
    throw ConfigError("--plugin", "cannot load the plug-in " + refusal,
                      "give the file that flitwave_add_plugin has built");
  const auto* const built_for = static_cast<const char*>(dlsym(library, version_symbol));
  void* const add = dlsym(library, add_symbol);
  if (built_for == nullptr || add == nullptr)
    throw ConfigError("--plugin", path + " is no plug-in of Flitwave",
                      "build it with flitwave_add_plugin; see docs/extending.md");
  if (std::string_view(built_for) != version())
    throw ConfigError("--plugin",
                      path + " was built for Flitwave " + built_for + ", and this is " + version(),
                      "build it again with the package of this version");
  if (!refusal.empty())
    throw ConfigError("--plugin", "cannot load the plug-in " + refusal,
                      "build it again with the package of this version");
  try {
    reinterpret_cast<AddKinds>(add)(&catalog);
  } catch (const std::exception& error) {
    throw SystemFailure("the plug-in " + path + " failed: " + error.what());
  }
}

}  // namespace flitwave
