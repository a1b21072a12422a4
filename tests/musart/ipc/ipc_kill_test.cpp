// Processes killed at any moment leave nothing behind. KILLS=1000 for a long run.
#include <dirent.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "ipc_support.h"

namespace musashim::test {
namespace {

using Kill = RuntimeTest;

std::set<std::string> filesIn(const char* folder) {
  std::set<std::string> names;
  DIR* dir = opendir(folder);
  while (dirent* entry = dir ? readdir(dir) : nullptr) {
    if (std::string(entry->d_name).find("musa") != std::string::npos) names.insert(entry->d_name);
  }
  if (dir) closedir(dir);
  return names;
}

size_t openFiles() {
  size_t count = 0;
  DIR* dir = opendir("/proc/self/fd");
  while (dir && readdir(dir)) ++count;
  if (dir) closedir(dir);
  return count;
}

TEST_F(Kill, AtRandomMoments) {
  const char* wanted = getenv("KILLS");
  const int kills = wanted ? atoi(wanted) : 25;
  std::mt19937 random(2026);
  std::set<std::string> before = filesIn("/dev/shm"), temporaries = filesIn("/tmp");
  size_t free[kDevices], total = 0;
  for (int device = 0; device < kDevices; ++device) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(device));
    ASSERT_MUSA(musaSuccess, musaMemGetInfo(&free[device], &total));
  }
  ASSERT_MUSA(musaSuccess, musaSetDevice(0));
  size_t filesBefore = openFiles();

  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < kills; ++i) {
    while (peers.size() < 3) {
      peers.push_back(std::make_unique<Peer>("busy"));
      peers.back()->send(static_cast<unsigned>(random()));
    }
    // Some are killed before they have begun, some while we use what is theirs.
    Peer& peer = *peers[random() % peers.size()];
    void* memory = nullptr;
    musaEvent_t event = nullptr;
    if (random() % 3 != 0) {
      auto handle = peer.receive<musaIpcEventHandle_t>();
      ASSERT_MUSA(musaSuccess, musaIpcOpenEventHandle(&event, handle));
      auto shared = peer.receive<musaIpcMemHandle_t>();
      // The memory may be free again, or another's.
      if (musaIpcOpenMemHandle(&memory, shared, musaIpcMemLazyEnablePeerAccess) != musaSuccess)
        memory = nullptr;
      ASSERT_MUSA(musaSuccess, musaStreamWaitEvent(nullptr, event, 0));
    }
    usleep(static_cast<useconds_t>(random() % 3000));
    peer.kill();
    ASSERT_MUSA(musaSuccess, musaDeviceSynchronize());
    if (memory) {
      ASSERT_MUSA(musaSuccess, musaMemset(memory, 1, 1));
      ASSERT_MUSA(musaSuccess, musaIpcCloseMemHandle(memory));
    }
    if (event) ASSERT_MUSA(musaSuccess, musaEventDestroy(event));
    std::erase_if(peers, [&](auto& each) { return each.get() == &peer; });
  }
  peers.clear();
  (void)musaGetLastError();

  for (int device = 0; device < kDevices; ++device) {
    size_t now = 0;
    ASSERT_MUSA(musaSuccess, musaSetDevice(device));
    ASSERT_MUSA(musaSuccess, musaMemGetInfo(&now, &total));
    EXPECT_EQ(now, free[device]) << "device " << device;
  }
  EXPECT_LE(openFiles(), filesBefore + 1);
  EXPECT_EQ(filesIn("/dev/shm"), before);
  EXPECT_EQ(filesIn("/tmp"), temporaries);

  Peer next("owner");  // and the next one runs
  next.send(OwnerOrder{0, 4096, 0});
  auto handle = next.receive<musaIpcMemHandle_t>();
  void* memory = nullptr;
  EXPECT_MUSA(musaSuccess, musaIpcOpenMemHandle(&memory, handle, musaIpcMemLazyEnablePeerAccess));
  EXPECT_MUSA(musaSuccess, musaIpcCloseMemHandle(memory));
}

}  // namespace
}  // namespace musashim::test
