#include "translator/lib/build/dialect.h"

#include <algorithm>
#include <array>

namespace musashim::translator {
namespace {

template <std::size_t N>
bool endsWithAny(std::string_view name, const std::array<std::string_view, N>& suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(),
                     [&](std::string_view suffix) { return name.ends_with(suffix); });
}

template <std::size_t N>
bool isAny(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Dialect dialectOf(std::string_view path) {
  static constexpr std::array<std::string_view, 2> kCMake = {".cmake", ".cmake.in"};
  static constexpr std::array<std::string_view, 6> kMake = {".mk",    ".mak",        ".make",
                                                            ".mk.in", "Makefile.in", "Makefile.am"};
  static constexpr std::array<std::string_view, 6> kShell = {".sh",  ".bash",  ".zsh",
                                                             ".env", ".slurm", ".sbatch"};
  static constexpr std::array<std::string_view, 6> kPython = {".py",    ".pyi", ".py.in",
                                                              ".bazel", ".bzl", ".pyx"};
  static constexpr std::array<std::string_view, 7> kPythonNames = {
      "meson.build", "meson_options.txt", "meson.options", "BUILD", "WORKSPACE", "SConstruct", "SConscript"};
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name == "CMakeLists.txt" || endsWithAny(name, kCMake)) return Dialect::CMake;
  if (name == "GNUmakefile" || name.starts_with("Makefile") || name.starts_with("makefile") ||
      endsWithAny(name, kMake))
    return Dialect::Make;
  if (name.starts_with("Dockerfile") || name == "Containerfile" || name.ends_with(".dockerfile"))
    return Dialect::Docker;
  if (endsWithAny(name, kPython) || isAny(name, kPythonNames)) return Dialect::Python;
  if (endsWithAny(name, kShell) || name == "configure.ac" || name == ".env" || name == "CMakePresets.json")
    return Dialect::Shell;
  return Dialect::None;
}

}  // namespace musashim::translator
