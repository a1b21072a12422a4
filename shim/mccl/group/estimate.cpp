#include "mccl/group/estimate.h"

namespace musashim::mccl {
namespace {

constexpr float kLatency = 3;         // us a group call
constexpr float kBytesPerUs = 10000;  // of memory traffic: 10 GB/s

// Bytes read and written for all ranks: the machine's memory is what they share.
float traffic(const CollectiveTask& task, int ranks) {
  const float one = static_cast<float>(sendBytes(task, ranks) + recvBytes(task, ranks));
  return one * static_cast<float>(ranks);
}

}  // namespace

float estimate(const Work& work) { return kLatency + trafficOf(work) / kBytesPerUs; }

float trafficOf(const Work& work) {
  const int ranks = work.member->ranks();
  float bytes = 0;
  for (const CollectiveTask& task : work.collectives) bytes += traffic(task, ranks);
  for (const TransferTask& task : work.transfers) bytes += 2 * static_cast<float>(task.bytes());
  return bytes;
}

float trafficOf(const WorkOfAll& all) {
  const int ranks = static_cast<int>(all.works.size());
  float bytes = 0;
  for (const CollectiveTask& task : all.works.front()->collectives) bytes += traffic(task, ranks);
  for (const TransferMatch& match : all.matches) bytes += 2 * static_cast<float>(match.send->bytes());
  return bytes;
}

}  // namespace musashim::mccl
