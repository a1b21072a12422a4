// links: nvrtc driver
// What wrong arguments give, and what a program may be asked when.
#include "../../framework/runtime_compilation.h"

CONFORMANCE_CASE("rtc.arguments");

int main() {
  const char* const kGood = "extern \"C\" __global__ void f(int* out) { out[0] = 7; }";
  nvrtcProgram program = nullptr;
  OBSERVE("create.null_program", code(nvrtcCreateProgram(nullptr, kGood, "a", 0, nullptr, nullptr)));
  OBSERVE("create.null_source", code(nvrtcCreateProgram(&program, nullptr, "a", 0, nullptr, nullptr)));
  OBSERVE("create.negative_headers", code(nvrtcCreateProgram(&program, kGood, "a", -1, nullptr, nullptr)));
  OBSERVE("create.headers_null", code(nvrtcCreateProgram(&program, kGood, "a", 1, nullptr, nullptr)));
  OBSERVE("create.empty_source", code(nvrtcCreateProgram(&program, "", "a", 0, nullptr, nullptr)));
  OBSERVE("compile.empty_source", code(nvrtcCompileProgram(program, 0, nullptr)));
  OBSERVE("destroy", code(nvrtcDestroyProgram(&program)));
  OBSERVE("destroy.sets_null", program == nullptr);
  OBSERVE("destroy.null", code(nvrtcDestroyProgram(nullptr)));
  nvrtcProgram none = nullptr;
  OBSERVE("destroy.null_program", code(nvrtcDestroyProgram(&none)));
  OBSERVE("compile.null_program", code(nvrtcCompileProgram(nullptr, 0, nullptr)));

  SETUP(nvrtcCreateProgram(&program, kGood, nullptr, 0, nullptr, nullptr) == NVRTC_SUCCESS
            ? cudaSuccess
            : cudaErrorUnknown);
  size_t size = 0;
  const char* name = nullptr;
  std::string text(1 << 20, '\0');
  OBSERVE("uncompiled.ptx_size", code(imageSize(program, &size)));
  OBSERVE("uncompiled.ptx", code(image(program, text.data())));
  OBSERVE("uncompiled.log_size", code(nvrtcGetProgramLogSize(program, &size)));
  OBSERVE("uncompiled.lowered", code(nvrtcGetLoweredName(program, "f", &name)));
  OBSERVE("compile.negative_options", code(nvrtcCompileProgram(program, -1, nullptr)));
  OBSERVE("compile.options_null", code(nvrtcCompileProgram(program, 1, nullptr)));
  OBSERVE("compile.good", code(nvrtcCompileProgram(program, 0, nullptr)));
  OBSERVE("compiled.ptx_size", code(imageSize(program, &size)));
  OBSERVE("compiled.ptx_size.positive", size > 1);
  OBSERVE("compiled.ptx_size.null", code(imageSize(program, nullptr)));
  OBSERVE("compiled.ptx.null", code(image(program, nullptr)));
  OBSERVE("compiled.log_size.null", code(nvrtcGetProgramLogSize(program, nullptr)));
  OBSERVE("compiled.log.null", code(nvrtcGetProgramLog(program, nullptr)));
  OBSERVE("compiled.log_size", code(nvrtcGetProgramLogSize(program, &size)));
  OBSERVE("compiled.log_size.value", static_cast<unsigned long>(size));
  OBSERVE("compiled.cubin_size", code(imageSize(program, &size, "GetCUBINSize")));
  OBSERVE("compiled.cubin_size.is_zero", size == 0);
  OBSERVE("compiled.name_expression", code(nvrtcAddNameExpression(program, "f")));
  OBSERVE("compiled.lowered.unknown", code(nvrtcGetLoweredName(program, "g", &name)));
  OBSERVE("compiled.lowered.null_name", code(nvrtcGetLoweredName(program, nullptr, &name)));
  OBSERVE("compiled.again", code(nvrtcCompileProgram(program, 0, nullptr)));
  nvrtcDestroyProgram(&program);

  int major = 0, minor = 0, count = 0;
  OBSERVE("version.null_major", code(nvrtcVersion(nullptr, &minor)));
  OBSERVE("version.null_minor", code(nvrtcVersion(&major, nullptr)));
  OBSERVE("archs.null", code(nvrtcGetNumSupportedArchs(nullptr)));
  OBSERVE("archs", code(nvrtcGetNumSupportedArchs(&count)));
  OBSERVE("archs.positive", count > 0);
  OBSERVE("text.0", code(static_cast<nvrtcResult>(0)));
  for (int value = 1; value <= 12; ++value)
    OBSERVE("text." + std::to_string(value), code(static_cast<nvrtcResult>(value)));
  OBSERVE("text.99", code(static_cast<nvrtcResult>(99)));
  OBSERVE("text.-1", code(static_cast<nvrtcResult>(-1)));
}
