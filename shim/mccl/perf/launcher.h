// What the launcher of a job has told its processes, and the ways in which process 0 can tell the others
// where it is when they are on other hosts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "mccl/net/address.h"

namespace musashim::perf {

struct Launched {
  int rank = 0, size = 1;
  bool hasSeveralHosts = false;
  std::string job;  // its name; the same for all processes

  // From the environment: Open MPI, MPICH, Slurm, or our own MCCL_TESTS_*.
  static Launched byEnvironment();
};

// Where process 0 waits. Plain data.
struct Place {
  mccl::SocketAddress address;
  std::array<uint64_t, 2> secret{};
};

// The place that the environment names: MCCL_TESTS_ROOT=host:port, or in a job of Slurm's the first of its
// nodes.
std::optional<Place> placeInEnvironment(const Launched& launched);

// Tells the others the place of process 0, in which it is set: by a file that all see (MCCL_TESTS_FILE), by
// the launcher's PMI, or by Open MPI's library. Empty, or what is wrong.
std::string sharePlace(const Launched& launched, Place& place);

// "node[03-05,7],gpu1" -> "node03"
std::string firstOfNodes(const std::string& list);

}  // namespace musashim::perf
