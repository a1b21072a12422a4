// Pools of one process in another: a descriptor for the pool, a word for each allocation.
#include <string.h>

#include "../../framework/buffers.h"
#include "../../framework/processes.h"

CONFORMANCE_CASE("ipc.pools");

struct Findings {
  cudaError_t import, importPointer, importAgain, allocate, exportIt, freeIt, freeAfterDestroy, destroy, use;
  int value;
};

static void sendDescriptor(int socket, int fd) {
  char byte = 'd', control[CMSG_SPACE(sizeof(int))] = {};
  iovec data = {&byte, 1};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &fd, sizeof fd);
  if (sendmsg(socket, &message, 0) != 1) _Exit(3);
}

static int receiveDescriptor(int socket) {
  char byte, control[CMSG_SPACE(sizeof(int))] = {};
  iovec data = {&byte, 1};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(socket, &message, 0) != 1) _Exit(3);
  int fd = -1;
  memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  return fd;
}

struct Peer : Child {
  Peer() : Child("child") {}
  int socket() const { return fd_; }
};

static int child() {
  Connection parent = parentProcess();
  const int fd = receiveDescriptor(Child::kChild);
  Findings found = {};
  cudaMemPool_t pool = nullptr;
  SETUP(cudaFree(nullptr));
  found.import = cudaMemPoolImportFromShareableHandle(
      &pool, reinterpret_cast<void*>(static_cast<uintptr_t>(fd)), cudaMemHandleTypePosixFileDescriptor, 0);
  SETUP(found.import);
  cudaMemPoolPtrExportData word = parent.receive<cudaMemPoolPtrExportData>();
  void *memory = nullptr, *again = nullptr, *fresh = nullptr;
  found.importPointer = cudaMemPoolImportPointer(&memory, pool, &word);
  SETUP(found.importPointer);
  found.importAgain = cudaMemPoolImportPointer(&again, pool, &word);
  int value = 0;
  SETUP(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost));
  found.value = value;
  found.use = cudaMemset(memory, 0x21, sizeof value);
  found.allocate = cudaMallocFromPoolAsync(&fresh, 64, pool, nullptr);
  cudaMemPoolPtrExportData own;
  found.exportIt = cudaMemPoolExportPointer(&own, memory);
  (void)cudaGetLastError();
  found.freeIt = cudaFree(memory);
  (void)cudaGetLastError();
  found.destroy = cudaMemPoolDestroy(pool);
  parent.send(found);
  return parent.receive<char>() == 'q' ? 0 : 1;
}

int main(int argc, char**) {
  if (argc > 1) return child();
  Peer other;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  cudaMemPool_t pool = nullptr;
  OBSERVE("create", cudaMemPoolCreate(&pool, &properties));
  int fd = -1;
  OBSERVE("export", cudaMemPoolExportToShareableHandle(&fd, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  OBSERVE("export_flags",
          cudaMemPoolExportToShareableHandle(&fd, pool, cudaMemHandleTypePosixFileDescriptor, 1));
  OBSERVE("export_null",
          cudaMemPoolExportToShareableHandle(nullptr, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  OBSERVE("export_none", cudaMemPoolExportToShareableHandle(&fd, pool, cudaMemHandleTypeNone, 0));
  (void)cudaGetLastError();
  int* memory = nullptr;
  SETUP(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&memory), 4096, pool, nullptr));
  const int value = 4711;
  SETUP(cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice));
  cudaMemPoolPtrExportData word = {};
  OBSERVE("export_pointer", cudaMemPoolExportPointer(&word, memory));
  OBSERVE("export_pointer_null", cudaMemPoolExportPointer(&word, nullptr));
  OBSERVE("export_pointer_no_word", cudaMemPoolExportPointer(nullptr, memory));
  cudaMemPoolPtrExportData none = {};
  void* plain = nullptr;
  SETUP(cudaMalloc(&plain, 64));
  OBSERVE("export_pointer_plain", cudaMemPoolExportPointer(&none, plain));
  void* standard = nullptr;
  SETUP(cudaMallocAsync(&standard, 64, nullptr));
  OBSERVE("export_pointer_of_default_pool", cudaMemPoolExportPointer(&none, standard));
  (void)cudaGetLastError();
  sendDescriptor(other.socket(), fd);
  other.send(word);
  const Findings found = other.receive<Findings>();
  OBSERVE("other.import", found.import);
  OBSERVE("other.import_pointer", found.importPointer);
  OBSERVE("other.import_pointer_again", found.importAgain);
  OBSERVE("other.value", found.value);
  OBSERVE("other.use", found.use);
  OBSERVE("other.allocate", found.allocate);
  OBSERVE("other.export", found.exportIt);
  OBSERVE("other.free", found.freeIt);
  OBSERVE("other.destroy", found.destroy);
  int seen = 0;
  SETUP(cudaMemcpy(&seen, memory, sizeof seen, cudaMemcpyDeviceToHost));
  OBSERVE("written_by_the_other", seen == 0x21212121);
  OBSERVE("free", cudaFree(memory));
  OBSERVE("destroy", cudaMemPoolDestroy(pool));
  other.send('q');
  OBSERVE("child", other.join());
}
