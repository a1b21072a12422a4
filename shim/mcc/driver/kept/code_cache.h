// Keeps the code that device passes make on disk (core/cache_folder.h), and takes it from there where one
// would make the same: device_plugin/code_cache/ says when that is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mcc/driver/process.h"

namespace musashim::mcc {

class DeviceCodeCache final : public StepChanges {
 public:
  // `plugin`: by which device passes are known; `temporary`: this mcc's own folder.
  DeviceCodeCache(std::string plugin, std::string temporary);

  // A device pass that makes an object and nothing else, with the pass that looks for known code; any other
  // command as it is.
  std::vector<std::string> use(const std::vector<std::string>& command) const override;
  int ended(const std::vector<std::string>& command, int status) const override;

 private:
  std::string plugin_;
  std::string temporary_;
  std::string folder_;
};

// What of a device pass the code depends on that the module does not say, one option a line. Nothing where
// the code is not all that the pass makes or says.
std::optional<std::string> codeOptions(const std::vector<std::string>& command, const std::string& plugin);

}  // namespace musashim::mcc
