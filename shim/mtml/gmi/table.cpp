#include <fmt/core.h>

#include "mtml/gmi/show.h"

namespace musashim::gmi {
namespace {

constexpr size_t kWidth = 69;
constexpr size_t kNameWidth = 38;  // of a process

std::string dashes() { return std::string(kWidth, '-') + '\n'; }
std::string rule() { return '+' + std::string(kWidth - 2, '-') + "+\n"; }

std::string heading(const std::string& driver) {
  return dashes() + fmt::format("    mthreads-gmi:{:<16}Driver Version:{}\n", kVersion, driver) + dashes() +
         "ID   Name                 |PCIe                |%GPU  Mem\n"
         "     Device Type   Perf   |Pcie Lane Width     |Temp  MPC Capable\n"
         "                                               |      ECC Mode\n" +
         rule();
}

std::string row(const Gpu& gpu) {
  const std::string load = gpu.isLost ? "ERR!" : fmt::format("{}%", gpu.load);
  const std::string memory =
      gpu.isLost ? "GPU is lost"
                 : fmt::format("{}MiB({}MiB)", mebibytes(gpu.usedBytes), mebibytes(gpu.totalBytes));
  const std::string heat = gpu.celsius ? fmt::format("{}C", *gpu.celsius) : "N/A";
  const std::string lanes = fmt::format("{}x({}x)", gpu.pci.pciCurWidth, gpu.pci.pciMaxWidth);
  return fmt::format("{:<5}{:<21}|{:<20}|{:<6}{}\n", gpu.index, gpu.name, gpu.pci.sbdf, load, memory) +
         fmt::format("     {:<14}{:<7}|{:<20}|{:<6}{}\n", "Physical", "P0", lanes, heat, "NO") +
         fmt::format("{:<47}|      {}\n", "", gpu.ecc ? "Enabled" : "N/A");
}

// A name's end says more than its beginning.
std::string shortened(const std::string& name) {
  return name.size() <= kNameWidth ? name : "..." + name.substr(name.size() - (kNameWidth - 3));
}

std::string processes(const std::vector<Gpu>& gpus) {
  std::string text = dashes() +
                     "Processes:\n"
                     "ID   PID           Process name                           GPU Memory\n"
                     "                                                               Usage\n" +
                     rule();
  bool isEmpty = true;
  for (const Gpu& gpu : gpus) {
    for (const Process& one : gpu.processes) {
      text += fmt::format("{:<5}{:<14}{:<39}{:>10}\n", gpu.index, one.number, shortened(one.name),
                          fmt::format("{}MiB", mebibytes(one.bytes)));
      isEmpty = false;
    }
  }
  if (isEmpty) text += "   No running processes found\n";
  return text + dashes();
}

}  // namespace

std::string list(const std::vector<Gpu>& gpus) {
  std::string text;
  for (const Gpu& gpu : gpus) text += fmt::format("GPU {} : {} (UUID : {})\n", gpu.index, gpu.name, gpu.uuid);
  return text;
}

std::string monitor(const std::vector<Gpu>& gpus, bool head) {
  std::string text;
  if (head)
    text +=
        "# gpu    pwr  gtemp     sm    mem   mclk   pclk      fb\n"
        "# Idx      W      C      %      %    MHz    MHz     MiB\n";
  for (const Gpu& gpu : gpus) {
    const std::string watts = gpu.milliwatts ? std::to_string(*gpu.milliwatts / 1000) : "-";
    const std::string heat = gpu.celsius ? std::to_string(*gpu.celsius) : "-";
    text += fmt::format("{:>5}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}{:>8}\n", gpu.index, watts, heat, gpu.load,
                        gpu.memoryLoad, gpu.memoryClock, gpu.clock, mebibytes(gpu.usedBytes));
  }
  return text;
}

std::string table(const std::vector<Gpu>& gpus, const std::string& driver, bool withProcesses) {
  std::string text = timestamp() + '\n' + heading(driver);
  for (const Gpu& gpu : gpus) text += row(gpu) + (&gpu == &gpus.back() ? dashes() : rule());
  if (withProcesses) text += '\n' + processes(gpus);
  return text;
}

}  // namespace musashim::gmi
