// Chooses the backend of the process.
#include <cstdio>
#include <memory>

#include "cpu/core/backend.h"
#include "cpu/core/settings.h"
#include "interface/backend.h"
#include "null/null_backend.h"

namespace musashim::backend {

namespace {

std::unique_ptr<Backend> createBackend() {
  const cpu::Settings& settings = cpu::settings();
  std::unique_ptr<Backend> backend;
  if (settings.backend != "null" || !settings.error.empty()) {
    Status status = cpu::CpuBackend::create(settings, backend);
    if (!status.isOk()) fprintf(stderr, "musashim: %s; there are no devices\n", status.message().c_str());
  }
  if (!backend) backend = std::make_unique<NullBackend>();
  return backend;
}

}  // namespace

Backend& activeBackend() {
  // Never destroyed: worker threads and late calls at exit may still use it.
  static Backend* const backend = createBackend().release();
  return *backend;
}

std::vector<RunningMachine> runningMachines() { return cpu::DeviceBoard::running(); }

}  // namespace musashim::backend
