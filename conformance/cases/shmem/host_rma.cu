// Puts and gets from the host.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.host_rma");

static void look(Pes& pe) {
  const int me = pe.me(), other = pe.other();
  Symmetric<int> to(12, -1), from(12, 100 * me, 1);
  nvshmem_int_p(to, 50 + me, other);
  nvshmem_int_p(to + 1, 60 + me, me);
  pe.observeAll("p", to.readTogether());
  pe.observe("g", nvshmem_int_g(from + 3, other));
  pe.observe("g_own", nvshmem_int_g(from + 3, me));
  nvshmem_int_put(to + 2, from + 2, 4, other);
  nvshmem_quiet();
  pe.observeAll("put", to.readTogether());
  nvshmem_int_put_nbi(to + 6, from + 6, 3, other);
  nvshmem_quiet();
  pe.observeAll("put_nbi", to.readTogether());
  to.fill(-1, 0);
  nvshmem_int_get(to, from, 5, other);
  nvshmem_int_get_nbi(to + 6, from + 1, 2, other);
  nvshmem_quiet();
  pe.observeAll("get", to.readTogether());
  to.fill(-1, 0);
  nvshmem_int_put(to, from, 0, other);
  nvshmem_int_get(to, from, 0, other);
  nvshmem_putmem(to, from, 0, other);
  pe.observeAll("zero_elements", to.readTogether());
  nvshmem_int_iput(to, from, 2, 3, 4, other);
  nvshmem_quiet();
  pe.observeAll("iput_2_3", to.readTogether());
  to.fill(-1, 0);
  nvshmem_int_iget(to, from, 3, 2, 4, other);
  pe.observeAll("iget_3_2", to.readTogether());
  to.fill(-1, 0);
  nvshmem_int_iput(to, from, 1, 1, 0, other);
  pe.observeAll("iput_0", to.readTogether());
  nvshmem_putmem(reinterpret_cast<char*>(static_cast<int*>(to)) + 1,
                 reinterpret_cast<char*>(static_cast<int*>(from)) + 4, 6, other);
  nvshmem_quiet();
  pe.observeAll("putmem_unaligned", to.readTogether());
  to.fill(-1, 0);
  nvshmem_getmem(reinterpret_cast<char*>(static_cast<int*>(to)) + 3,
                 reinterpret_cast<char*>(static_cast<int*>(from)) + 4, 5, other);
  pe.observeAll("getmem_unaligned", to.readTogether());
  to.fill(-1, 0);
  nvshmem_put8(to, from, 5, other);
  nvshmem_put16(to + 2, from + 2, 3, other);
  nvshmem_put32(to + 4, from + 4, 1, other);
  nvshmem_put64(to + 6, from + 6, 1, other);
  nvshmem_put128(to + 8, from + 8, 1, other);
  nvshmem_quiet();
  pe.observeAll("put_by_width", to.readTogether());
  to.fill(-1, 0);
  nvshmem_get8(to, from, 5, other);
  nvshmem_get16(to + 2, from + 2, 3, other);
  nvshmem_get32(to + 4, from + 4, 1, other);
  nvshmem_get64(to + 6, from + 6, 1, other);
  nvshmem_get128(to + 8, from + 8, 1, other);
  pe.observeAll("get_by_width", to.readTogether());
  to.fill(-1, 0);
  nvshmem_iput32(to, from, 2, 1, 3, other);
  nvshmem_iget64(to + 6, from, 2, 1, 1, other);
  nvshmem_quiet();
  pe.observeAll("strided_by_width", to.readTogether());
  nvshmem_int_put(from, from + 6, 2, me);
  nvshmem_quiet();
  pe.observeAll("put_own", from.readTogether());

  Symmetric<int> large(1 << 20, me, 3), there(1 << 20);
  nvshmem_int_put(there, large, 1 << 20, other);
  nvshmem_quiet();
  const std::vector<int> arrived = there.readTogether();
  pe.observe("large_put", checksum(arrived.data(), arrived.size() * sizeof(int)));
  there.fill(0, 0);
  nvshmem_int_get(there, large, 1 << 20, other);
  const std::vector<int> fetched = there.readTogether();
  pe.observe("large_get", checksum(fetched.data(), fetched.size() * sizeof(int)));
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
