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

constexpr int kSameDevice = 4, kFirstOfDevices = 5;  // MTSHMEMI_TEAM_SAME_GPU, MTSHMEMI_TEAM_GPU_LEADERS

std::string transport() {
  const char* const text = std::getenv("MTSHMEM_REMOTE_TRANSPORT");
  return text != nullptr ? text : "ibrc";
}

bool areInEqualSteps(const std::vector<int>& pes) {
  for (size_t i = 2; i < pes.size(); ++i) {
    if (pes[i] - pes[i - 1] != pes[1] - pes[0]) return false;
  }
  return true;
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
  if (!areInEqualSteps(pes)) {
    throw std::runtime_error(std::string("the PEs of ") + what +
                             " are not in equal steps; start the same number on each host");
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
  makeTeam(teams[kSameDevice], {me_}, "a device");
  makeTeam(teams[kFirstOfDevices], all, "the job");
}

bool HostsOfPes::makeDeviceTeams(const std::vector<DeviceName>& devices, mtshmemi_team_t* teams) const {
  const auto firstOf = [&](int pe) {
    int first = 0;
    while (hostOf_[static_cast<size_t>(first)] != hostOf_[static_cast<size_t>(pe)] ||
           devices[static_cast<size_t>(first)] != devices[static_cast<size_t>(pe)])
      ++first;
    return first;
  };
  std::vector<int> same, firsts;
  for (int pe = 0; pe < size(); ++pe) {
    if (firstOf(pe) == firstOf(me_)) same.push_back(pe);
    if (firstOf(pe) == pe) firsts.push_back(pe);
  }
  teams[kSameDevice] = teams[kFirstOfDevices] = {};
  if (areInEqualSteps(same)) makeTeam(teams[kSameDevice], same, "a device");
  if (areInEqualSteps(firsts)) makeTeam(teams[kFirstOfDevices], firsts, "the job");
  return static_cast<int>(firsts.size()) < size();
}

}  // namespace musashim::mtshmem
