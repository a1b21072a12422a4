// A device image as mcc would emit it, by hand: the tables of its kernels and variables.
#include "abi/musa_device_abi.h"
#include "kernels.h"
#include "test_params.h"

using namespace test_image;

namespace {

constexpr uint32_t kTakesTurns = MUSA_KERNEL_LOOKS_BACK | MUSA_KERNEL_TAKES_TURNS;

const MusaKernelInfo kernels[] = {
#define KERNEL(name, type, shared, flags) \
  {#name, name##Kernel, nullptr, 0, sizeof(type), shared, 0, 0, flags, nullptr}
    KERNEL(empty, char, 0, 0),
    KERNEL(spin, SpinParams, 0, 0),
    KERNEL(count, CountParams, 0, 0),
    KERNEL(meet, CountParams, 0, 0),
    KERNEL(add, AddParams, 0, 0),
    KERNEL(launches, OutParams, 0, 0),
    {"level", levelKernel, nullptr, 0, sizeof(OutParams), 0, 0, 0, 0, wideLevelKernel},
    KERNEL(shared, OutParams, 20, 0),
    KERNEL(fault, FaultParams, 0, 0),
    KERNEL(faultFibers, FaultParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(reduce, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(earlyExit, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(warp, WarpParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(divergent, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(chain, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(deadlock, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(grid, GridParams, 16, MUSA_KERNEL_SYNCS_GRID),
    KERNEL(gridFibers, GridParams, 16, MUSA_KERNEL_SYNCS_GRID | MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(gridUntold, GridParams, 16, 0),
    KERNEL(lookBack, OutParams, 0, MUSA_KERNEL_LOOKS_BACK),
    KERNEL(lookBackInTurns, OutParams, 0, kTakesTurns),
    KERNEL(lookAheadInTurns, OutParams, 0, kTakesTurns),
    KERNEL(turns, TurnParams, 16, kTakesTurns),
    KERNEL(turnsForCount, TurnParams, 16, kTakesTurns | MUSA_KERNEL_WAITS_FOR_COUNT),
    KERNEL(activeMask, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(print, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(printMany, OutParams, 0, 0),
    KERNEL(heap, OutParams, 0, 0),
    KERNEL(time, OutParams, 0, 0),
    KERNEL(sleep, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
#undef KERNEL
};

const MusaVariableInfo variables[] = {
    {"launches", &launches, sizeof launches, 0, 0},
    {"table", table, sizeof table, MUSA_VARIABLE_CONSTANT, 0},
};

}  // namespace

extern "C" __attribute__((visibility("default")))
const MusaImageInfo __musa_image = {MUSASHIM_IMAGE_MAGIC,
                                    MUSASHIM_IMAGE_ABI_VERSION,
                                    TEST_IMAGE_ARCH,
                                    sizeof kernels / sizeof kernels[0],
                                    kernels,
                                    sizeof variables / sizeof variables[0],
                                    0,
                                    variables};
