/* Teams of a device communicator, and ranks of one team in another; for host and device code. */
#ifndef MCCL_DEVICE_TEAMS_H_
#define MCCL_DEVICE_TEAMS_H_

#include "core.h"

namespace mccli {
/* Bytes of one barrier at each rank: a line for how often this rank was there, then a word for each rank of
 * the team, which that one writes. */
MUSASHIM_HD constexpr size_t barrierBytes(int ranks) {
  return 64 + (static_cast<size_t>(ranks) * 4 + 63) / 64 * 64;
}
}  // namespace mccli

/* Which team, where that is known without looking. */
struct mcclTeamTagWorld {};
struct mcclTeamTagLsa {};
struct mcclTeamTagRail {};

MUSASHIM_HD mcclTeam mcclTeamWorld(const mcclDevComm& comm) { return {comm.nRanks, comm.rank, 1}; }
MUSASHIM_HD mcclTeam mcclTeamLsa(const mcclDevComm& comm) { return {comm.lsaSize, comm.lsaRank, 1}; }
MUSASHIM_HD mcclTeam mcclTeamRail(const mcclDevComm& comm) {
  return {comm.nRanks / comm.lsaSize, comm.rank / comm.lsaSize, comm.lsaSize};
}

/* Of `parent`, whose ranks are cut into runs of `innerSize`: the caller's run, and the ranks that stand in
 * their runs where the caller stands in its own. */
MUSASHIM_HD mcclTeam mcclTeamInnerFactor(mcclTeam parent, int innerSize) {
  return {innerSize, parent.rank % innerSize, parent.stride};
}
MUSASHIM_HD mcclTeam mcclTeamOuterFactor(mcclTeam parent, int innerSize) {
  return {parent.nRanks / innerSize, parent.rank / innerSize, parent.stride * innerSize};
}

/* Both teams are the caller's: they meet at its own rank. */
MUSASHIM_HD bool mcclTeamRankIsMember(mcclTeam a, mcclTeam b, int bRank) {
  const int distance = (bRank - b.rank) * b.stride;
  const int aRank = a.rank + distance / a.stride;
  return distance % a.stride == 0 && aRank >= 0 && aRank < a.nRanks;
}
MUSASHIM_HD int mcclTeamRankToTeam(mcclTeam a, mcclTeam b, int bRank) {
  return a.rank + (bRank - b.rank) * b.stride / a.stride;
}
MUSASHIM_HD int mcclTeamRankToWorld(const mcclDevComm& comm, mcclTeam team, int rank) {
  return comm.rank + (rank - team.rank) * team.stride;
}
MUSASHIM_HD int mcclTeamRankToLsa(const mcclDevComm& comm, mcclTeam team, int rank) {
  return comm.lsaRank + (rank - team.rank) * team.stride;
}

/* The `index`-th rank of `parent` that is not in `subset`, whose stride is a multiple of the parent's. */
MUSASHIM_HD int mcclTeamRankInDifference(mcclTeam parent, mcclTeam subset, int index) {
  const int step = subset.stride / parent.stride;
  const int first = parent.rank - subset.rank * step;
  if (index < first) return index;
  const int between = (subset.nRanks - 1) * (step - 1);
  const int behind = index - first;
  if (behind >= between) return index + subset.nRanks;
  return first + behind / (step - 1) * step + 1 + behind % (step - 1);
}

#endif
