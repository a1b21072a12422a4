#include "mccl/topology/channel_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace musashim::mccl::topology {
namespace {

constexpr double kRounding = 1e-6;
// What a GPU sends to another through an Intel CPU costs its links more than it brings.
constexpr double kIntelOverhead = 6.0 / 5;

size_t times(double bandwidth, double speed) {
  return static_cast<size_t>(std::max(0.0, std::floor((bandwidth + kRounding) / speed)));
}

}  // namespace

ChannelSearch::ChannelSearch(const Paths& paths, const Attempt& attempt, int mostSteps)
    : paths_(paths),
      attempt_(attempt),
      mostSteps_(mostSteps),
      gpus_(paths.machine().gpus().size()),
      highest_(highest()),
      visited_(gpus_) {
  for (const Link& link : paths.machine().links()) free_.push_back(link.bandwidth);
}

// No search finds more than the GPUs' links out and the network devices carry.
size_t ChannelSearch::highest() const {
  const Machine& machine = paths_.machine();
  size_t most = kMostChannels;
  double sends = 0;
  for (size_t gpu = 0; gpu < gpus_ && gpus_ > 1; ++gpu) {
    double out = 0;
    for (const int link : machine.node(machine.gpus()[gpu]).links) out += machine.link(link).bandwidth;
    const size_t own = times(out, attempt_.speedIntra);
    sends += static_cast<double>(own);
    if (attempt_.pattern == Pattern::kRing && !attempt_.severalMachines) most = std::min(most, own);
  }
  // All GPUs but the last of each channel send.
  if (gpus_ > 1) most = std::min(most, times(sends, static_cast<double>(gpus_) - 1));
  if (!attempt_.severalMachines) return most;
  size_t nets = 0;
  for (size_t net = 0; net < machine.nets().size(); ++net) {
    double widest = 0;
    for (size_t gpu = 0; gpu < gpus_; ++gpu) {
      if (paths_.fromNet(net, gpu).type <= attempt_.typeInter)
        widest = std::max(widest, paths_.fromNet(net, gpu).bandwidth);
    }
    nets += times(widest, attempt_.speedInter);
  }
  return std::min(most, nets);
}

double ChannelSearch::speedOn(const Path& path, double speed) const {
  if (path.type < PathType::kPhb || path.links.empty()) return speed;
  const Machine& machine = paths_.machine();
  const Link &first = machine.link(path.links.front()), &last = machine.link(path.links.back());
  if (machine.node(first.from).type != NodeType::kGpu || machine.node(last.to).type != NodeType::kGpu)
    return speed;
  for (const int link : path.links) {
    const Node& node = machine.node(machine.link(link).to);
    if (node.type != NodeType::kCpu) continue;
    const bool isIntel = node.processor.arch == Arch::kX86 && node.processor.vendor == Vendor::kIntel;
    return isIntel ? speed * kIntelOverhead : speed;
  }
  return speed;
}

double ChannelSearch::free(const Path& path) const {
  double least = path.bandwidth;
  for (const int link : path.links) least = std::min(least, free_[static_cast<size_t>(link)]);
  return least;
}

bool ChannelSearch::take(const Path& path, PathType most, double speed) {
  const double cost = speedOn(path, speed);
  if (path.type > most || free(path) + kRounding < cost) return false;
  for (const int link : path.links) free_[static_cast<size_t>(link)] -= cost;
  return true;
}

void ChannelSearch::giveBack(const Path& path, double speed) {
  const double cost = speedOn(path, speed);
  for (const int link : path.links) free_[static_cast<size_t>(link)] += cost;
}

const std::vector<Channel>& ChannelSearch::run() {
  if (highest_ > 0 && gpus_ > 0) nextChannel();
  return found_;
}

void ChannelSearch::nextChannel() {
  if (channels_.size() > found_.size()) found_ = channels_;
  if (isDone()) return;
  if (!channels_.empty()) repeat(channels_.back());
  if (!attempt_.severalMachines) {
    // All channels may begin at the first GPU of a ring; a chain's first receives nothing, its last sends
    // nothing.
    const size_t shift = attempt_.pattern == Pattern::kRing ? 0 : channels_.size();
    const size_t starts = attempt_.pattern == Pattern::kRing ? 1 : gpus_;
    for (size_t i = 0; i < starts && !isDone(); ++i) {
      const size_t first = (i + shift) % gpus_;
      beginAt({-1, -1, first, first});
    }
    return;
  }
  const size_t nets = paths_.machine().nets().size();
  for (size_t i = 0; i < nets && !isDone(); ++i) {
    const size_t net = (i + channels_.size()) % nets;
    for (const size_t gpu : gpusNear(net)) {
      if (isDone()) return;
      const Path& in = paths_.fromNet(net, gpu);
      if (!take(in, attempt_.typeInter, attempt_.speedInter)) continue;
      closeAt({static_cast<int>(net), -1, gpu, gpu});
      giveBack(in, attempt_.speedInter);
    }
  }
}

// Chooses where the channel leaves the machine.
void ChannelSearch::closeAt(Ends ends) {
  const size_t nets = paths_.machine().nets().size();
  for (size_t i = 0; i < (attempt_.crossNic ? nets : 1); ++i) {
    const size_t net = (static_cast<size_t>(ends.netIn) + i) % nets;
    ends.netOut = static_cast<int>(net);
    for (const size_t gpu : gpusNear(net)) {
      if (isDone()) return;
      // A ring's last GPU and a balanced tree's second are others than the first where there are any.
      const bool atFirst = attempt_.pattern == Pattern::kTree || gpus_ == 1;
      if ((gpu == ends.first) != atFirst) continue;
      const Path& out = paths_.toNet(gpu, net);
      if (!take(out, attempt_.typeInter, attempt_.speedInter)) continue;
      ends.last = gpu;
      beginAt(ends);
      giveBack(out, attempt_.speedInter);
    }
  }
}

