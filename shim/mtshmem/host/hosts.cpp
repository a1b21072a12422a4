#include "mtshmem/host/hosts.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "mccl/comm/roster.h"

namespace musashim::mtshmem {
namespace {

bool isOn(const char* variable) {
  const char* const text = std::getenv(variable);
  return text != nullptr && *text != '\0' && *text != '0' && *text != 'f' && *text != 'n';
}

std::string transport() {
  const char* const text = std::getenv("MTSHMEM_REMOTE_TRANSPORT");
  return text != nullptr ? text : "ibrc";
}

}  // namespace

bool kernelsPost() { return isOn("MTSHMEM_IB_ENABLE_IBGDA") || transport() == "ibgda"; }

HostsOfPes::HostsOfPes(Job& job, int me) : me_(me), isDisabled_(isOn("MTSHMEM_DISABLE_P2P")) {
  const mccl::MachineToken& token = mccl::machineToken();
  Card card(sizeof token);
  std::memcpy(card.data(), &token, sizeof token);
  const std::vector<Card> cards = job.exchange(card);
  for (const Card& one : cards)
    hostOf_.push_back(static_cast<int>(std::find(cards.begin(), cards.end(), one) - cards.begin()));
  const std::string wanted = transport();
  if (wanted != "none" && wanted != "ibrc" && wanted != "ibgda")
    throw std::runtime_error("MTSHMEM_REMOTE_TRANSPORT is '" + wanted + "'; ibrc, ibgda and none there are");
  if (anyFar() && wanted == "none") {
    throw std::runtime_error(
        "there are PEs that this one's memory is not shared with, and MTSHMEM_REMOTE_TRANSPORT=none");
  }
}

bool HostsOfPes::isFar(int pe) const {
  if (pe == me_) return false;
  return isDisabled_ || hostOf_[static_cast<size_t>(pe)] != hostOf_[static_cast<size_t>(me_)];
}

bool HostsOfPes::anyFar() const { return isFarTeam(0, 1, size()); }

bool HostsOfPes::isFarTeam(int start, int stride, int count) const {
  for (int i = 0; i < count; ++i) {
    if (isFar(start + i * stride)) return true;
  }
  return false;
}

// Teams are PEs in equal steps.
void HostsOfPes::makeTeam(mtshmemi_team_t& team, const std::vector<int>& pes, const char* what) const {
  const int step = pes.size() > 1 ? pes[1] - pes[0] : 1;
  for (size_t i = 1; i < pes.size(); ++i) {
    if (pes[i] - pes[i - 1] != step) {
      throw std::runtime_error(std::string("the PEs of ") + what +
                               " are not in equal steps; start the same number on each host");
    }
  }
  const auto place = std::find(pes.begin(), pes.end(), me_);
  if (place == pes.end()) return;
  const int size = static_cast<int>(pes.size());
  team = {1, static_cast<int>(place - pes.begin()), size, pes[0], step, isFarTeam(pes[0], step, size)};
}

void HostsOfPes::makeTeams(mtshmemi_team_t* teams) const {
  std::vector<int> all, near, node, same;
  const auto numberOnHost = [&](int pe) {
    return std::count(hostOf_.begin(), hostOf_.begin() + pe, hostOf_[static_cast<size_t>(pe)]);
  };
  for (int pe = 0; pe < size(); ++pe) {
    all.push_back(pe);
    if (!isFar(pe)) near.push_back(pe);
    if (hostOf_[static_cast<size_t>(pe)] == hostOf_[static_cast<size_t>(me_)]) node.push_back(pe);
    if (numberOnHost(pe) == numberOnHost(me_)) same.push_back(pe);
  }
  makeTeam(teams[0], all, "the job");
  makeTeam(teams[1], near, "a host");
  makeTeam(teams[2], node, "a host");
  makeTeam(teams[3], same, "the same number on all hosts");
  makeTeam(teams[4], {me_}, "a device");  // one PE has a device alone
  makeTeam(teams[5], all, "the job");
}

}  // namespace musashim::mtshmem
