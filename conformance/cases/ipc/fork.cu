// A child that has forked from a process with a device, and not begun a program of its own.
#include <sys/wait.h>
#include <unistd.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("ipc.fork");

static void inChild(void (*body)()) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    body();
    fflush(stdout);
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  OBSERVE("child_status", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void* memory = nullptr;

int main() {
  SETUP(cudaMalloc(&memory, 4096));
  inChild([] {
    int count = 0;
    size_t free = 0, total = 0;
    void* more = nullptr;
    OBSERVE("count", cudaGetDeviceCount(&count));
    OBSERVE("set_device", cudaSetDevice(0));
    OBSERVE("malloc", cudaMalloc(&more, 64));
    OBSERVE("free", cudaFree(memory));
    OBSERVE("memset", cudaMemset(memory, 0, 64));
    OBSERVE("synchronize", cudaDeviceSynchronize());
    OBSERVE("info", cudaMemGetInfo(&free, &total));
    OBSERVE("last_error", cudaGetLastError());
  });
  OBSERVE("parent_goes_on", cudaMemset(memory, 0, 64));
  OBSERVE("parent_synchronize", cudaDeviceSynchronize());
}
