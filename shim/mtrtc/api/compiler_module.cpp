#include "compiler_module.h"

#include <dlfcn.h>

#include "core/sdk_folder.h"

namespace musashim::mtrtc {
namespace {

constexpr const char* kModule = "lib/musashim/mtrtc-compiler.so";

MusashimMtrtcCompile* loadCompiler(std::string& error) {
  if (sdkRoot().empty()) {
    error = "no MUSA SDK is beside libmtrtc.so: set MUSA_PATH to its folder";
    return nullptr;
  }
  void* module = dlopen(compilerPath().c_str(), RTLD_NOW | RTLD_LOCAL);
  void* entry = module == nullptr ? nullptr : dlsym(module, "musashim_mtrtc_compile");
  if (entry == nullptr) {
    const char* reason = dlerror();
    error = "cannot load the compiler: " + std::string(reason == nullptr ? "no entry" : reason);
  }
  return reinterpret_cast<MusashimMtrtcCompile*>(entry);
}

}  // namespace

const std::string& sdkRoot() {
  static const auto& root = *new std::string(core::findSdk(reinterpret_cast<const void*>(&sdkRoot), kModule));
  return root;
}

std::string compilerPath() { return sdkRoot() + "/" + kModule; }

void compileRequest(const CompileRequest& request, CompileResult& result) {
  static auto& error = *new std::string;
  static MusashimMtrtcCompile* const compile = loadCompiler(error);
  if (compile == nullptr) {
    result.log = "mtrtc: error: " + error + "\n";
    return;
  }
  compile(request, result);
}

}  // namespace musashim::mtrtc
