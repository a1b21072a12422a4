#include <fmt/core.h>

#include <algorithm>

#include "crt/cuda_driver_answers.h"
#include "mtml/smi/views.h"

namespace musashim::smi {
namespace {

using gmi::Gpu;
using gmi::mebibytes;

constexpr size_t kWidth = 91;

std::string rule(const char* ends, char fill) {
  return ends[0] + std::string(kWidth - 2, fill) + ends[1] + '\n';
}
constexpr const char* kColumns =
    "+-----------------------------------------+------------------------+----------------------+\n";

std::string row(const Gpu& gpu) {
  std::string bus = gpu.pci.sbdf;
  std::ranges::transform(bus, bus.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::string heat = gpu.celsius ? fmt::format("{}C", *gpu.celsius) : "N/A";
  const std::string watts = gpu.milliwatts ? fmt::format("{}W", *gpu.milliwatts / 1000) : "N/A";
  const std::string fan = gpu.fans.empty() ? "N/A" : fmt::format("{}%", gpu.fans[0]);
  const std::string limit = fmt::format("{}W", gpu.limitMilliwatts / 1000);
  const std::string memory =
      gpu.isLost ? "ERR!"
                 : fmt::format("{}MiB / {:>6}MiB", mebibytes(gpu.usedBytes), mebibytes(gpu.totalBytes));
  const std::string load = gpu.isLost ? "ERR!" : fmt::format("{}%", gpu.load);
  const std::string ecc = gpu.ecc ? std::to_string(gpu.ecc->uncorrected) : "N/A";
  return fmt::format("| {:>3}  {:<30} Off |   {:<16} Off | {:>20} |\n", gpu.index, gpu.name.substr(0, 30),
                     bus, ecc) +
         fmt::format("| {:<39} | {:>22} | {:>20} |\n",
                     fmt::format("{:>3} {:>5}    P0 {:>23}", fan, heat, watts + " / " + limit), memory,
                     load + "      Default") +
         fmt::format("|{:41}|{:24}| {:>20} |\n", "", "", "N/A");
}

std::string processes(const std::vector<Gpu>& gpus) {
  std::string text =
      rule("++", '-') + fmt::format("| {:<87} |\n", "Processes:") +
      fmt::format("| {:<87} |\n",
                  " GPU   GI   CI        PID   Type   Process name                              GPU Memory") +
      fmt::format("| {:<87} |\n",
                  "       ID   ID                                                               Usage") +
      rule("||", '=');
  bool isEmpty = true;
  for (const Gpu& gpu : gpus) {
    for (const gmi::Process& one : gpu.processes) {
      std::string name = one.name;
      if (name.size() > 38) name = "..." + name.substr(name.size() - 35);
      text += fmt::format("| {:>4}   N/A  N/A {:>10}      C   {:<38} {:>9}MiB |\n", gpu.index, one.number,
                          name, mebibytes(one.bytes));
      isEmpty = false;
    }
  }
  if (isEmpty) text += fmt::format("| {:<87} |\n", " No running processes found");
  return text + rule("++", '-');
}

}  // namespace

std::string list(const std::vector<Gpu>& gpus) {
  std::string text;
  for (const Gpu& gpu : gpus)
    text += fmt::format("GPU {}: {} (UUID: GPU-{})\n", gpu.index, gpu.name, gpu.uuid);
  return text;
}

std::string table(const std::vector<Gpu>& gpus, const std::string& driver) {
  std::string text =
      gmi::timestamp() + '\n' + rule("++", '-') +
      fmt::format("| NVIDIA-SMI {:<22} Driver Version: {:<14} CUDA Version: {:<9}|\n", driver, driver,
                  fmt::format("{}.{}", CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10)) +
      "|-----------------------------------------+------------------------+----------------------+\n"
      "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n"
      "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n"
      "|                                         |                        |               MIG M. |\n"
      "|=========================================+========================+======================|\n";
  for (const Gpu& gpu : gpus) text += row(gpu) + kColumns;
  return text + '\n' + processes(gpus);
}

}  // namespace musashim::smi
