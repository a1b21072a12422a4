// Device images whose modules have ended, while work of other devices may still copy to and from their
// variables.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "interface/device.h"
#include "interface/queue.h"

namespace musashim::musa {

class RetiredImages {
 public:
  // Frees the image at once if nothing is queued anywhere, else when another one comes after what is queued
  // now is done. Nobody waits: what is queued may wait for the calling thread.
  void add(std::unique_ptr<backend::Image> image);

 private:
  struct Entry {
    std::unique_ptr<backend::Image> image;
    std::vector<backend::Fence> pending;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace musashim::musa
