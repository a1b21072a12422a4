// A thread for one translation unit. What clang's plugins keep of a unit belongs to its thread, and clang may
// want more stack than the caller has left.
#pragma once

#include <functional>
#include <string>

namespace musashim::mtrtc {

// Runs `work` in a thread of its own and waits for it. False when LLVM gave up there, with its last words in
// `error`: LLVM ends the process then, but this thread stops for good in its place, with all that it holds.
bool runInUnitThread(const std::function<void()>& work, std::string& error);

}  // namespace musashim::mtrtc
