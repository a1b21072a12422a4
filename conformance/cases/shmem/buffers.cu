// Memory of the program's own as one end of puts and gets.
// requires: devices>=2
// links: nvshmem
#include "../../framework/buffers.h"
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.buffers");

__global__ void fromOwn(int* to, const int* own, int* back, const int* from, int other) {
  nvshmem_int_put(to, own, 4, other);
  nvshmem_int_get(back, from, 4, other);
  nvshmem_quiet();
}

static void look(Pes& pe) {
  const int me = pe.me(), other = pe.other();
  Symmetric<int> to(8, -1), from(8, 100 * me, 1);
  const DeviceArray<int> own(std::vector<int>{me + 1, me + 2, me + 3, me + 4}), back(4, 0xff);
  pe.observe("register", nvshmemx_buffer_register(own.data(), own.bytes()));
  pe.observe("register_again", nvshmemx_buffer_register(own.data(), own.bytes()) == 0);
  nvshmem_int_put(to, own.data(), 4, other);
  nvshmem_int_get(back.data(), from, 4, other);
  nvshmem_quiet();
  pe.observeAll("put", to.readTogether());
  pe.observeAll("get", back.read());
  pe.observe("ptr", nvshmem_ptr(own.data(), me) == nullptr);
  to.fill(-1, 0);
  fromOwn<<<1, 1>>>(to, own.data(), back.data(), from + 2, other);
  SETUP(cudaDeviceSynchronize());
  pe.observeAll("kernel_put", to.readTogether());
  pe.observeAll("kernel_get", back.read());
  pe.observe("unregister", nvshmemx_buffer_unregister(own.data()));
  pe.observe("unregister_again", nvshmemx_buffer_unregister(own.data()) == 0);
  pe.observe("register_0", nvshmemx_buffer_register(own.data(), 0) == 0);
  nvshmemx_buffer_unregister_all();
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
