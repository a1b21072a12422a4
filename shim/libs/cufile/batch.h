// Operations that are submitted together and end in any order.
#pragma once

#include <cufile.h>

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "libs/cufile/transfer.h"

namespace musashim::cufile {

class Batch : public std::enable_shared_from_this<Batch> {
 public:
  // Room for so many operations, each until its event was taken.
  explicit Batch(unsigned capacity) : capacity_(capacity) { events_.reserve(capacity); }

  CUfileOpError submit(const CUfileIOParams_t* operations, unsigned count);
  // Waits until there are `least` events, nothing is left to wait for, or `timeout` (null: for ever) has gone
  // by. Returns how many it gave, at most `most`.
  unsigned take(unsigned least, unsigned most, CUfileIOEvents_t* events, const timespec* timeout);
  // What has not begun does not begin.
  void cancel();
  void waitForAll();
  // Runs the next operation, if there is one. Of the workers.
  void runNext();

 private:
  struct Waiting {
    CUfileIOParams_t operation;
    std::shared_ptr<File> file;
    Memory memory;
  };
  void end(void* cookie, CUfileStatus_t status, ssize_t result);

  const unsigned capacity_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::list<Waiting> waiting_;
  unsigned running_ = 0;
  std::vector<CUfileIOEvents_t> events_;  // with room for all, as a worker must not throw
};

}  // namespace musashim::cufile
