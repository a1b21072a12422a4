#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace musashim::translator {

/// The run cannot go on. what() is one line for the user: the file, what is wrong, what to do.
class PortError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "PATH: cannot VERB: <errno text>[; remedy]"
PortError systemError(const std::filesystem::path& path, const std::string& verb, int error);

/// The user asked to stop (Ctrl-C).
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted: nothing was written") {}
};

}  // namespace musashim::translator
