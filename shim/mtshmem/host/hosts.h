// Which PEs share this one's host, and reach its memory; the teams that follow from it.
#pragma once

#include <array>
#include <vector>

#include "mtshmem/include/mtshmem_detail/layout.h"
#include "mtshmem/job/job.h"

namespace musashim::mtshmem {

class HostsOfPes {
 public:
  HostsOfPes() = default;
  // Collective. Throws std::runtime_error, also if there are other hosts and MTSHMEM_REMOTE_TRANSPORT=none.
  HostsOfPes(Job& job, int me);

  int size() const { return static_cast<int>(hostOf_.size()); }
  int me() const { return me_; }
  // Not reached through memory: on another host, or all with MTSHMEM_DISABLE_P2P=1.
  bool isFar(int pe) const;
  bool anyFar() const;
  bool isFarTeam(int start, int stride, int count) const;
  // Those that there are from the beginning; those of devices as if each PE had one alone.
  void makeTeams(mtshmemi_team_t* teams) const;
  // The same of devices, once their UUIDs are known, by PE. A team whose PEs are not in equal steps is none.
  // Whether any device is of several PEs.
  using DeviceName = std::array<char, 16>;
  bool makeDeviceTeams(const std::vector<DeviceName>& devices, mtshmemi_team_t* teams) const;

 private:
  void makeTeam(mtshmemi_team_t& team, const std::vector<int>& pes, const char* what) const;

  int me_ = 0;
  bool isDisabled_ = false;
  std::vector<int> hostOf_;  // of each PE: the first PE there
};

// Whether kernels post their requests to other hosts themselves: MTSHMEM_IB_ENABLE_IBGDA=1.
bool kernelsPost();

}  // namespace musashim::mtshmem
