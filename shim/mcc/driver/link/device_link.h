// The device link: one image per architecture of all units that were compiled with -dc,
// in an object that the program is linked with.
//
//   units' bitcode --merge--> module --clang -cc1 + mcc-device.so--> object --lld--> image
//   images --> offload bundle --> link object
#pragma once

#include <string>
#include <vector>

#include "device_unit.h"
#include "mcc/driver/compile/device_image.h"
#include "mcc/driver/options/options.h"

namespace musashim::mcc {

class DeviceLinker {
 public:
  DeviceLinker(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
               const TemporaryFolder& temporary)
      : toolchain_(toolchain), options_(options), runner_(runner), temporary_(temporary) {}

  // Writes the link object of `units` to `output`. Returns an exit status; mistakes in the
  // units (symbols defined twice or nowhere, no common architecture) are printed.
  int link(const std::vector<DeviceUnit>& units, const std::string& output);

 private:
  // What is compiled for some architectures: an element per unit.
  using Codes = std::vector<const UnitCode*>;

  bool chooseArchs(const std::vector<DeviceUnit>& units, std::vector<uint32_t>& archs) const;
  int makeImage(const std::vector<DeviceUnit>& units, const Codes& codes, const std::vector<uint32_t>& archs,
                std::string& image);
  bool merge(const std::vector<DeviceUnit>& units, const Codes& codes, const std::vector<uint32_t>& archs,
             const std::string& output) const;
  int writeLinkObject(const std::vector<DeviceUnit>& units, const std::string& bundle,
                      const std::string& output) const;

  const Toolchain& toolchain_;
  const Options& options_;
  const StepRunner& runner_;
  const TemporaryFolder& temporary_;
  unsigned sequence_ = 0;
};

}  // namespace musashim::mcc
