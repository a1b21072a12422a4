// A rank of another process that has come to a meeting here, and what it fetches afterwards.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "mccl/bootstrap/party.h"
#include "mccl/bootstrap/protocol.h"
#include "mccl/bootstrap/socket.h"

namespace musashim::mccl {

class RemoteParty final : public Party {
 public:
  RemoteParty(std::shared_ptr<const Fd> socket, const IdContent& id, const RankInfo& info)
      : socket_(std::move(socket)), id_(id), info_(info) {}

  const RankInfo& info() const override { return info_; }
  bool comesBySocket() const override { return true; }
  void admit(const Admission& admission) override;
  void reject(mcclResult_t result, const std::string& reason) override;

 private:
  const std::shared_ptr<const Fd> socket_;
  const IdContent id_;
  const RankInfo info_;
};

// Memory files that wait to be fetched, each once.
class Pickups {
 public:
  // The local socket where they are fetched; opens it anew in each process.
  static bool open();
  static int door();
  static std::string doorName();

  // The key that fetches `segment`'s memory file.
  static Secret offer(std::shared_ptr<Segment> segment);
  // Whether nobody has come for it.
  static bool isWaiting(const Secret& key);
  // Sends what `key` fetches; nothing when there is none.
  static void hand(const Secret& key, int socket);
};

}  // namespace musashim::mccl
