// What goes wrong in programs, by its name: failures WHAT.
#include <unistd.h>

#include <csignal>
#include <string>

#include "check.h"

namespace {

__global__ void waits(uint64_t* flag) { mtshmem_signal_wait_until(flag + 1, MTSHMEM_CMP_GE, 7); }
__global__ void meets() { mtshmemx_barrier_all_block(); }
__global__ void puts(int* to, int pe) { mtshmem_int_p(to, 1, pe); }

// A kernel, a stream and a call of the host's wait for what nobody does; the last PE waits for nothing.
void nobodyAnswers(uint64_t* flag) {
  switch (mtshmem_my_pe()) {
    case 0:
      waits<<<1, 1>>>(flag);
      MUSA(musaDeviceSynchronize());
      break;
    case 1:
      mtshmemx_signal_wait_until_on_stream(flag, MTSHMEM_CMP_EQ, 3, nullptr);
      MUSA(musaDeviceSynchronize());
      break;
    case 2: {
      int* const values = reinterpret_cast<int*>(flag + 2);
      (void)mtshmem_int_wait_until_any(values, 2, nullptr, MTSHMEM_CMP_LT, -5);
      break;
    }
    case 3:
      mtshmem_barrier_all();
      break;
    default:
      sleep(60);
  }
}

// All but PE 1, which ends as `signal` says, wait in kernels, for a barrier or for a signal, or on the host.
void oneDies(int signal, uint64_t* flag) {
  if (mtshmem_my_pe() == 1) {
    usleep(200000);
    if (signal == 0) _exit(3);
    raise(signal);
  }
  if (mtshmem_my_pe() == 0) {
    mtshmem_barrier_all();
  } else {
    if (mtshmem_my_pe() == 2) {
      waits<<<1, 1>>>(flag);
    } else {
      meets<<<1, 64>>>();
    }
    MUSA(musaDeviceSynchronize());
  }
}

// As many as there may be.
void makeTeams() {
  int made = 0;
  mtshmem_team_t team = MTSHMEM_TEAM_INVALID;
  while (mtshmem_team_split_strided(MTSHMEM_TEAM_WORLD, 0, 1, mtshmem_n_pes(), nullptr, 0, &team) == 0)
    ++made;
  std::printf("%d teams\n", made);
}

// By an id that PE 0 writes into a file: no launcher looks after these PEs.
void beginById(const char* me, const char* size, const char* file) {
  mtshmemx_uniqueid_t id = MTSHMEMX_UNIQUEID_INITIALIZER;
  if (std::atoi(me) == 0) {
    CHECK(mtshmemx_get_uniqueid(&id) == MTSHMEMX_SUCCESS);
    const std::string part = std::string(file) + ".part";
    std::FILE* const out = std::fopen(part.c_str(), "w");
    std::fwrite(&id, sizeof id, 1, out);
    std::fclose(out);
    std::rename(part.c_str(), file);
  } else {
    std::FILE* in = nullptr;
    while ((in = std::fopen(file, "r")) == nullptr) usleep(1000);
    CHECK(std::fread(&id, sizeof id, 1, in) == 1);
    std::fclose(in);
  }
  mtshmemx_init_attr_t attributes = MTSHMEMX_INIT_ATTR_INITIALIZER;
  mtshmemx_set_attr_uniqueid_args(std::atoi(me), std::atoi(size), &id, &attributes);
  CHECK(mtshmemx_init_attr(MTSHMEMX_INIT_WITH_UNIQUEID, &attributes) == MTSHMEMX_SUCCESS);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (argc > 4) {
    beginById(argv[2], argv[3], argv[4]);
  } else {
    mtshmem_init();
  }
  chooseDevice();
  const int me = mtshmem_my_pe(), next = (me + 1) % mtshmem_n_pes();
  auto* flag = static_cast<uint64_t*>(mtshmem_calloc(8, sizeof(uint64_t)));
  int local = 0, *device = nullptr;
  MUSA(musaMalloc(reinterpret_cast<void**>(&device), sizeof(int)));
  if (what == "wait") nobodyAnswers(flag);
  if (what == "teams") makeTeams();
  if (what == "killed") oneDies(SIGKILL, flag);
  if (what == "exits") oneDies(0, flag);
  if (what == "sizes") mtshmem_malloc(me == 1 ? 4096 : 64);
  if (what == "free") mtshmem_free(reinterpret_cast<char*>(flag) + 8);
  if (what == "put") mtshmem_int_p(&local, 1, next);
  if (what == "pe") mtshmem_int_p(reinterpret_cast<int*>(flag), 1, 99);
  if (what == "get") mtshmem_getmem(&local, device, 4, next);
  if (what == "elsewhere") MUSA(musaSetDevice((mtshmem_team_my_pe(MTSHMEMX_TEAM_NODE) + 1) % 4));
  if (what == "elsewhere" && me == 1) meets<<<1, 64>>>();
  if (what == "kernel" || what == "elsewhere") {
    puts<<<1, 1>>>(device, next);
    const musaError_t error = musaDeviceSynchronize();
    std::fprintf(stderr, "PE %d: %s\n", me, musaGetErrorString(error));
    _exit(error == musaSuccess ? 0 : 4);
  }
  mtshmem_free(flag);
  return finish();
}
