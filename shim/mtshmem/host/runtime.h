// MTSHMEM in this process: its job, its heap, what kernels are told.
#pragma once

#include <musa.h>

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "mtshmem/host/entries.h"
#include "mtshmem/host/heap.h"
#include "mtshmem/host/hosts.h"
#include "mtshmem/job/job.h"
#include "mtshmem/remote/remote.h"

namespace musashim::mtshmem {

class Runtime {
 public:
  static Runtime& get();

  // Collective. Throws std::runtime_error.
  void begin(const JobPlace& place);
  void end();
  bool isBegun() const { return job_ != nullptr; }
  bool hasHeap() const { return mtshmemi::gState.heap != nullptr; }
  // Some PEs have one device together.
  bool shareDevices() const { return shareDevices_; }
  // A PE that ended while others may wait for it; -1: none, as far as is known.
  int lostPe() { return job_->lostPe(); }
  // Null where all PEs are on this host.
  Remote* remote() { return remote_.get(); }

  const HostsOfPes& hosts() const { return hosts_; }

  // Collective at first: the heap on the current device. Throws std::runtime_error.
  void needHeap();
  // Collective: the heap at once, where the program has chosen a device before MTSHMEM's init.
  void beginHeapIfChosen();
  // Collective; null if there is no room.
  void* allocate(std::size_t bytes, std::size_t alignment);
  void release(void* place);

  // A source's copy of the state, to be written when there is one.
  void addDeviceState(const void* symbol);
  // The copy of a module that was loaded at run time; false if its kernels have none. Throws as needHeap().
  bool addModule(MUmodule module);
  void removeModule(MUmodule module);
  // Writes the state into all copies, on the heap's device.
  void publish();

 private:
  // Tells the others where the heap is, and finds theirs.
  void meetPeers(char* heap, std::size_t bytes);
  void tellPosts() const;

  std::mutex mutex_;
  std::unique_ptr<Job> job_;
  std::unique_ptr<Remote> remote_;
  HostsOfPes hosts_;
  HeapPlan plan_;
  int device_ = -1;
  bool shareDevices_ = false;
  std::vector<const void*> symbols_;
  std::map<MUmodule, MUdeviceptr> modules_;
};

// Of MTSHMEM_MAX_TEAMS. Throws std::runtime_error if that is no number.
void readMostTeams();

// Ends the process, all of whose peers would wait for it for ever.
[[noreturn]] void giveUp(const char* name, const std::string& why);

}  // namespace musashim::mtshmem
