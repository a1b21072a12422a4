// mthreads-gmi: the vendor's tool, for emulated devices. Messages go to stdout, as its do.
#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "mtml/gmi/links.h"
#include "mtml/gmi/options.h"
#include "mtml/gmi/show.h"

namespace {

using namespace musashim::gmi;

int fail(const std::string& message) {
  fmt::print("{}\n", message);
  return 1;
}

// 0: no terminal.
size_t terminalColumns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col != 0 ? size.ws_col : 80;
}

// Of a command that needs to know how devices are connected.
bool needsTopology(View view) {
  return view == View::kTopology || view == View::kGpuTopology || view == View::kLinkStates ||
         view == View::kLinkPeers;
}

std::string view(const Machine& machine, const Options& options, const std::vector<unsigned int>& devices,
                 bool isFirst) {
  switch (options.view) {
    case View::kList:
      return list(machine.look(devices, false));
    case View::kQuery:
      return query(machine.look(devices, options.query.moves()), machine.count(), machine.driverVersion(),
                   options.query);
    case View::kTopology:
    case View::kGpuTopology:
      return matrix(musashim::mtml::topology(), options.view == View::kTopology, terminalColumns());
    case View::kPeers:
      return peerMatrix(machine.count());
    case View::kLinkStates:
      return linkStates(machine.look(devices, false), musashim::mtml::topology());
    case View::kLinkPeers:
      return linkPeers(machine.look(devices, false), musashim::mtml::topology());
    case View::kMonitor:
      return monitor(machine.look(devices, true), isFirst);
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
  chooseMachine();
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
  if (needsTopology(options.view)) {
    // libmccl's log has no place between the lines.
    for (const char* name : {"MCCL_DEBUG", "NCCL_DEBUG"}) unsetenv(name);
    if (const std::string& error = musashim::mtml::topology().error; !error.empty()) return fail(error);
  }
  for (unsigned int time = 1;; ++time) {
    // A reader that has gone ends the tool, as the system does it.
    std::fputs(view(machine, options, devices, time == 1).c_str(), stdout);
    std::fflush(stdout);
    if (options.everySeconds == 0 || time == options.times) return std::ferror(stdout) ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::duration<double>(options.everySeconds));
  }
}