void ChannelSearch::beginAt(const Ends& ends) {
  order_ = {ends.first};
  visited_.assign(gpus_, false);
  visited_[ends.first] = true;
  followFrom(ends.first, ends);
}

void ChannelSearch::followFrom(size_t gpu, const Ends& ends) {
  ++steps_;
  if (order_.size() == gpus_) return complete(gpu, ends);
  const bool isRing = attempt_.pattern == Pattern::kRing;
  const bool hasLast = attempt_.severalMachines && gpus_ > 1 && attempt_.pattern != Pattern::kTree;
  for (const size_t next : nextOf(gpu)) {
    if (isDone()) return;
    // The GPU where data leaves comes last in a ring and second in a balanced tree.
    const bool isTurn = isRing ? order_.size() + 1 == gpus_ : order_.size() == 1;
    if (hasLast && (next == ends.last) != isTurn) continue;
    const Path& path = paths_.between(gpu, next);
    if (!take(path, attempt_.typeIntra, attempt_.speedIntra)) continue;
    visited_[next] = true;
    order_.push_back(next);
    const std::vector<size_t> orderHere = order_;
    followFrom(next, ends);
    order_ = orderHere;
    order_.pop_back();
    visited_.assign(gpus_, false);
    for (const size_t one : order_) visited_[one] = true;
    giveBack(path, attempt_.speedIntra);
  }
}

void ChannelSearch::complete(size_t gpu, const Ends& ends) {
  const bool closes = attempt_.pattern == Pattern::kRing && !attempt_.severalMachines && gpus_ > 1;
  const Path& back = paths_.between(gpu, ends.first);
  if (closes && !take(back, attempt_.typeIntra, attempt_.speedIntra)) return;
  const Machine& machine = paths_.machine();
  Channel channel;
  for (const size_t one : order_) channel.gpus.push_back(machine.node(machine.gpus()[one]).dev);
  const auto devOf = [&](int net) {
    return net < 0 ? -1 : machine.node(machine.nets()[static_cast<size_t>(net)]).dev;
  };
  channel.netIn = devOf(ends.netIn);
  channel.netOut = devOf(ends.netOut);
  channels_.push_back(std::move(channel));
  nextChannel();
  channels_.pop_back();
  if (closes) giveBack(back, attempt_.speedIntra);
}

// The nearest first, and of these the one with most room; where all is equal, the next by number, so that
// channels of switched machines look alike.
std::vector<size_t> ChannelSearch::nextOf(size_t gpu) const {
  std::vector<size_t> next;
  for (size_t i = 1; i < gpus_; ++i) {
    if (const size_t other = (gpu + i) % gpus_; !visited_[other]) next.push_back(other);
  }
  std::ranges::sort(next, {}, [&](size_t other) {
    const Path& path = paths_.between(gpu, other);
    return std::make_tuple(path.type, path.links.size(), -std::floor(free(path)),
                           (other + gpus_ - gpu) % gpus_);
  });
  return next;
}

std::vector<size_t> ChannelSearch::gpusNear(size_t net) const {
  std::vector<size_t> near(gpus_);
  std::iota(near.begin(), near.end(), size_t{0});
  std::ranges::sort(near, {}, [&](size_t gpu) {
    const Path& path = paths_.fromNet(net, gpu);
    return std::make_tuple(path.type, -std::floor(free(path)), path.links.size(), gpu);
  });
  return near;
}

// The paths of a channel like one that was found, as long as they have room.
bool ChannelSearch::takeAlong(const Channel& channel, std::vector<std::pair<const Path*, double>>& taken) {
  const Machine& machine = paths_.machine();
  const auto placeOf = [&](const std::vector<int>& list, int dev) {
    return static_cast<size_t>(
        std::ranges::find(list, dev, [&](int index) { return machine.node(index).dev; }) - list.begin());
  };
  const auto takeOne = [&](const Path& path, PathType most, double speed) {
    if (!take(path, most, speed)) return false;
    taken.emplace_back(&path, speed);
    return true;
  };
  std::vector<size_t> gpus;
  for (const int dev : channel.gpus) gpus.push_back(placeOf(machine.gpus(), dev));
  const bool isRing = attempt_.pattern == Pattern::kRing;
  if (attempt_.severalMachines) {
    const size_t in = placeOf(machine.nets(), channel.netIn), out = placeOf(machine.nets(), channel.netOut);
    const size_t last = isRing                                                   ? gpus.back()
                        : attempt_.pattern == Pattern::kTree || gpus.size() == 1 ? gpus.front()
                                                                                 : gpus[1];
    if (!takeOne(paths_.fromNet(in, gpus.front()), attempt_.typeInter, attempt_.speedInter) ||
        !takeOne(paths_.toNet(last, out), attempt_.typeInter, attempt_.speedInter))
      return false;
  }
  for (size_t i = 0; i + 1 < gpus.size(); ++i) {
    if (!takeOne(paths_.between(gpus[i], gpus[i + 1]), attempt_.typeIntra, attempt_.speedIntra)) return false;
  }
  return !isRing || attempt_.severalMachines || gpus.size() == 1 ||
         takeOne(paths_.between(gpus.back(), gpus.front()), attempt_.typeIntra, attempt_.speedIntra);
}

void ChannelSearch::repeat(Channel channel) {
  ++steps_;
  std::vector<std::pair<const Path*, double>> taken;
  if (takeAlong(channel, taken)) {
    channels_.push_back(std::move(channel));
    nextChannel();
    channels_.pop_back();
  }
  for (const auto& [path, speed] : taken) giveBack(*path, speed);
}

}  // namespace musashim::mccl::topology
