// Where the PEs of other hosts connect to, on MCCL's network layer.
#pragma once

#include <memory>
#include <vector>

#include "mccl/net/net.h"
#include "mtshmem/host/hosts.h"
#include "mtshmem/remote/connection.h"

namespace musashim::mtshmem {

class Doors {
 public:
  // Listens for each PE that is far. Throws std::runtime_error, as connect() does.
  explicit Doors(const HostsOfPes& hosts);
  ~Doors();
  Doors(const Doors&) = delete;
  Doors& operator=(const Doors&) = delete;

  mccl::Net& net() const { return *net_; }
  // What the others have to know, behind what the card holds.
  void addTo(Card& card) const;
  // Goes to all that are far by their cards, from their byte `at` on, and lets them in. By PE; null: near.
  std::vector<std::unique_ptr<Connection>> connect(const std::vector<Card>& cards, std::size_t at);

 private:
  const HostsOfPes& hosts_;
  mccl::Net* const net_;
  std::vector<mccl::NetHandle> handles_;  // by PE
  std::vector<void*> doors_;
};

}  // namespace musashim::mtshmem
