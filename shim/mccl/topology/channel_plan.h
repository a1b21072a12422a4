// The channels of one host: what the search of its graphs tells of the connections to other hosts.
#pragma once

#include <vector>

namespace musashim::mccl {

inline constexpr int kMostHostChannels = 32;
inline constexpr int kMostNearDevices = 7;

struct ChannelPlan {
  // Devices of the network layer at a channel's ends; both trees of a channel have the same.
  struct Devices {
    signed char ringIn = 0, ringOut = 0, treeIn = 0, treeOut = 0;
  };

  // By channel: the order of the ranks here. None where the search has found nothing for the network: then
  // there is one channel, in the order of the ranks, by the first device.
  std::vector<std::vector<int>> rings, trees;
  std::vector<Devices> devices;
  std::vector<std::vector<int>> near;  // by place of the rank here: the devices nearest to it
  // A message's latency and the bytes that all channels carry, by the machine.
  double latencyUs = 30, bytesPerUs = 1200;

  int channels() const { return devices.empty() ? 1 : static_cast<int>(devices.size()); }
};

}  // namespace musashim::mccl
