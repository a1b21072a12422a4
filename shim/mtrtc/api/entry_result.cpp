// What a program's compilation gave.
#include "abi/text_image.h"
#include "entry.h"

using namespace musashim::mtrtc;

namespace {

// Each getter has one that says how much room is needed.
mtrtcResult sizeOf(const _mtrtcProgram& program, const std::string& code, size_t extra, size_t* size) {
  if (size == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  if (!program.compiled) return MTRTC_ERROR_INVALID_PROGRAM;
  *size = code.size() + extra;
  return MTRTC_SUCCESS;
}

mtrtcResult copyOf(const _mtrtcProgram& program, const std::string& code, size_t extra, char* to) {
  if (to == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  if (!program.compiled) return MTRTC_ERROR_INVALID_PROGRAM;
  std::memcpy(to, code.c_str(), code.size() + extra);
  return MTRTC_SUCCESS;
}

// For programs that take what they get for a string.
const std::string& textOf(_mtrtcProgram& program) {
  if (program.compiled && program.text.empty()) {
    const auto* bytes = reinterpret_cast<const std::byte*>(program.image.data());
    program.text = musashim::abi::writeTextImage({bytes, program.image.size()});
  }
  return program.text;
}

}  // namespace

extern "C" {

mtrtcResult mtrtcGetFatBinSize(mtrtcProgram prog, size_t* fatBinSizeRet) {
  return entryOf(
      "mtrtcGetFatBinSize", prog,
      [&](_mtrtcProgram& program) { return sizeOf(program, program.image, 0, fatBinSizeRet); },
      fatBinSizeRet);
}

mtrtcResult mtrtcGetFatBin(mtrtcProgram prog, char* fatBin) {
  return entryOf(
      "mtrtcGetFatBin", prog,
      [&](_mtrtcProgram& program) { return copyOf(program, program.image, 0, fatBin); },
      static_cast<const void*>(fatBin));
}

mtrtcResult nvrtcGetCUBINSize(mtrtcProgram prog, size_t* cubinSizeRet) {
  return entryOf(
      "nvrtcGetCUBINSize", prog,
      [&](_mtrtcProgram& program) { return sizeOf(program, program.image, 0, cubinSizeRet); }, cubinSizeRet);
}

mtrtcResult nvrtcGetCUBIN(mtrtcProgram prog, char* cubin) {
  return entryOf(
      "nvrtcGetCUBIN", prog, [&](_mtrtcProgram& program) { return copyOf(program, program.image, 0, cubin); },
      static_cast<const void*>(cubin));
}

// Units for a link (-dlto, -rdc=true) are bitcode; of other programs there is none.
mtrtcResult nvrtcGetLTOIRSize(mtrtcProgram prog, size_t* LTOIRSizeRet) {
  return entryOf(
      "nvrtcGetLTOIRSize", prog,
      [&](_mtrtcProgram& program) {
        if (LTOIRSizeRet != nullptr && program.compiled && !program.relocatable) {
          *LTOIRSizeRet = 0;
          return MTRTC_SUCCESS;
        }
        return sizeOf(program, program.image, 0, LTOIRSizeRet);
      },
      LTOIRSizeRet);
}

mtrtcResult nvrtcGetLTOIR(mtrtcProgram prog, char* LTOIR) {
  return entryOf(
      "nvrtcGetLTOIR", prog,
      [&](_mtrtcProgram& program) {
        return program.compiled && !program.relocatable ? MTRTC_ERROR_INVALID_PROGRAM
                                                        : copyOf(program, program.image, 0, LTOIR);
      },
      static_cast<const void*>(LTOIR));
}

mtrtcResult nvrtcGetPTXSize(mtrtcProgram prog, size_t* ptxSizeRet) {
  return entryOf(
      "nvrtcGetPTXSize", prog,
      [&](_mtrtcProgram& program) {
        if (ptxSizeRet && !program.tried) {  // nothing, and no error: as NVRTC has it
          *ptxSizeRet = 0;
          return MTRTC_SUCCESS;
        }
        return sizeOf(program, textOf(program), 1, ptxSizeRet);
      },
      ptxSizeRet);
}

mtrtcResult nvrtcGetPTX(mtrtcProgram prog, char* ptx) {
  return entryOf(
      "nvrtcGetPTX", prog,
      [&](_mtrtcProgram& program) {
        return ptx && !program.tried ? MTRTC_SUCCESS : copyOf(program, textOf(program), 1, ptx);
      },
      static_cast<const void*>(ptx));
}

mtrtcResult mtrtcGetProgramLogSize(mtrtcProgram prog, size_t* logSizeRet) {
  return entryOf(
      "mtrtcGetProgramLogSize", prog,
      [&](_mtrtcProgram& program) {
        if (logSizeRet == nullptr) return MTRTC_ERROR_INVALID_INPUT;
        *logSizeRet = program.log.size() + 1;
        return MTRTC_SUCCESS;
      },
      logSizeRet);
}

mtrtcResult mtrtcGetProgramLog(mtrtcProgram prog, char* log) {
  return entryOf(
      "mtrtcGetProgramLog", prog,
      [&](_mtrtcProgram& program) {
        if (log == nullptr) return MTRTC_ERROR_INVALID_INPUT;
        std::memcpy(log, program.log.c_str(), program.log.size() + 1);
        return MTRTC_SUCCESS;
      },
      static_cast<const void*>(log));
}

}  // extern "C"
