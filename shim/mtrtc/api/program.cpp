#include "program.h"

#include <filesystem>

#include "core/cuda_capability.h"
#include "mtrtc/api/compiler_module.h"
#include "mtrtc/cache/cache_key.h"
#include "mtrtc/cache/disk_cache.h"
#include "mtrtc/options/options.h"

namespace musashim::mtrtc {
namespace {

void compileOrFind(const CompileRequest& request, bool useCache, CompileResult& result) {
  DiskCache* const cache = useCache && !request.sdk.empty() ? DiskCache::instance() : nullptr;
  if (cache == nullptr) return compileRequest(request, result);
  const std::string key = cacheKey(request);
  CachedResult cached;
  if (cache->find(key, cached) && cached.lowered.size() == request.names.size()) {
    result.outcome = Outcome::kDone;
    result.log = std::move(cached.log);
    result.image = std::move(cached.image);
    result.lowered = std::move(cached.lowered);
    return;
  }
  compileRequest(request, result);
  if (result.outcome != Outcome::kDone) return;
  std::error_code error;
  for (std::string& file : result.files) file = std::filesystem::absolute(file, error).string();
  cache->store(key, {result.log, result.image, result.lowered, result.files});
}

}  // namespace

mtrtcResult compileProgram(_mtrtcProgram& program, const std::vector<std::string>& options) {
  program.tried = true;
  program.compiled = false;
  program.log.clear();
  program.image.clear();
  program.text.clear();
  program.lowered.clear();
  CompileOptions parsed;
  if (!parseOptions(options, program.isCuda, parsed, program.log)) return MTRTC_ERROR_INVALID_OPTION;
  if (const std::string& wrong = core::cudaCapability().error; program.isCuda && !wrong.empty()) {
    program.log = "mtrtc: error: " + wrong + "\n";
    return MTRTC_ERROR_INVALID_OPTION;
  }

  CompileRequest request;
  request.isCuda = program.isCuda;
  request.source = program.source;
  request.headers = program.headers;
  request.archs = parsed.archs;
  request.language = parsed.language;
  request.language.push_back("-D__MUSACC_RTC__=1");
  request.relocatable = parsed.relocatable;
  // mcc's option, as it decides about names.
  if (parsed.relocatable) request.language.push_back("-rdc=true");
  request.frontend = parsed.frontend;
  request.defaultDevice = parsed.defaultDevice;
  request.names = program.names;
  request.sdk = sdkRoot();
  CompileResult result;
  compileOrFind(request, parsed.useCache, result);
  program.log += result.log;
  if (result.outcome == Outcome::kMistakes) return MTRTC_ERROR_COMPILATION;
  if (result.outcome != Outcome::kDone) return MTRTC_ERROR_INTERNAL_ERROR;
  program.compiled = true;
  program.relocatable = parsed.relocatable;
  program.image = std::move(result.image);
  for (size_t i = 0; i < program.names.size(); ++i) program.lowered[program.names[i]] = result.lowered[i];
  return MTRTC_SUCCESS;
}

}  // namespace musashim::mtrtc
