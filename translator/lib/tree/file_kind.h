#pragma once

// What a file is to the port, and what it will be called, by its name.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "translator/lib/names/lexicon.h"

namespace musashim::translator {

enum class FileKind : std::uint8_t {
  Source,  // C, C++ or CUDA: ported
  Build,   // Makefile, CMakeLists.txt, setup.py, scripts, Python: ported by their own languages
  Native,  // .mu, .muh: MUSA already
  Other,   // copied
  Link,    // a symbolic link: made again, never followed
  Record,  // what an earlier port of this folder changed
};

FileKind kindOf(std::string_view path, Direction direction = Direction::ToMusa);
/// .cu -> .mu and .cuh -> .muh, or back; any other name as it is.
std::string portedName(std::string_view path, Direction direction = Direction::ToMusa);
/// Does the port give the file another name?
bool isRenamed(std::string_view path, Direction direction = Direction::ToMusa);
/// The last part of a path.
std::string_view nameIn(std::string_view path);

}  // namespace musashim::translator
