// Packed parameters of the kernels of the test image.
#pragma once

#include <cstdint>

struct SpinParams {
  int* started;  // sets this
  int* flag;     // spins until not zero
  int* done;     // then sets this
};

struct CountParams {
  uint64_t* blocks;                 // counts blocks
  uint32_t* order;                  // order[linear block] = when it began, or null
  uint64_t* hostThreads = nullptr;  // hostThreads[linear block] = which host thread ran it, or null
};

struct AddParams {
  int* values;
  int amount;
  uint32_t count;
};

struct FaultParams {
  int kind;         // FaultKind
  uint32_t thread;  // the thread that does it
};
enum FaultKind { kStore, kDivide, kIllegal, kTrapCall, kAssertCall, kOverflow, kBadFree, kNonCanonical };

struct WarpParams {
  int operation;  // WarpOperation
  uint32_t mask;
  uint32_t argument;  // lane, delta or lane mask
  int width;
  uint32_t active;     // lanes of each group of 32 that call it
  const uint64_t* in;  // per thread
  uint64_t* out;       // per thread; threads that do not call leave theirs
};
enum WarpOperation { kIdx, kUp, kDown, kXor, kBallot, kAll, kAny, kMatchAny, kMatchAll, kSync };

// Kernels whose blocks wait for each other without a barrier; `failing` does in its second round.
struct TurnParams {
  int64_t* arrived;
  int64_t* out;  // the rounds of each block; -1: its shared memory was not its own
  uint32_t rounds, failing;
};

// What goes on between two barriers of the grid in the kernels `grid` and `gridFibers`.
enum GridKind { kGridSound, kGridOneEnds, kGridTrap, kGridStore, kGridOverflow, kGridNoBarrier };
struct GridParams {
  int64_t* parts;  // per block
  int64_t* out;    // per block
  uint32_t rounds;
  int kind;  // what block 1 does in the second round
};

struct OutParams {
  int64_t* out;
  uint32_t argument;
};
