#pragma once

// Which language a build file, a script or a Python source is in.

#include <cstdint>
#include <string_view>

namespace musashim::translator {

enum class Dialect : std::uint8_t {
  None,
  CMake,
  Make,
  Shell,  // scripts, environment files, CI files in YAML: words
  Docker,
  Python,  // .py; setup.py, SConstruct and Meson's and Bazel's files, too, which have Python's words
};

/// By the file's name.
Dialect dialectOf(std::string_view path);

}  // namespace musashim::translator
