// Connections between two ranks of different hosts, one for each direction, purpose and lane, made when they
// are first used: the side that receives listens and sends where by mail.
//
// A message goes in parts, a few of them under way at a time, so that both directions between two hosts get
// their turns. Where the network layer wants registered memory, parts pass through buffers of the link's own.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <vector>

#include "mccl/comm/roster.h"
#include "mccl/net/net.h"

namespace musashim::mccl {

// What a connection is for; its ends agree on it.
enum class LinkPurpose : uint32_t { kReduce = 0, kSpread = 1, kMessages = 2 };

// What a connection is called, by both ends; and which of this host's network devices it goes by.
struct LinkName {
  LinkPurpose purpose = LinkPurpose::kMessages;
  int lane = 0;
  auto operator<=>(const LinkName&) const = default;
};
struct LinkRoute {
  int device = 0;
  // For the log: the channel, and the ranks whose data it carries.
  int channel = 0, from = -1, to = -1;
};

class Link {
 public:
  Link(Net& net, const Roster& roster, int own, int peer, const LinkName& name, const LinkRoute& route)
      : net_(net), roster_(roster), own_(own), peer_(peer), name_(name), route_(route) {}
  virtual ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  int peer() const { return peer_; }
  // Messages that are done, of all so far.
  size_t completed() const { return completed_; }
  size_t begun() const { return begun_; }
  // Parts of messages that are done; more than before where something has moved.
  size_t completedParts() const { return completedParts_; }
  bool isIdle() const { return completed_ == begun_; }
  void* comm() const { return comm_; }

  // Connects, and moves on what has begun.
  mcclResult_t poll();
  // Begins a message, if there is room; then `taken`. Its memory stays where it is until it is done.
  mcclResult_t begin(void* data, size_t bytes, int tag, bool& taken);

 protected:
  static constexpr size_t kPartBytes = 256 << 10;
  static constexpr size_t kParts = 8;  // under way

  struct Part {
    void* request = nullptr;
    std::byte* staged = nullptr;  // of registered memory
    char* data = nullptr;
    size_t bytes = 0;
    bool isLast = false;  // of its message
  };
  struct Waiting {
    char* data;
    size_t bytes;
    int tag;
  };

  virtual bool receives() const = 0;
  virtual mcclResult_t connect() = 0;
  virtual mcclResult_t post(Part& part, int tag, void* memory) = 0;
  virtual void finish(Part& part, size_t bytes) = 0;

  mcclResult_t isLate();
  void report() const;
  mcclResult_t prepareStaging();
  mcclResult_t postAll();
  const RankInfo& info(int rank) const { return roster_.ranks[static_cast<size_t>(rank)]; }
  uint64_t mailNumber() const {
    return static_cast<uint64_t>(name_.purpose) | static_cast<uint64_t>(name_.lane) << 8;
  }

  Net& net_;
  const Roster& roster_;
  const int own_, peer_;
  const LinkName name_;
  const LinkRoute route_;
  void* comm_ = nullptr;
  std::vector<std::byte*> free_;  // staging buffers
  void* memory_ = nullptr;        // their registration
  std::byte* staging_ = nullptr;

 private:
  std::chrono::steady_clock::time_point since_{};
  std::deque<Waiting> waiting_;  // messages of which not all parts have begun
  std::deque<Part> parts_;
  size_t completed_ = 0, begun_ = 0, completedParts_ = 0;
};

class OutLink final : public Link {
 public:
  using Link::Link;
  ~OutLink() override;

 private:
  bool receives() const override { return false; }
  mcclResult_t connect() override;
  mcclResult_t post(Part& part, int tag, void* memory) override;
  void finish(Part& part, size_t bytes) override;

  NetHandle handle_;
  bool isTold_ = false;
};

class InLink final : public Link {
 public:
  using Link::Link;
  ~InLink() override;

 private:
  bool receives() const override { return true; }
  mcclResult_t connect() override;
  mcclResult_t post(Part& part, int tag, void* memory) override;
  void finish(Part& part, size_t bytes) override;

  void* listening_ = nullptr;
};

}  // namespace musashim::mccl
