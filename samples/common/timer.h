// Time on the device, between two events of one stream.
#pragma once

#include "check.h"

class EventTimer {
 public:
  explicit EventTimer(cudaStream_t stream = nullptr) : stream_(stream) {
    CHECK(cudaEventCreate(&start_));
    CHECK(cudaEventCreate(&stop_));
  }
  ~EventTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  void start() { CHECK(cudaEventRecord(start_, stream_)); }

  // Waits for all work since start(); milliseconds.
  float stop() {
    CHECK(cudaEventRecord(stop_, stream_));
    CHECK(cudaEventSynchronize(stop_));
    float milliseconds = 0.0f;
    CHECK(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};
