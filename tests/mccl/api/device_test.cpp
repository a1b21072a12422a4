// Windows and device communicators, by the host's calls alone; kernels use them in tests/mccl/device.
#include <mccl_device.h>

#include <chrono>
#include <thread>

#include "../world.h"

namespace musashim::mccl {
namespace {

constexpr size_t kBytes = 8192;

// Memory for a window at each rank of a world.
class Memories {
 public:
  explicit Memories(World& world) {
    for (int rank = 0; rank < world.ranks(); ++rank) {
      void* memory = nullptr;
      EXPECT_EQ(musaSetDevice(world.rank(rank).device), musaSuccess);
      EXPECT_MCCL(mcclMemAlloc(&memory, kBytes));
      all_.push_back(memory);
    }
  }
  ~Memories() {
    for (void* memory : all_) EXPECT_MCCL(mcclMemFree(memory));
  }
  void* operator[](int rank) const { return all_[static_cast<size_t>(rank)]; }

 private:
  std::vector<void*> all_;
};

// What `call` gives each rank, on a thread each.
std::vector<mcclResult_t> onRanks(World& world, const std::function<mcclResult_t(Rank&)>& call) {
  std::vector<mcclResult_t> results(static_cast<size_t>(world.ranks()));
  onThreads(world.ranks(), [&](int rank) {
    EXPECT_EQ(musaSetDevice(world.rank(rank).device), musaSuccess);
    results[static_cast<size_t>(rank)] = call(world.rank(rank));
  });
  return results;
}

using Results = std::vector<mcclResult_t>;

TEST(Windows, AreThereAtTheGroupsEnd) {
  World world(2);
  const Memories memories(world);
  mcclWindow_t windows[2];
  ASSERT_MCCL(mcclGroupStart());
  for (int r = 0; r < 2; ++r) {
    ASSERT_MCCL(mcclCommWindowRegister(world.rank(r).comm, memories[r], kBytes, &windows[r], 0));
    EXPECT_EQ(windows[r], nullptr);
  }
  ASSERT_MCCL(mcclGroupEnd());
  EXPECT_NE(windows[0], nullptr);
  EXPECT_NE(windows[0], windows[1]);
  EXPECT_EQ(mcclCommWindowDeregister(world.rank(0).comm, windows[1]), mcclInvalidArgument)
      << "another rank's";
  EXPECT_MCCL(mcclCommWindowDeregister(world.rank(0).comm, windows[0]));
  mcclSimInfo_t info = MCCL_SIM_INFO_INITIALIZER;
  ASSERT_MCCL(mcclGroupStart());
  ASSERT_MCCL(mcclCommWindowRegister(world.rank(0).comm, memories[0], kBytes, &windows[0], 0));
  EXPECT_EQ(mcclGroupSimulateEnd(&info), mcclInvalidUsage);
}

TEST(Windows, HaveOneSize) {
  World world(2, Drive::kThreadPerRank);
  const Memories memories(world);
  mcclWindow_t windows[2];
  EXPECT_EQ(onRanks(world,
                    [&](Rank& r) {
                      return mcclCommWindowRegister(r.comm, memories[r.rank], r.rank == 0 ? kBytes : 4096,
                                                    &windows[r.rank], 0);
                    }),
            Results(2, mcclInvalidUsage));
  // It can be tried again.
  EXPECT_EQ(onRanks(world,
                    [&](Rank& r) {
                      return mcclCommWindowRegister(r.comm, memories[r.rank], kBytes, &windows[r.rank], 0);
                    }),
            Results(2, mcclSuccess));
}

TEST(Windows, AreOfDeviceMemory) {
  World world(2, Drive::kThreadPerRank);
  const Memories memories(world);
  mcclWindow_t windows[2];
  alignas(4096) static char hostMemory[kBytes];
  EXPECT_EQ(onRanks(world,
                    [&](Rank& r) {
                      void* const memory = r.rank == 0 ? hostMemory : memories[1];
                      return mcclCommWindowRegister(r.comm, memory, kBytes, &windows[r.rank], 0);
                    }),
            (Results{mcclInvalidArgument, mcclInvalidUsage}));
  EXPECT_EQ(onRanks(world,
                    [&](Rank& r) {
                      return mcclCommWindowRegister(r.comm, memories[r.rank], 1 << 30, &windows[r.rank], 0);
                    }),
            Results(2, mcclInvalidArgument))
      << "more than there is";
}

TEST(Windows, AreNotWhatAnotherRankMakes) {
  World world(2, Drive::kThreadPerRank);
  const Memories memories(world);
  mcclWindow_t window = nullptr;
  mcclDevComm device;
  const mcclDevCommRequirements none{};
  EXPECT_EQ(onRanks(world,
                    [&](Rank& r) {
                      if (r.rank == 1) return mcclDevCommCreate(r.comm, &none, &device);
                      return mcclCommWindowRegister(r.comm, memories[0], kBytes, &window, 0);
                    }),
            Results(2, mcclInvalidUsage));
}

TEST(Windows, AreNotWaitedForInVain) {
  World world(2, Drive::kThreadPerRank);
  const Memories memories(world);
  mcclWindow_t window = nullptr;
  EXPECT_EQ(onRanks(world,
                    [&](Rank& r) {
                      if (r.rank == 0) return mcclCommWindowRegister(r.comm, memories[0], kBytes, &window, 0);
                      std::this_thread::sleep_for(std::chrono::milliseconds(20));
                      return mcclCommAbort(r.comm);
                    }),
            (Results{mcclRemoteError, mcclSuccess}));
  EXPECT_EQ(window, nullptr);
  EXPECT_MCCL(mcclCommAbort(world.rank(0).comm));
  world.forgetComms();
}

TEST(DeviceComms, SayWhyTheyAreRefused) {
  World world(1);
  mcclComm_t comm = world.rank(0).comm;
  mcclDevComm device;
  mcclDevCommRequirements requirements{};
  requirements.lsaMultimem = true;
  EXPECT_EQ(mcclDevCommCreate(comm, &requirements, &device), mcclInvalidUsage);
  EXPECT_NE(std::string(mcclGetLastError(nullptr)).find("loop over the peers"), std::string::npos);
  requirements = {};
  requirements.lsaLLA2ASlotCount = 4;
  EXPECT_EQ(mcclDevCommCreate(comm, &requirements, &device), mcclInvalidUsage);
  EXPECT_NE(std::string(mcclGetLastError(nullptr)).find("LLA2A"), std::string::npos);
  requirements = {};
  mcclMultimemHandle handle;
  mcclTeamRequirements team{nullptr, mcclTeamWorld(comm), true, &handle};
  requirements.teamRequirementsList = &team;
  EXPECT_EQ(mcclDevCommCreate(comm, &requirements, &device), mcclInvalidUsage);
  requirements = {};
  requirements.lsaBarrierCount = -1;
  EXPECT_EQ(mcclDevCommCreate(comm, &requirements, &device), mcclInvalidArgument);
  requirements = {};
  mcclDevResourceRequirements odd{};
  odd.bufferSize = 100, odd.bufferAlign = 96;
  requirements.resourceRequirementsList = &odd;
  EXPECT_EQ(mcclDevCommCreate(comm, &requirements, &device), mcclInvalidArgument);
  odd.bufferAlign = 64, odd.bufferSize = SIZE_MAX / 2;
  EXPECT_EQ(mcclDevCommCreate(comm, &requirements, &device), mcclInvalidArgument);
  EXPECT_EQ(mcclDevCommCreate(comm, nullptr, &device), mcclInvalidArgument);
  EXPECT_EQ(mcclDevCommCreate(comm, &requirements, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclDevCommCreate(nullptr, &requirements, &device), mcclInvalidArgument);
}

TEST(DeviceComms, AreDestroyedOnce) {
  World world(1);
  mcclComm_t comm = world.rank(0).comm;
  mcclDevComm device, copy;
  mcclDevCommRequirements requirements{};
  requirements.lsaBarrierCount = 3;
  ASSERT_MCCL(mcclDevCommCreate(comm, &requirements, &device));
  EXPECT_EQ(device.rank, 0);
  EXPECT_EQ(device.nRanks, 1);
  EXPECT_EQ(device.lsaSize, 1);
  EXPECT_EQ(device.ginContextCount, 0) << "nobody has asked for it";
  EXPECT_EQ(device.lsaBarrier.nBarriers, 3);
  EXPECT_EQ(mcclCommWindowDeregister(comm, device.resourceWindow), mcclInvalidArgument)
      << "no window of the user's";
  copy = device;
  EXPECT_MCCL(mcclDevCommDestroy(comm, &copy));
  EXPECT_EQ(mcclDevCommDestroy(comm, &device), mcclInvalidArgument);
  EXPECT_EQ(mcclDevCommDestroy(comm, nullptr), mcclInvalidArgument);
}

TEST(DeviceComms, HaveTheSameRequirements) {
  World world(3, Drive::kThreadPerRank);
  mcclDevComm devices[3];
  EXPECT_EQ(onRanks(world,
                    [&](Rank& r) {
                      mcclDevCommRequirements requirements{};
                      requirements.lsaBarrierCount = r.rank == 2 ? 5 : 4;
                      return mcclDevCommCreate(r.comm, &requirements, &devices[r.rank]);
                    }),
            Results(3, mcclInvalidUsage));
  EXPECT_EQ(onRanks(world,
                    [&](Rank& r) {
                      mcclDevCommRequirements requirements{};
                      requirements.lsaMultimem = r.rank == 1;
                      return mcclDevCommCreate(r.comm, &requirements, &devices[r.rank]);
                    }),
            Results(3, mcclInvalidUsage));
}

TEST(DeviceComms, BarriersOfUsersHaveRequirements) {
  World world(2);
  mcclComm_t comm = world.rank(0).comm;
  const mcclTeam lsa = mcclTeamLsa(comm);
  EXPECT_EQ(lsa.nRanks, 2);
  mcclLsaBarrierHandle handle{};
  mcclDevResourceRequirements requirement{};
  EXPECT_MCCL(mcclLsaBarrierCreateRequirement(lsa, 7, &handle, &requirement));
  EXPECT_EQ(handle.nBarriers, 7);
  EXPECT_EQ(requirement.outBufferHandle, &handle.bufHandle);
  EXPECT_GE(requirement.bufferSize, 7 * 2 * sizeof(uint32_t));
  EXPECT_EQ(mcclLsaBarrierCreateRequirement(lsa, -1, &handle, &requirement), mcclInvalidArgument);
  EXPECT_EQ(mcclLsaBarrierCreateRequirement(lsa, 1, nullptr, &requirement), mcclInvalidArgument);
  mcclGinBarrierHandle gin{};
  EXPECT_MCCL(mcclGinBarrierCreateRequirement(comm, mcclTeamWorld(comm), 2, &gin, &requirement));
  EXPECT_EQ(mcclGinBarrierCreateRequirement(nullptr, lsa, 2, &gin, &requirement), mcclInvalidArgument);
  EXPECT_EQ(mcclTeamWorld(nullptr).nRanks, 0) << "of no communicator";
  EXPECT_EQ(mcclTeamRail(comm).stride, 2);
  EXPECT_EQ(mcclTeamRankToWorld(comm, lsa, 1), 1);
  EXPECT_EQ(mcclTeamRankToLsa(comm, lsa, 1), 1);
}

}  // namespace
}  // namespace musashim::mccl
