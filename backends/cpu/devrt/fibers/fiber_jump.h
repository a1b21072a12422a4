// Switching stacks.
#pragma once

namespace musashim::devrt {

// Where a stack goes on: what the ABI has a function keep lies on top of it.
using FiberContext = void*;

// Whoever jumped here, and what it passed.
struct FiberJump {
  FiberContext from;
  void* data;
};

// A stack that ends at `top`, on which `main` begins, with its caller's modes of floating point. It never
// returns.
FiberContext makeFiber(void* top, void (*main)(FiberJump));

// Goes on there, until somebody jumps back.
FiberJump jump(FiberContext to, void* data);

}  // namespace musashim::devrt
