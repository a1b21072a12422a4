// One try of the search: as many channels as fit at a given speed, of given types of path.
#pragma once

#include <vector>

#include "mccl/topology/graph.h"

namespace musashim::mccl::topology {

struct Attempt {
  Pattern pattern = Pattern::kRing;
  bool severalMachines = false;
  bool crossNic = false;
  double speedIntra = 0, speedInter = 0;
  PathType typeIntra = PathType::kLoc, typeInter = PathType::kLoc;
};

// Goes deep first and takes each channel's speed off the links that it uses. A channel like the one before it
// is tried first. What is not found within `mostSteps` counts as not there.
class ChannelSearch {
 public:
  ChannelSearch(const Paths& paths, const Attempt& attempt, int mostSteps);

  // The most channels that were found.
  const std::vector<Channel>& run();
  int steps() const { return steps_; }

 private:
  struct Ends {  // places in nets() and gpus()
    int netIn = -1, netOut = -1;
    size_t first = 0, last = 0;
  };

  size_t highest() const;
  bool isDone() const { return found_.size() >= highest_ || steps_ > mostSteps_; }
  bool take(const Path& path, PathType most, double speed);
  void giveBack(const Path& path, double speed);
  double speedOn(const Path& path, double speed) const;
  double free(const Path& path) const;

  void nextChannel();
  void repeat(Channel channel);
  void beginAt(const Ends& ends);
  void closeAt(Ends ends);
  void followFrom(size_t gpu, const Ends& ends);
  void complete(size_t gpu, const Ends& ends);
  std::vector<size_t> nextOf(size_t gpu) const;
  std::vector<size_t> gpusNear(size_t net) const;
  bool takeAlong(const Channel& channel, std::vector<std::pair<const Path*, double>>& taken);

  const Paths& paths_;
  const Attempt attempt_;
  const int mostSteps_;
  const size_t gpus_;
  const size_t highest_;
  std::vector<double> free_;  // by link
  std::vector<bool> visited_;
  std::vector<size_t> order_;
  std::vector<Channel> channels_, found_;
  int steps_ = 0;
};

}  // namespace musashim::mccl::topology
