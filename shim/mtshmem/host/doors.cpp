#include "mtshmem/host/doors.h"

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "mccl/core/log.h"

namespace musashim::mtshmem {
namespace {

constexpr int kDevice = 0;  // the first, which is the best

void check(mcclResult_t result, int pe) {
  if (result != mcclSuccess)
    throw std::runtime_error("no connection to PE " + std::to_string(pe) + ": " + mccl::lastError());
}

}  // namespace

Doors::Doors(const HostsOfPes& hosts)
    : hosts_(hosts),
      net_(mccl::theNet()),
      handles_(static_cast<std::size_t>(hosts.size())),
      doors_(static_cast<std::size_t>(hosts.size()), nullptr) {
  if (net_ == nullptr) throw std::runtime_error("no network to other hosts: " + mccl::lastError());
  for (std::size_t pe = 0; pe < doors_.size(); ++pe) {
    if (hosts_.isFar(static_cast<int>(pe)))
      check(net_->listen(kDevice, handles_[pe], doors_[pe]), static_cast<int>(pe));
  }
}

Doors::~Doors() {
  for (void* const door : doors_) {
    if (door != nullptr) net_->closeListen(door);
  }
}

void Doors::addTo(Card& card) const {
  const std::size_t at = card.size(), bytes = handles_.size() * sizeof(mccl::NetHandle);
  card.resize(at + bytes);
  std::memcpy(card.data() + at, handles_.data(), bytes);
}

std::vector<std::unique_ptr<Connection>> Doors::connect(const std::vector<Card>& cards, std::size_t at) {
  const std::size_t size = cards.size();
  std::vector<void*> sends(size), receives(size);
  std::vector<mccl::NetHandle> handles(size);
  std::size_t left = 0;
  for (std::size_t pe = 0; pe < size; ++pe) {
    if (doors_[pe] == nullptr) continue;
    const std::size_t own = at + static_cast<std::size_t>(hosts_.me()) * sizeof(mccl::NetHandle);
    if (cards[pe].size() < own + sizeof(mccl::NetHandle)) {
      throw std::runtime_error(
          "PE " + std::to_string(pe) +
          " expects nobody of another host; MTSHMEM_DISABLE_P2P must be the same at all PEs");
    }
    std::memcpy(&handles[pe], cards[pe].data() + own, sizeof(mccl::NetHandle));
    left += 2;
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(bootstrapSeconds());
  for (;;) {
    for (std::size_t pe = 0; pe < size; ++pe) {
      if (doors_[pe] == nullptr) continue;
      if (sends[pe] == nullptr) {
        check(net_->connect(kDevice, handles[pe], sends[pe]), static_cast<int>(pe));
        left -= sends[pe] != nullptr;
      }
      if (receives[pe] == nullptr) {
        check(net_->accept(doors_[pe], receives[pe]), static_cast<int>(pe));
        left -= receives[pe] != nullptr;
      }
    }
    if (left == 0) break;
    if (std::chrono::steady_clock::now() > until)
      throw std::runtime_error("not all PEs of other hosts connected (MTSHMEM_BOOTSTRAP_TIMEOUT: seconds)");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::vector<std::unique_ptr<Connection>> connections(size);
  for (std::size_t pe = 0; pe < size; ++pe) {
    if (doors_[pe] != nullptr) connections[pe] = std::make_unique<Connection>(*net_, sends[pe], receives[pe]);
  }
  return connections;
}

}  // namespace musashim::mtshmem
