// MTSHMEM from the host and on streams: each call between all PEs.
#include <vector>

#include "check.h"

namespace {

int me, n, near;  // near: PEs whose memory this one reaches

void places() {
  char name[MTSHMEM_MAX_NAME_LEN];
  int major = 0, minor = 0;
  mtshmem_info_get_name(name);
  mtshmem_info_get_version(&major, &minor);
  CHECK(name[0] != 0 && major == MTSHMEM_MAJOR_VERSION && minor == MTSHMEM_MINOR_VERSION);
  CHECK(mtshmem_malloc(0) == nullptr);
  CHECK(mtshmem_malloc(size_t{1} << 40) == nullptr);
  auto* a = static_cast<int*>(mtshmem_malloc(100 * sizeof(int)));
  auto* b = static_cast<int*>(mtshmem_calloc(100, sizeof(int)));
  auto* c = static_cast<char*>(mtshmem_align(4096, 10));
  CHECK(a && b && c && reinterpret_cast<uintptr_t>(c) % 256 == 0);
  CHECK(fetch(b + 99) == 0);
  CHECK(mtshmem_ptr(a, me) == a);
  CHECK((near < n || mtshmem_ptr(a, (me + 1) % n) != nullptr) && mtshmem_ptr(&a, 0) == nullptr &&
        mtshmem_ptr(a, n) == nullptr);
  musaPointerAttributes attributes{};
  MUSA(musaPointerGetAttributes(&attributes, a));
  CHECK(attributes.type == musaMemoryTypeDevice);
  mtshmem_free(c);
  mtshmem_free(b);
  mtshmem_free(a);
  auto* again = mtshmem_malloc(100 * sizeof(int));
  CHECK(again == a);
  mtshmem_free(again);
}

void putsAndGets() {
  auto* box = static_cast<long*>(mtshmem_calloc(64, sizeof(long)));
  const int next = (me + 1) % n, before = (me + n - 1) % n;
  long values[16], back[16] = {};
  for (int i = 0; i < 16; ++i) values[i] = 100 * me + i;
  mtshmem_long_put(box, values, 16, next);
  mtshmem_long_p(box + 16, 7 + me, next);
  mtshmem_long_iput(box + 20, values, 2, 3, 5, next);
  mtshmem_barrier_all();
  for (int i = 0; i < 16; ++i) CHECK(fetch(box + i) == 100 * before + i);
  CHECK(fetch(box + 16) == 7 + before && mtshmem_long_g(box + 16, next) == 7 + me);
  for (int i = 0; i < 5; ++i) CHECK(fetch(box + 20 + 2 * i) == 100 * before + 3 * i);
  mtshmem_long_get(back, box, 16, next);
  CHECK(back[3] == values[3]);
  mtshmem_long_iget(back, box, 1, 2, 4, next);
  CHECK(back[3] == values[6]);
  mtshmem_barrier_all();
  mtshmem_putmem(reinterpret_cast<char*>(box) + 1, "abcdefghijk", 11, next);  // no place for words
  mtshmem_barrier_all();
  CHECK(fetch(reinterpret_cast<char*>(box) + 11) == 'k');
  mtshmem_free(box);
}

void atomicsAndSignals() {
  auto* count = static_cast<unsigned long*>(mtshmem_calloc(4, sizeof(long)));
  auto* flag = static_cast<uint64_t*>(mtshmem_calloc(2, sizeof(uint64_t)));
  mtshmem_ulong_atomic_inc(count, 0);
  const unsigned long old = mtshmem_ulong_atomic_fetch_add(count + 1, 10, 0);
  CHECK(old % 10 == 0 && old < 10UL * n);
  mtshmem_ulong_atomic_or(count + 2, 1UL << me, 0);
  mtshmem_barrier_all();
  CHECK(mtshmem_ulong_atomic_fetch(count, 0) == static_cast<unsigned long>(n));
  CHECK(mtshmem_ulong_g(count + 1, 0) == 10UL * n && mtshmem_ulong_g(count + 2, 0) == (1UL << n) - 1);
  mtshmem_barrier_all();
  if (me == 0) {
    CHECK(mtshmem_ulong_atomic_compare_swap(count, n, 5, 0) == static_cast<unsigned long>(n));
    CHECK(mtshmem_ulong_atomic_compare_swap(count, n, 6, 0) == 5 &&
          mtshmem_ulong_atomic_swap(count, 9, 0) == 5);
  }
  const int next = (me + 1) % n;
  const unsigned long value = 1000 + me;
  mtshmem_ulong_put_signal(count + 3, &value, 1, flag, 3, MTSHMEM_SIGNAL_SET, next);
  CHECK(mtshmem_signal_wait_until(flag, MTSHMEM_CMP_EQ, 3) == 3);
  CHECK(fetch(count + 3) == 1000UL + (me + n - 1) % n);
  for (int pe = 0; pe < n; ++pe) mtshmemx_signal_op(flag + 1, 2, MTSHMEM_SIGNAL_ADD, pe);
  mtshmem_uint64_wait_until(flag + 1, MTSHMEM_CMP_GE, 2UL * n);
  CHECK(mtshmem_signal_fetch(flag + 1) == 2UL * n);
  int status[2] = {0, 0};
  CHECK(mtshmem_uint64_test_any(flag, 2, status, MTSHMEM_CMP_EQ, 3) == 0);
  mtshmem_barrier_all();
  mtshmem_free(flag);
  mtshmem_free(count);
}

void collectives(mtshmem_team_t team, const char* what) {
  const int size = mtshmem_team_n_pes(team), rank = mtshmem_team_my_pe(team);
  const size_t count = 20000;  // more than one piece of the scratch
  auto* from = static_cast<int*>(mtshmem_malloc(count * size * sizeof(int)));
  auto* to = static_cast<int*>(mtshmem_malloc(count * size * sizeof(int)));
  std::vector<int> host(count * size);
  for (size_t i = 0; i < host.size(); ++i) host[i] = rank + static_cast<int>(i % 1000);
  MUSA(musaMemcpy(from, host.data(), host.size() * sizeof(int), musaMemcpyHostToDevice));
  CHECK(mtshmem_int_sum_reduce(team, to, from, count) == 0);
  CHECK(fetch(to + 19999) == size * (size - 1) / 2 + 999 * size);
  CHECK(mtshmem_int_max_reduce(team, from, from, count) == 0);  // in place
  CHECK(fetch(from + 5) == size - 1 + 5);
  MUSA(musaMemcpy(from, host.data(), host.size() * sizeof(int), musaMemcpyHostToDevice));
  CHECK(mtshmem_int_broadcast(team, to, from, count, size - 1) == 0);
  CHECK(fetch(to + 7) == size - 1 + 7);
  CHECK(mtshmem_int_fcollect(team, to, from, count) == 0);
  for (int pe = 0; pe < size; ++pe) CHECK(fetch(to + pe * count + 3) == pe + 3);
  CHECK(mtshmem_int_alltoall(team, to, from, count) == 0);
  for (int pe = 0; pe < size; ++pe)
    CHECK(fetch(to + pe * count + 1) == pe + static_cast<int>((rank * count + 1) % 1000));
  CHECK(mtshmem_int_sum_reducescatter(team, to, from, count) == 0);
  CHECK(fetch(to + 2) == size * (size - 1) / 2 + size * static_cast<int>((rank * count + 2) % 1000));
  musaStream_t stream;
  MUSA(musaStreamCreate(&stream));
  CHECK(mtshmemx_int_sum_reduce_on_stream(team, to, from, count, stream) == 0);
  MUSA(musaMemcpyAsync(host.data(), to, count * sizeof(int), musaMemcpyDeviceToHost, stream));
  MUSA(musaStreamSynchronize(stream));
  CHECK(host[1] == size * (size - 1) / 2 + size);
  MUSA(musaStreamDestroy(stream));
  if (gWrong) std::printf("in team %s\n", what);
  mtshmem_free(to);
  mtshmem_free(from);
}

void teams() {
  CHECK(mtshmem_team_my_pe(MTSHMEM_TEAM_WORLD) == me && mtshmem_team_n_pes(MTSHMEM_TEAM_SHARED) == near);
  CHECK(mtshmem_team_my_pe(MTSHMEM_TEAM_INVALID) == -1 && mtshmem_team_n_pes(40) == -1);
  mtshmem_team_t even = MTSHMEM_TEAM_INVALID;
  CHECK(mtshmem_team_split_strided(MTSHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, nullptr, 0, &even) == 0);
  CHECK((even != MTSHMEM_TEAM_INVALID) == (me % 2 == 0));
  if (even != MTSHMEM_TEAM_INVALID) {
    CHECK(mtshmem_team_my_pe(even) == me / 2 &&
          mtshmem_team_translate_pe(even, me / 2, MTSHMEM_TEAM_WORLD) == me);
    CHECK(mtshmem_barrier(even) == 0);
    auto* word = static_cast<char*>(mtshmem_ptr(nullptr, 0));
    CHECK(word == nullptr);
  }
  const int last = mtshmem_team_translate_pe(MTSHMEM_TEAM_WORLD, n - 1, MTSHMEM_TEAM_SHARED);
  CHECK(last == near - 1 || (near < n && last == -1));
  mtshmem_team_t row, column;
  CHECK(mtshmem_team_split_2d(MTSHMEM_TEAM_WORLD, 2, nullptr, 0, &row, nullptr, 0, &column) == 0);
  CHECK(mtshmem_team_my_pe(row) == me % 2 && mtshmem_team_my_pe(column) == me / 2);
  CHECK(mtshmem_sync(row) == 0 && mtshmem_sync(column) == 0);
  mtshmem_team_destroy(column);
  mtshmem_team_destroy(row);
  if (even != MTSHMEM_TEAM_INVALID) mtshmem_team_destroy(even);
  for (int round = 0; round < 100; ++round) {  // numbers are used again
    mtshmem_team_t all;
    CHECK(mtshmem_team_split_strided(MTSHMEM_TEAM_WORLD, 0, 1, n, nullptr, 0, &all) == 0);
    CHECK(mtshmem_barrier(all) == 0);
    mtshmem_team_destroy(all);
  }
  mtshmem_team_t none;
  CHECK(mtshmem_team_split_strided(MTSHMEM_TEAM_WORLD, 0, 1, n + 1, nullptr, 0, &none) == 0 &&
        none == MTSHMEM_TEAM_INVALID);
}

// PEs take the devices of their host in turn: some have one together where there are more PEs.
void devices() {
  int count = 0;
  MUSA(musaGetDeviceCount(&count));
  const int here = mtshmem_team_my_pe(MTSHMEMX_TEAM_NODE), all = mtshmem_team_n_pes(MTSHMEMX_TEAM_NODE);
  CHECK(mtshmemx_init_status() == (all > count ? MTSHMEM_STATUS_FULL_MPG : MTSHMEM_STATUS_IS_INITIALIZED));
  CHECK(mtshmem_team_my_pe(MTSHMEMI_TEAM_SAME_GPU) == here / count);
  CHECK(mtshmem_team_n_pes(MTSHMEMI_TEAM_SAME_GPU) == (all - here % count + count - 1) / count);
  const int partner = mtshmem_team_translate_pe(MTSHMEMI_TEAM_SAME_GPU, 0, MTSHMEMX_TEAM_NODE);
  CHECK(partner == here % count);
  if (all == n) {
    CHECK(mtshmem_team_my_pe(MTSHMEMI_TEAM_GPU_LEADERS) == (me < count ? me : -1));
    const int leaders = n < count ? n : count;
    CHECK(mtshmem_team_n_pes(MTSHMEMI_TEAM_GPU_LEADERS) == (me < count ? leaders : -1));
  }
  for (int round = 0; round < 50; ++round) {
    CHECK(mtshmem_team_sync(MTSHMEMI_TEAM_SAME_GPU) == 0);
    CHECK((mtshmem_team_sync(MTSHMEMI_TEAM_GPU_LEADERS) == 0) ==
          (mtshmem_team_my_pe(MTSHMEMI_TEAM_GPU_LEADERS) >= 0));
  }
}

void streams() {
  auto* box = static_cast<int*>(mtshmem_calloc(8, sizeof(int)));
  auto* flag = static_cast<uint64_t*>(mtshmem_calloc(1, sizeof(uint64_t)));
  musaStream_t stream;
  MUSA(musaStreamCreate(&stream));
  int value = me, back = -1;
  const int next = (me + 1) % n, before = (me + n - 1) % n;
  mtshmemx_int_p_on_stream(box, value, next, stream);
  mtshmemx_barrier_all_on_stream(stream);
  mtshmemx_int_get_on_stream(box + 1, box, 1, next, stream);
  MUSA(musaMemcpyAsync(&back, box + 1, sizeof back, musaMemcpyDeviceToHost, stream));
  mtshmemx_quiet_on_stream(stream);
  mtshmemx_putmem_signal_on_stream(box + 2, box, sizeof(int), flag, 1, MTSHMEM_SIGNAL_SET, next, stream);
  mtshmemx_uint64_wait_until_on_stream(flag, MTSHMEM_CMP_EQ, 1, stream);
  MUSA(musaStreamSynchronize(stream));
  CHECK(fetch(box) == before && back == me);
  CHECK(fetch(box + 2) == (before + n - 1) % n);
  mtshmem_barrier_all();
  MUSA(musaStreamDestroy(stream));
  mtshmem_free(flag);
  mtshmem_free(box);
}

}  // namespace

int main() {
  CHECK(mtshmemx_init_status() == MTSHMEM_STATUS_NOT_INITIALIZED && mtshmem_n_pes() == -1);
  mtshmem_init();
  me = mtshmem_my_pe();
  n = mtshmem_n_pes();
  near = mtshmem_team_n_pes(MTSHMEM_TEAM_SHARED);
  CHECK(mtshmemx_init_status() == MTSHMEM_STATUS_IS_BOOTSTRAPPED);
  chooseDevice();
  places();
  putsAndGets();
  atomicsAndSignals();
  collectives(MTSHMEM_TEAM_WORLD, "world");
  teams();
  devices();
  streams();
  for (int round = 0; round < 300; ++round) mtshmem_barrier_all();
  return finish();
}
