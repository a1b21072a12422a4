// How long a collective takes.
#pragma once

#include <map>
#include <optional>

#include "mccl/sim/costs.h"
#include "mccl/sim/plan.h"

namespace musashim::mccl::sim {

// Data goes on in pieces, of which some may be under way at a time: as libmccl's.
struct Pipeline {
  size_t piece = kPieceBytes, window = kWindow;
};

struct Prediction {
  double microseconds = 0;
  Way way = Way::kRing;
  std::optional<Protocol> protocol;  // none on the emulator
};

// Of a plan, with the protocol that takes the least, or the one that is asked for.
Prediction timeOf(const Cluster& cluster, const Plan& plan, size_t bytes, std::optional<Protocol> protocol,
                  const Pipeline& pipeline);

// All that there is to ask of a cluster; plans are made when they are wanted, once.
class Simulator {
 public:
  explicit Simulator(const Cluster& cluster, const Pipeline& pipeline = {})
      : cluster_(cluster), pipeline_(pipeline) {}

  // `bytes`: as nccl-tests counts them. Without a way, the one that libmccl would choose.
  mcclResult_t predict(CollectiveKind kind, size_t bytes, std::optional<Way> way,
                       std::optional<Protocol> protocol, Prediction& prediction);
  // Channels that dead links left out of what was predicted so far.
  int lost() const { return lost_; }

 private:
  mcclResult_t planFor(CollectiveKind kind, Way way, const Plan*& plan);
  mcclResult_t choose(CollectiveKind kind, size_t bytes, std::optional<Protocol> protocol, Way& way);

  const Cluster& cluster_;
  const Pipeline pipeline_;
  std::map<std::pair<CollectiveKind, Way>, Plan> plans_;
  int lost_ = 0;
};

// What bus bandwidth is to the bytes per time of a collective, as nccl-tests defines it.
double busFactor(CollectiveKind kind, int ranks);

}  // namespace musashim::mccl::sim
