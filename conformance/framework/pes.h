// Cases of two PEs: the program starts itself again as the second, and hands it the id by which they meet.
// Below a launcher it is the PE that it was started as. Each PE observes for itself; its number is part of
// the key.
#pragma once

#include <nvshmem.h>
#include <nvshmemx.h>

#include <vector>

#include "processes.h"

class Pes {
 public:
  static constexpr int kCount = 2;

  // Calls `body` with what is left to do for this PE, between begin and end.
  template <class Body>
  static int run(const char* name, int argc, char** argv, Body body) {
    if (isLaunched()) {
      beginDevice(launchedAs());
      nvshmem_init();
      Pes pe(name, nvshmem_my_pe());
      body(pe);
      nvshmem_finalize();
      return 0;
    }
    if (argc > 1) {
      Connection first = parentProcess();
      const nvshmemx_uniqueid_t id = first.receive<nvshmemx_uniqueid_t>();
      return join(name, 1, id, body);
    }
    Child second("second");
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    nvshmemx_get_uniqueid(&id);
    second.send(id);
    const int mine = join(name, 0, id, body);
    const int theirs = second.join();
    return mine != 0 ? mine : theirs;
  }

  // Whether this process is, or becomes, PE 0.
  static bool isFirst(int argc) { return isLaunched() ? launchedAs() == 0 : argc == 1; }

  int me() const { return me_; }
  int other() const { return 1 - me_; }

  template <class T>
  void observe(const std::string& key, const T& value) const {
    observeText(name_, key + ".pe" + std::to_string(me_), observedText(value));
  }
  template <class T>
  void observeAll(const std::string& key, const std::vector<T>& values) const {
    std::string text;
    for (const T& value : values) text += (text.empty() ? "" : ",") + observedText(value);
    observe(key, text);
  }

 private:
  Pes(const char* name, int me) : name_(name), me_(me) {}

  static bool isLaunched() { return launchedAs() >= 0; }
  static int launchedAs() {
    for (const char* const name : {"MTSHMEM_PE", "PMI_RANK", "OMPI_COMM_WORLD_RANK"}) {
      if (getenv(name) != nullptr) return atoi(getenv(name));
    }
    return -1;
  }
  static void beginDevice(int me) {
    int devices = 0;
    SETUP(cudaGetDeviceCount(&devices));
    SETUP(cudaSetDevice(me % devices));
  }
  template <class Body>
  static int join(const char* name, int me, const nvshmemx_uniqueid_t& id, Body body) {
    beginDevice(me);
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    nvshmemx_set_attr_uniqueid_args(me, kCount, &id, &attributes);
    if (nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes) != 0) return 3;
    Pes pe(name, me);
    body(pe);
    nvshmem_finalize();
    return 0;
  }

  const char* name_;
  int me_;
};

// A symmetric array, filled at its PE. All PEs make theirs in the same order.
template <class T>
class Symmetric {
 public:
  explicit Symmetric(size_t count, int first = 0, int step = 0) : count_(count) {
    data_ = static_cast<T*>(nvshmem_malloc(count * sizeof(T)));
    fill(first, step);
  }
  ~Symmetric() { nvshmem_free(data_); }
  Symmetric(const Symmetric&) = delete;
  Symmetric& operator=(const Symmetric&) = delete;

  operator T*() const { return data_; }
  // first, first + step, ...; nobody goes on before all are filled.
  void fill(int first, int step) {
    std::vector<T> values(count_);
    for (size_t i = 0; i < count_; ++i) values[i] = T(first + static_cast<int>(i) * step);
    write(values);
  }
  void write(const std::vector<T>& values) {
    SETUP(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    SETUP(cudaDeviceSynchronize());
    nvshmem_barrier_all();
  }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    SETUP(cudaDeviceSynchronize());
    SETUP(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  // Once the kernels of all PEs are done; nobody goes on before all have read.
  std::vector<T> readTogether() const {
    SETUP(cudaDeviceSynchronize());
    nvshmem_barrier_all();
    const std::vector<T> values = read();
    nvshmem_barrier_all();
    return values;
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};

template <class T>
struct PesSame {
  using Type = T;
};

// A kernel that may wait for those of the other PEs; what its launch returned.
template <class... Arguments>
int launchTogether(void (*kernel)(Arguments...), int blocks, int threads,
                   typename PesSame<Arguments>::Type... arguments) {
  void* list[] = {static_cast<void*>(&arguments)..., nullptr};
  const int status = nvshmemx_collective_launch(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                                dim3(threads), list, 0, nullptr);
  SETUP(cudaDeviceSynchronize());
  return status;
}

// X(name of the type in functions, C type). NVSHMEM 3.4's device library lacks p and g of signed char.
#define SHMEM_SIGNED_CHARS(X) X(schar, signed char) X(int8, int8_t)
#define SHMEM_OTHER_TYPES(X)                                                                                \
  X(float, float)                                                                                           \
  X(double, double)                                                                                         \
  X(char, char)                                                                                             \
  X(short, short) X(int, int) X(long, long) X(longlong, long long) X(uchar, unsigned char)                  \
      X(ushort, unsigned short) X(uint, unsigned int) X(ulong, unsigned long)                               \
          X(ulonglong, unsigned long long) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t)            \
              X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t) \
                  X(ptrdiff, ptrdiff_t)
#define SHMEM_TYPES(X) SHMEM_SIGNED_CHARS(X) SHMEM_OTHER_TYPES(X)
