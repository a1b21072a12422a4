#include "mccl/comm/registry.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

// The public handle: nothing but an address of its own.
struct mcclComm {
  char unused;
};

namespace musashim::mccl {
namespace {

struct Registry {
  std::shared_mutex mutex;
  struct Entry {
    std::unique_ptr<mcclComm> handle;
    std::shared_ptr<Member> member;
  };
  std::unordered_map<mcclComm_t, Entry> comms;
};

Registry& registry() {
  static Registry* const kRegistry = new Registry;
  return *kRegistry;
}

}  // namespace

mcclComm_t registerComm(std::shared_ptr<Member> member) {
  auto handle = std::make_unique<mcclComm>();
  mcclComm_t comm = handle.get();
  std::unique_lock lock(registry().mutex);
  registry().comms.emplace(comm, Registry::Entry{std::move(handle), std::move(member)});
  return comm;
}

std::shared_ptr<Member> findComm(mcclComm_t comm) {
  std::shared_lock lock(registry().mutex);
  const auto found = registry().comms.find(comm);
  return found == registry().comms.end() ? nullptr : found->second.member;
}

std::shared_ptr<Member> releaseComm(mcclComm_t comm) {
  std::unique_lock lock(registry().mutex);
  auto node = registry().comms.extract(comm);
  return node.empty() ? nullptr : std::move(node.mapped().member);
}

}  // namespace musashim::mccl
