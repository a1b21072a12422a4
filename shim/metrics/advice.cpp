#include "metrics/advice.h"

#include <fmt/format.h>

#include <algorithm>

namespace musashim::metrics {
namespace {

class Adviser {
 public:
  Adviser(const Kernel& kernel, const Device& device)
      : kernel_(kernel), device_(device), all_(kernel.all()) {}

  std::vector<Advice> run() {
    for (const Line& line : kernel_.lines) {
      divergence(line);
      for (const Access& access : line.accesses) {
        if (access.memory == "device") uncoalesced(line, access);
        if (access.memory == "shared" && access.kind != "atomic") bankConflicts(line, access);
        if (access.kind == "atomic") serialAtomics(line, access);
        if (access.memory == "local") localMemory(line, access);
      }
    }
    for (const Launch& launch : kernel_.launches) ofLaunch(launch);
    std::sort(advice_.begin(), advice_.end(), [](const Advice& a, const Advice& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.line < b.line;
    });
    return std::move(advice_);
  }

 private:
  void add(const char* rule, const Line& line, std::string text, const char* remedy, double weight) {
    advice_.push_back({rule, line.file, line.number, std::move(text), remedy, weight});
  }

  void divergence(const Line& line) {
    const Instructions counts = line.all();
    const double lanes = ratio(counts.lanes, counts.warps), share = ratio(counts.warps, all_.warps);
    const auto width = static_cast<double>(std::min(device_.warpSize, mostThreads()));
    if (share < 0.02 || lanes > 0.75 * width) return;
    add("divergence", line, fmt::format("{:.1f} of {} lanes are active", lanes, device_.warpSize),
        "let neighbouring threads take the same branch and as many rounds: move the condition to whole "
        "warps, or "
        "sort the work",
        share * (1 - lanes / width));
  }

  void uncoalesced(const Line& line, const Access& access) {
    if (access.leastParts == 0 || access.parts < access.leastParts + access.leastParts / 2) return;
    const double share = ratio(access.parts - access.leastParts, kernel_.sum("device").parts);
    if (share < 0.02) return;
    add("uncoalesced", line,
        fmt::format("each warp's {} touches {:.1f} sectors of 32 bytes, {:.1f} would do", access.kind,
                    ratio(access.parts, access.requests), ratio(access.leastParts, access.requests)),
        "let neighbouring lanes access neighbouring addresses: exchange the indices, or go through shared "
        "memory",
        share);
  }

  void bankConflicts(const Line& line, const Access& access) {
    if (access.parts < access.leastParts + access.leastParts / 4) return;
    const double share = ratio(access.parts - access.leastParts, kernel_.sum("shared").parts);
    if (share < 0.02) return;
    add("bank-conflicts", line,
        fmt::format("shared memory serves each warp's {} in {:.1f} turns, {:.1f} would do", access.kind,
                    ratio(access.parts, access.requests), ratio(access.leastParts, access.requests)),
        "pad the rows of the array by one element, or let lanes go through different banks", share);
  }

  void serialAtomics(const Line& line, const Access& access) {
    const double serial = ratio(access.serialLanes, access.requests);
    if (serial < 4) return;
    add("serial-atomics", line,
        fmt::format("{:.1f} lanes of each warp wait for others at the same address", serial),
        "sum up in the warp or in shared memory first, so that one lane does the atomic operation",
        ratio(access.serialLanes, all_.warps));
  }

  void localMemory(const Line& line, const Access& access) {
    const double share = ratio(access.requests, all_.warps);
    if (share < 0.02) return;
    add("local-memory", line,
        fmt::format("{} {}s of a thread's own arrays, which are in memory", access.requests, access.kind),
        "index the array by constants, so that it can be in registers", share);
  }

  void ofLaunch(const Launch& launch) {
    const Occupancy occupancy = occupancyOf(launch, device_);
    const uint64_t threads = launch.block.count(), blocks = launch.grid.count();
    const auto note = [&](const char* rule, std::string text, const char* remedy) {
      advice_.push_back({rule, "", 0, std::move(text), remedy, 0.01});
    };
    if (threads % device_.warpSize != 0)
      note("partial-warps",
           fmt::format("blocks of {} threads leave {} lanes of their last warp idle", threads,
                       device_.warpSize - threads % device_.warpSize),
           "make the block a multiple of the warp");
    if (blocks < device_.multiprocessors)
      note("small-grid",
           fmt::format("a grid of {} blocks leaves {} of {} multiprocessors idle", blocks,
                       device_.multiprocessors - blocks, device_.multiprocessors),
           "give each block less work");
    // The device waits for the last wave as long as for each other.
    const uint64_t places = occupancy.waves * occupancy.fit;
    if (occupancy.waves > 1 && (places - blocks) * 4 > places)
      note("tail",
           fmt::format("the last of {} waves has {} of the {} blocks that fit the device", occupancy.waves,
                       occupancy.lastBlocks, occupancy.fit),
           "choose a grid of whole waves, or many more and smaller blocks");
    if (occupancy.warps * 2 < occupancy.mostWarps)
      note("occupancy",
           fmt::format("{} of {} warps fit a multiprocessor, limited by {}", occupancy.warps,
                       occupancy.mostWarps, occupancy.limit),
           occupancy.limit == "shared memory" ? "use less shared memory in a block"
                                              : "choose another size of blocks");
  }

  uint64_t mostThreads() const {
    uint64_t most = 1;
    for (const Launch& launch : kernel_.launches) most = std::max(most, launch.block.count());
    return most;
  }

  const Kernel& kernel_;
  const Device& device_;
  const Instructions all_;
  std::vector<Advice> advice_;
};

}  // namespace

std::vector<Advice> adviceFor(const Kernel& kernel, const Device& device) {
  return Adviser(kernel, device).run();
}

const std::vector<std::pair<std::string, std::string>>& adviceRules() {
  static const auto* const kRules = new std::vector<std::pair<std::string, std::string>>{
      {"divergence", "Few lanes of a warp are active"},
      {"uncoalesced", "A warp's access touches more sectors of device memory than its bytes need"},
      {"bank-conflicts", "Lanes of a warp access different words of one bank of shared memory"},
      {"serial-atomics", "Lanes of a warp wait for each other at one address"},
      {"local-memory", "A thread's own array is in memory"},
      {"partial-warps", "A block is no multiple of the warp"},
      {"small-grid", "A grid has fewer blocks than the device has multiprocessors"},
      {"tail", "The last wave of a grid's blocks leaves much of the device idle"},
      {"occupancy", "Few warps fit a multiprocessor"}};
  return *kRules;
}

}  // namespace musashim::metrics
