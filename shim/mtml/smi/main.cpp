// nvidia-smi of the CUDA face: what scripts ask most.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "core/cuda_capability.h"
#include "mtml/gmi/links.h"
#include "mtml/smi/views.h"

namespace {

using namespace musashim;

constexpr const char* kHelp =
    "nvidia-smi: emulated devices, as NVIDIA's tool shows them\n"
    "  -L, --list-gpus\n"
    "  -i, --id=N,...\n"
    "  --query-gpu=FIELD,... --format=csv[,noheader][,nounits]\n"
    "  --query-compute-apps=FIELD,... --format=csv[,noheader][,nounits]\n"
    "  topo -m\n"
    "Everything else: mthreads-gmi -h\n";

struct Options {
  bool list = false, help = false, topology = false;
  std::string gpuFields, processFields, devices;
  bool hasFormat = false;
  smi::Format format;
  std::string error;
};

void readFormat(const std::string& text, Options& options) {
  options.hasFormat = true;
  bool isCsv = false;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, comma - at);
    if (word == "csv") {
      isCsv = true;
    } else if (word == "noheader") {
      options.format.head = false;
    } else if (word == "nounits") {
      options.format.units = false;
    } else {
      options.error = fmt::format("\"{}\" is no format", word);
    }
    at = comma + 1;
  }
  if (!isCsv && options.error.empty()) options.error = "--format takes csv";
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc && options.error.empty(); ++i) {
    std::string word = argv[i], value;
    const size_t equals = word.find('=');
    if (equals != std::string::npos) {
      value = word.substr(equals + 1);
      word.resize(equals);
    }
    const bool takesValue = word == "-i" || word == "--id" || word == "--format" || word == "--query-gpu" ||
                            word == "--query-compute-apps";
    if (takesValue && equals == std::string::npos) {
      if (i + 1 == argc) {
        options.error = word + " needs a value";
        break;
      }
      value = argv[++i];
    }
    if (word == "-L" || word == "--list-gpus") {
      options.list = true;
    } else if (word == "-h" || word == "--help") {
      options.help = true;
    } else if (word == "-i" || word == "--id") {
      options.devices = value;
    } else if (word == "--query-gpu") {
      options.gpuFields = value;
    } else if (word == "--query-compute-apps") {
      options.processFields = value;
    } else if (word == "--format") {
      readFormat(value, options);
    } else if (word == "topo" && i + 1 < argc && std::string(argv[i + 1]) == "-m") {
      options.topology = true;
      ++i;
    } else {
      options.error = fmt::format("Invalid combination of input arguments: {}", word);
    }
  }
  const bool queries = !options.gpuFields.empty() || !options.processFields.empty();
  if (options.error.empty() && queries != options.hasFormat) options.error = "a query goes with --format=csv";
  return options;
}

// Empty, where a number is none of a device.
std::vector<unsigned int> devicesOf(const std::string& text, unsigned int count) {
  std::vector<unsigned int> devices;
  for (size_t at = 0; at < text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    unsigned int index = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + comma, index);
    if (error != std::errc() || end != text.data() + comma || index >= count) return {};
    devices.push_back(index);
    at = comma + 1;
  }
  if (text.empty()) {
    devices.resize(count);
    std::iota(devices.begin(), devices.end(), 0u);
  }
  return devices;
}

int fail(const std::string& message) {
  fmt::print("{}\n", message);
  return 6;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (!options.error.empty()) return fail(options.error + ". See nvidia-smi -h.");
  if (options.help) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (const std::string& wrong = core::cudaCapability().error; !wrong.empty()) return fail(wrong);
  gmi::chooseMachine();
  gmi::Machine machine;
  if (const auto error = gmi::Machine::open(machine)) return fail(*error);
  const std::vector<unsigned int> devices = devicesOf(options.devices, machine.count());
  if (devices.empty()) return fail(fmt::format("No devices were found: {}", options.devices));
  if (options.topology) {
    for (const char* name : {"MCCL_DEBUG", "NCCL_DEBUG"}) unsetenv(name);
    if (const std::string& error = mtml::topology().error; !error.empty()) return fail(error);
    std::fputs(gmi::matrix(mtml::topology(), true, 0).c_str(), stdout);
    return 0;
  }
  // What moves with the load.
  const bool wantsLoad = !options.list && options.processFields.empty() &&
                         (options.gpuFields.empty() ||
                          std::ranges::any_of(std::array{"utilization", "temperature", "power.draw", "fan"},
                                              [&](const char* word) {
                                                return options.gpuFields.find(word) != std::string::npos;
                                              }));
  const std::vector<gmi::Gpu> gpus = machine.look(devices, wantsLoad);
  std::optional<std::string> text;
  std::string error;
  if (!options.gpuFields.empty()) {
    text = smi::queryGpus(gpus, options.gpuFields, options.format, machine.driverVersion(), error);
  } else if (!options.processFields.empty()) {
    text = smi::queryProcesses(gpus, options.processFields, options.format, error);
  } else {
    text = options.list ? smi::list(gpus) : smi::table(gpus, machine.driverVersion());
  }
  if (!text) return fail(error);
  std::fputs(text->c_str(), stdout);
  return 0;
}
