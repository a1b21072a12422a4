// An event that lies in memory of several processes.
//
// Every queue that records it has a timeline in the event's page: how many records it
// has begun (`issued`) and how many its queue has reached (`done`), in order. A mark
// is the timeline's number and the record's; the page holds the mark of the last one.
// So a wait is for exactly the record that was last when the wait was asked for,
// whatever any process records meanwhile.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "cpu/process/peer_file.h"
#include "interface/sharing.h"

namespace musashim::backend::cpu {

class CpuSharedEvent final : public SharedEvent {
 public:
  static Status create(std::unique_ptr<SharedEvent>& event);
  // kNotFound when the event is gone; kInvalidValue when the ticket names no event.
  static Status open(const ShareTicket& ticket, std::unique_ptr<SharedEvent>& event);
  ~CpuSharedEvent() override;  // no record of this process may be pending

  Status newMark(const Queue& queue, Mark& mark) override;
  void publish(Mark mark) override;
  void signal(Mark mark) override;
  Mark last() const override;
  bool isReached(Mark mark) override;
  void wait(Mark mark, const std::function<bool()>& giveUp) override;
  ShareTicket ticket() const override { return ticket_; }

 private:
  struct Page;

  CpuSharedEvent(Page* page, UniqueFd file, const ShareTicket& ticket);
  bool takeTimeline(uint32_t& timeline);
  bool isDone(Mark mark) const;
  bool isAbandoned(Mark mark) const;  // its process has ended without reaching it

  Page* const page_;
  const UniqueFd file_;  // for other processes to open; the creator's
  const ShareTicket ticket_;
  std::atomic<int64_t> askedAt_{0};             // when isReached() last looked whether a process lives
  std::mutex mutex_;                            // guards what follows
  std::map<const Queue*, uint32_t> timelines_;  // of this process
};

}  // namespace musashim::backend::cpu
