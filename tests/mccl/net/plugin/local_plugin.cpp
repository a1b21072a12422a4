// A network plugin, built for each version of the table: local sockets without a name in the file system. It
// looks closely at how it is used: data outside registered memory and requests that are tested too often end
// the process.
#include <mccl_net.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>

namespace {

struct Memory {
  char* begin;
  size_t bytes;
};

struct Comm;
struct Request {
  Comm* comm;
  char* data;
  size_t bytes;
  uint64_t header[2];  // bytes, tag
  int tag;
  size_t moved = 0;
  bool isDone = false;
};
struct Comm {
  int fd;
  bool sends;
  std::deque<Request*> queue;
};

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "local plugin: %s\n", what);
  std::abort();
}

sockaddr_un addressOf(const char* name, socklen_t& length) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
  length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + std::strlen(name));
  return address;
}

mcclResult_t devices(int* count) {
  *count = 1;
  return mcclSuccess;
}

template <class Properties>
mcclResult_t getProperties(int device, Properties* properties) {
  if (device != 0) return mcclInvalidArgument;
  static char name[] = "local0";
  *properties = {};
  properties->name = name;
  properties->ptrSupport = MCCL_PTR_HOST;
  properties->speed = 100000;
  properties->maxComms = 65536;
  properties->maxRecvs = 1;
  return mcclSuccess;
}

mcclResult_t listenAt(void* handle, void** listenComm) {
  static std::atomic<int> count{0};
  const std::string name = "mccl-local-plugin-" + std::to_string(getpid()) + "-" + std::to_string(count++);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  socklen_t length = 0;
  const sockaddr_un address = addressOf(name.c_str(), length);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), length) != 0 || listen(fd, 4) != 0)
    return mcclSystemError;
  std::strncpy(static_cast<char*>(handle), name.c_str(), MCCL_NET_HANDLE_MAXSIZE - 1);
  *listenComm = new Comm{fd, false, {}};
  return mcclSuccess;
}

// Not at once, so that callers have to come back.
mcclResult_t connectTo(void* handle, void** sendComm) {
  auto& calls = static_cast<char*>(handle)[MCCL_NET_HANDLE_MAXSIZE - 1];
  if (++calls < 3) return mcclSuccess;
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  socklen_t length = 0;
  const sockaddr_un address = addressOf(static_cast<const char*>(handle), length);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), length) != 0) return mcclRemoteError;
  *sendComm = new Comm{fd, true, {}};
  return mcclSuccess;
}

mcclResult_t acceptAt(void* listenComm, void** recvComm, void**) {
  const int fd = accept4(static_cast<Comm*>(listenComm)->fd, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd >= 0) *recvComm = new Comm{fd, false, {}};
  return mcclSuccess;
}

mcclResult_t regMr(void*, void* data, size_t size, int type, void** handle) {
  require(type == MCCL_PTR_HOST, "memory of the host is all that it takes");
  *handle = new Memory{static_cast<char*>(data), size};
  return mcclSuccess;
}
mcclResult_t regMrDmaBuf(void*, void*, size_t, int, uint64_t, int, void**) { return mcclInternalError; }
mcclResult_t deregMr(void*, void* handle) {
  delete static_cast<Memory*>(handle);
  return mcclSuccess;
}

mcclResult_t begin(void* comm, void* data, size_t bytes, int tag, void* handle, void** request) {
  auto* const one = static_cast<Comm*>(comm);
  const auto* const memory = static_cast<Memory*>(handle);
  char* const at = static_cast<char*>(data);
  require(memory && at >= memory->begin && at + bytes <= memory->begin + memory->bytes,
          "data outside registered memory");
  *request = nullptr;
  if (one->queue.size() >= MCCL_NET_MAX_REQUESTS / 8) return mcclSuccess;  // "not now"
  auto* const made = new Request{one, at, bytes, {bytes, static_cast<uint64_t>(tag)}, tag};
  one->queue.push_back(made);
  *request = made;
  return mcclSuccess;
}

// Header, then data. Whether it got to the end.
mcclResult_t move(Request& request) {
  constexpr size_t kHeader = sizeof request.header;
  while (true) {
    const bool inHeader = request.moved < kHeader;
    if (!inHeader && !request.comm->sends && request.header[1] != static_cast<uint64_t>(request.tag))
      return mcclInvalidUsage;
    const size_t bytes = inHeader ? kHeader : request.header[0];
    const size_t done = inHeader ? request.moved : request.moved - kHeader;
    if (!inHeader && bytes > request.bytes) return mcclInvalidUsage;
    if (!inHeader && done == bytes) break;
    char* const at = (inHeader ? reinterpret_cast<char*>(request.header) : request.data) + done;
    const ssize_t moved = request.comm->sends
                              ? send(request.comm->fd, at, bytes - done, MSG_DONTWAIT | MSG_NOSIGNAL)
                              : recv(request.comm->fd, at, bytes - done, MSG_DONTWAIT);
    if (moved < 0 && (errno == EAGAIN || errno == EINTR)) return mcclSuccess;
    if (moved <= 0) return mcclRemoteError;
    request.moved += static_cast<size_t>(moved);
  }
  request.isDone = true;
  return mcclSuccess;
}

