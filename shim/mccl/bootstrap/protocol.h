// What ranks and the process that made a unique id say to each other.
//
//   rank -> root    Hello (over TCP, at the address in the id)
//   root -> rank    Welcome and a RankInfo per rank, once all ranks have come; or a refusal
//   rank -> root    Knock (over a local socket, at the Welcome's door): ranks on the root's host
//   root -> rank    the communicator's memory file
//
// On another host its first rank makes the memory file, and tells the others by mail where to knock.
// All of one build: structs go as they are.
#pragma once

#include <cstdint>

#include "mccl/bootstrap/unique_id.h"

namespace musashim::mccl {

inline constexpr char kHelloMagic[8] = {'M', 'C', 'C', 'L', 'H', 'I', '0', '2'};

struct Hello {
  char magic[8] = {};
  uint64_t serial = 0;
  Secret rankSecret{};
  int32_t ranks = 0;
  int32_t rank = 0;
  int32_t color = 0;  // as in a split; 0 and the rank where there is none
  int32_t key = 0;
  RankInfo info;
};

// Where a rank fetches the memory of its host; by mail.
struct Pickup {
  char door[44] = {};  // empty: the communicator is of the rank's process, which has it already
  Secret key{};
};

struct Welcome {
  Secret rootSecret{};
  int32_t result = mcclSuccess;
  int32_t ranks = 0;  // RankInfos that follow
  int32_t rank = 0;
  char door[44] = {};  // name in the abstract namespace, without its leading zero byte; empty on other hosts
  std::array<uint64_t, 2> communicator{};
  Secret secret{};      // of the communicator
  Secret key{};         // for Knock
  char text[400] = {};  // of a refusal
};

struct Knock {
  Secret key{};
};

}  // namespace musashim::mccl
