// How long lanes at convergence points wait for lanes of their warp that poll.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace musashim::devrt {

// Lanes of a warp as they are when none can run but those that poll.
struct PollingWarp {
  uint32_t number = 0;      // in its block
  uint32_t living = 0;      // lanes
  uint32_t polling = 0;     // of these
  uint32_t converging = 0;  // wait at convergence points
  uint32_t ahead = 0;       // of those, at the last one
};

// Those that poll look again, in rounds in which the block's other warps run as well: as long as some come
// along, the others wait for them. What they poll for may be up to these, though, or to other blocks or the
// host. So after some rounds in vain those at convergence points go on, and each time that they have, it is
// after half as many.
class PollingRounds {
 public:
  enum class Next : uint8_t { kPollAgain, kBehindGoOn, kAllGoOn };

  // Begins with a kernel.
  void begin(size_t warps);
  Next next(const PollingWarp& warp);

 private:
  struct Warp {
    uint32_t missing = UINT32_MAX;  // lanes that are not ahead: the fewest that there were
    uint32_t rounds = 0;            // since there have been fewer
    uint32_t releases = 0;          // of those behind, since all have met
  };
  std::vector<Warp> warps_;
  uint32_t mostRounds_ = 0;
};

}  // namespace musashim::devrt