mcclResult_t test(void* request, int* done, int* sizes) {
  auto* const one = static_cast<Request*>(request);
  std::deque<Request*>& queue = one->comm->queue;
  while (!queue.empty()) {
    if (const mcclResult_t result = move(*queue.front()); result != mcclSuccess) return result;
    if (!queue.front()->isDone) break;
    queue.pop_front();
  }
  *done = one->isDone ? 1 : 0;
  if (!one->isDone) return mcclSuccess;
  if (sizes) *sizes = static_cast<int>(one->header[0]);
  delete one;
  return mcclSuccess;
}

mcclResult_t iflush(void*, int, void**, int*, void**, void** request) {
  *request = nullptr;
  return mcclSuccess;
}

mcclResult_t closeComm(void* comm) {
  close(static_cast<Comm*>(comm)->fd);
  delete static_cast<Comm*>(comm);
  return mcclSuccess;
}

template <class Log>
mcclResult_t announce(Log log) {
  log(MCCL_LOG_INFO, ~0ul, __FILE__, __LINE__, "the local plugin is here, pid %d",
      static_cast<int>(getpid()));
  return mcclSuccess;
}

}  // namespace

#define ENTRY extern "C" __attribute__((visibility("default")))

#if VERSION == 8 || VERSION == 9
#if VERSION == 8
using Table = mcclNet_v8_t;
using Size = int;
#define PLUGIN mcclNetPlugin_v8
#else
using Table = mcclNet_v9_t;
using Size = size_t;
#define PLUGIN ncclNetPlugin_v9
#endif
ENTRY Table PLUGIN = [] {
  Table table{};
  table.init = [](mcclDebugLogger_t log) { return announce(log); };
  table.listen = [](int, void* handle, void** comm) { return listenAt(handle, comm); };
  table.connect = [](int, void* handle, void** comm, void**) { return connectTo(handle, comm); };
  table.isend = [](void* comm, void* data, Size size, int tag, void* handle, void** request) {
    return begin(comm, data, static_cast<size_t>(size), tag, handle, request);
  };
  table.irecv = [](void* comm, int n, void** data, Size* sizes, int* tags, void** handles, void** request) {
    require(n == 1, "one receive at a time");
    return begin(comm, data[0], static_cast<size_t>(sizes[0]), tags[0], handles[0], request);
  };
#else
#if VERSION == 10
using Table = mcclNet_v10_t;
#define PLUGIN ncclNetPlugin_v10
#else
using Table = mcclNet_v11_t;
#define PLUGIN mcclNetPlugin_v11
#endif
ENTRY Table PLUGIN = [] {
  Table table{};
#if VERSION == 10
  table.init = [](mcclDebugLogger_t log, mcclProfilerCallback_t) { return announce(log); };
  table.listen = [](int, void* handle, void** comm) { return listenAt(handle, comm); };
  table.connect = [](int, mcclNetCommConfig_t*, void* handle, void** comm, void**) {
    return connectTo(handle, comm);
  };
#else
  table.init = [](void** context, uint64_t, mcclNetCommConfig_t*, mcclDebugLogger_t log,
                  mcclProfilerCallback_t) {
    static int theContext;
    *context = &theContext;
    return announce(log);
  };
  table.listen = [](void* context, int, void* handle, void** comm) {
    require(context != nullptr, "the context of init");
    return listenAt(handle, comm);
  };
  table.connect = [](void* context, int, void* handle, void** comm, void**) {
    require(context != nullptr, "the context of init");
    return connectTo(handle, comm);
  };
#endif
  table.isend = [](void* comm, void* data, size_t size, int tag, void* handle, void*, void** request) {
    return begin(comm, data, size, tag, handle, request);
  };
  table.irecv = [](void* comm, int n, void** data, size_t* sizes, int* tags, void** handles, void**,
                   void** request) {
    require(n == 1, "one receive at a time");
    return begin(comm, data[0], sizes[0], tags[0], handles[0], request);
  };
#endif
  table.name = "Local";
  table.devices = devices;
  table.getProperties = getProperties;
  table.accept = acceptAt;
  table.regMr = regMr;
  table.regMrDmaBuf = regMrDmaBuf;
  table.deregMr = deregMr;
  table.iflush = iflush;
  table.test = test;
  table.closeSend = table.closeRecv = table.closeListen = closeComm;
  return table;
}();
