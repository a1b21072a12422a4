// A backend without devices: for MUSASHIM_BACKEND=null and for unusable settings.
// Also the place to start a new backend from.
#pragma once

#include "interface/backend.h"

namespace musashim::backend {

class NullBackend final : public Backend {
 public:
  std::string_view name() const override { return "null"; }
  size_t deviceCount() const override { return 0; }
  Device& device(size_t index) override;  // nobody may call this: there is none
  Status allocateHost(size_t bytes, void** pointer) override;
  Status releaseHost(void* pointer) override;
  int64_t now() const override;
};

}  // namespace musashim::backend
