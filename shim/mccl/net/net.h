// What carries data between hosts, in the shape of NCCL's network plugins: connections go one way, requests
// are begun and tested, nothing blocks but await().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "mccl.h"

namespace musashim::mccl {

// What a listener hands to who is to connect, by way of the bootstrap.
struct alignas(8) NetHandle {  // network layers may keep pointers in it
  char bytes[128] = {};
};

struct NetProperties {
  std::string name;
  std::string pciPath;
  uint64_t guid = 0;
  bool takesDeviceMemory = false;  // its regMr() does
  int speedMbps = 10000;
  int port = 0;
  float latencyUs = 0;
};

class Net {
 public:
  virtual ~Net() = default;

  virtual const char* name() const = 0;
  virtual int devices() const = 0;
  virtual mcclResult_t properties(int device, NetProperties& properties) = 0;
  // Whether data has to lie in memory that regMr() knows.
  virtual bool needsRegistration() const = 0;

  virtual mcclResult_t listen(int device, NetHandle& handle, void*& listenComm) = 0;
  // Null, with success: not yet; to be called again.
  virtual mcclResult_t connect(int device, NetHandle& handle, void*& sendComm) = 0;
  virtual mcclResult_t accept(void* listenComm, void*& recvComm) = 0;

  virtual mcclResult_t regMr(void* comm, void* data, size_t bytes, void*& memory) = 0;
  virtual mcclResult_t deregMr(void* comm, void* memory) = 0;

  // A null request, with success: no room now; to be called again. Messages of a connection arrive in the
  // order of their sends and must find receives of their tags in that order.
  virtual mcclResult_t isend(void* sendComm, const void* data, size_t bytes, int tag, void* memory,
                             void*& request) = 0;
  virtual mcclResult_t irecv(void* recvComm, void* data, size_t bytes, int tag, void* memory,
                             void*& request) = 0;
  // Once done, the request is gone. `bytes`: how many a receive has got.
  virtual mcclResult_t test(void* request, bool& done, size_t& bytes) = 0;

  virtual void closeSend(void* sendComm) = 0;
  virtual void closeRecv(void* recvComm) = 0;
  virtual void closeListen(void* listenComm) = 0;

  // Sleeps until a request of one of these connections may have come further, or the time is over.
  virtual void await(std::span<void* const> comms, std::chrono::microseconds most) = 0;
};

// The network layer that the settings choose, once for the process: a plugin's, InfiniBand's or RoCE's where
// there are devices, or else sockets. Null, with a message in lastError(), when what is asked for is not
// there.
Net* theNet();

}  // namespace musashim::mccl
