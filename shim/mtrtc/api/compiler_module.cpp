#include "compiler_module.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

namespace musashim::mtrtc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModule = "lib/musashim/mtrtc-compiler.so";

std::string findRoot() {
  std::error_code error;
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&sdkRoot), &info) != 0) {
    const fs::path own = fs::canonical(info.dli_fname, error).parent_path().parent_path();
    if (!error && fs::exists(own / kModule, error)) return own.string();
  }
  for (const char* variable : {"MUSA_HOME", "MUSA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && fs::exists(fs::path(value) / kModule, error)) return value;
  }
  return {};
}

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
  static const auto& root = *new std::string(findRoot());
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
