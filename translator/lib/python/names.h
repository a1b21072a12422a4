#pragma once

// What names of a Python source mean: through its imports, and by what they are called.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/python/tree.h"

namespace musashim::translator {

class PythonNames {
 public:
  /// Reads all imports and functions' parameters below `node`.
  void collect(const PythonNode& node, int depth = 0);
  /// torch.distributed.Backend for dist.Backend after `import torch.distributed as dist`; the path as it is
  /// written if its first name was not imported. Empty for what is no path of names.
  std::string pathOf(const PythonNode& expression, int depth = 0) const;
  /// Was `module`, or one below it, imported?
  bool has(std::string_view module) const;
  /// The name of the parameter at `position` (without self) of the source's own function of this name; empty
  /// if there is none, or if several differ.
  std::string_view parameterOf(std::string_view function, std::size_t position) const;

 private:
  void collectFunction(const PythonNode& definition);
  void collectImport(const PythonNode& statement);
  void collectFrom(const PythonNode& statement);

  std::map<std::string, std::string, std::less<>> names_;  // in the source => the whole path
  std::map<std::string, std::vector<std::string>, std::less<>> parameters_;  // by the function's name
};

/// The last name of an expression: device of args.device and of cfg["device"], get_device of get_device().
std::string_view finalName(const PythonNode& expression, int depth = 0);

/// Is what an expression says a device (torch.device or its name), as far as its name tells?
bool isDeviceLike(const PythonNode& expression);
bool isDeviceName(std::string_view name);
/// A backend of torch.distributed.
bool isBackendName(std::string_view name);

/// Is torch there: an import of it, in any form?
bool importsTorch(std::string_view text);

}  // namespace musashim::translator
