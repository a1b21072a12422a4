// mthreads-gmi: the vendor's tool, for emulated devices. Messages go to stdout, as its do.
#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <numeric>
#include <thread>

#include "mtml/gmi/options.h"
#include "mtml/gmi/show.h"

namespace {

using namespace musashim::gmi;

int fail(const std::string& message) {
  fmt::print("{}\n", message);
  return 1;
}

std::string view(const Machine& machine, const Options& options, const std::vector<unsigned int>& devices) {
  switch (options.view) {
    case View::kList:
      return list(machine.look(devices, false));
    case View::kQuery:
      return query(machine.look(devices, options.query.shows(Part::kUtilization)), machine.count(),
                   machine.driverVersion(), options.query);
    case View::kDevices:
      return table(machine.look(devices, true), machine.driverVersion(), false);
    default:
      return table(machine.look(devices, true), machine.driverVersion(), true);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse({argv + 1, argv + argc});
  if (!options.error.empty()) return fail(options.error + ". See mthreads-gmi -h.");
  if (options.view == View::kHelp) {
    std::fputs(help().c_str(), stdout);
    return 0;
  }
  if (options.view == View::kVersion) {
    fmt::print("mthreads-gmi version: {}\n", kVersion);
    return 0;
  }
  Machine machine;
  if (const auto error = Machine::open(machine)) return fail(*error);
  std::vector<unsigned int> devices = options.devices;
  for (const unsigned int index : devices) {
    if (index >= machine.count())
      return fail(fmt::format("No device {}: there are {}", index, machine.count()));
  }
  if (devices.empty()) {
    devices.resize(machine.count());
    std::iota(devices.begin(), devices.end(), 0u);
  }
  for (;;) {
    // A reader that has gone ends the tool, as the system does it.
    std::fputs(view(machine, options, devices).c_str(), stdout);
    std::fflush(stdout);
    if (options.everySeconds == 0) return std::ferror(stdout) ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::duration<double>(options.everySeconds));
  }
}
