// Launches of CUDA before version 4, one setting a call.
#include "musa/api/api_call.h"
#include "musa/module/module.h"
#include "musa/module/old_launch.h"

using namespace musashim::musa;

namespace {

// What `set` does to what the function keeps.
template <class Set, class... Args>
MUresult setting(const char* name, MUfunction f, Set&& set, const Args&... args) {
  return apiCall(
      name,
      [&]() -> Result {
        Function* function = nullptr;
        MUSA_TRY(findFunction(f, function));
        return set(*function);
      },
      f, args...);
}

template <class... Args>
MUresult launching(const char* name, MUfunction f, int width, int height, MUstream hStream,
                   const Args&... args) {
  return apiCall(
      name,
      [&]() -> Result {
        Function* function = nullptr;
        Stream* stream = nullptr;
        MUSA_TRY(findFunction(f, function));
        MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
        return function->oldLaunch().launch(*function, *stream, width, height);
      },
      f, args...);
}

}  // namespace

extern "C" {

MUresult muFuncSetBlockShape(MUfunction hfunc, int x, int y, int z) {
  return setting(
      "muFuncSetBlockShape", hfunc, [&](Function& f) { return f.oldLaunch().setBlock(f, x, y, z); }, x, y, z);
}

MUresult muFuncSetSharedSize(MUfunction hfunc, unsigned int bytes) {
  return setting(
      "muFuncSetSharedSize", hfunc, [&](Function& f) { return f.oldLaunch().setShared(f, bytes); }, bytes);
}

MUresult muParamSetSize(MUfunction hfunc, unsigned int numbytes) {
  return setting(
      "muParamSetSize", hfunc, [&](Function& f) { return f.oldLaunch().setSize(numbytes); }, numbytes);
}

MUresult muParamSeti(MUfunction hfunc, int offset, unsigned int value) {
  return setting(
      "muParamSeti", hfunc, [&](Function& f) { return f.oldLaunch().setBytes(offset, &value, sizeof value); },
      offset, value);
}

MUresult muParamSetf(MUfunction hfunc, int offset, float value) {
  return setting(
      "muParamSetf", hfunc, [&](Function& f) { return f.oldLaunch().setBytes(offset, &value, sizeof value); },
      offset, value);
}

MUresult muParamSetv(MUfunction hfunc, int offset, void* ptr, unsigned int numbytes) {
  return setting(
      "muParamSetv", hfunc, [&](Function& f) { return f.oldLaunch().setBytes(offset, ptr, numbytes); },
      offset, ptr, numbytes);
}

MUresult muLaunch(MUfunction f) { return launching("muLaunch", f, 1, 1, nullptr); }

MUresult muLaunchGrid(MUfunction f, int grid_width, int grid_height) {
  return launching("muLaunchGrid", f, grid_width, grid_height, nullptr, grid_width, grid_height);
}

MUresult muLaunchGridAsync(MUfunction f, int grid_width, int grid_height, MUstream hStream) {
  return launching("muLaunchGridAsync", f, grid_width, grid_height, hStream, grid_width, grid_height,
                   hStream);
}

}  // extern "C"
