#include "program.h"

#include "mtrtc/api/compiler_module.h"
#include "mtrtc/options/options.h"

namespace musashim::mtrtc {

mtrtcResult compileProgram(_mtrtcProgram& program, const std::vector<std::string>& options) {
  program.tried = true;
  program.compiled = false;
  program.log.clear();
  program.image.clear();
  program.text.clear();
  program.lowered.clear();
  CompileOptions parsed;
  if (!parseOptions(options, program.isCuda, parsed, program.log)) return MTRTC_ERROR_INVALID_OPTION;

  CompileRequest request;
  request.isCuda = program.isCuda;
  request.source = program.source;
  request.headers = program.headers;
  request.archs = parsed.archs;
  request.language = parsed.language;
  request.language.push_back("-D__MUSACC_RTC__=1");
  request.frontend = parsed.frontend;
  request.defaultDevice = parsed.defaultDevice;
  request.names = program.names;
  CompileResult result;
  compileRequest(request, result);
  program.log += result.log;
  if (result.outcome == Outcome::kMistakes) return MTRTC_ERROR_COMPILATION;
  if (result.outcome != Outcome::kDone) return MTRTC_ERROR_INTERNAL_ERROR;
  program.compiled = true;
  program.image = std::move(result.image);
  for (size_t i = 0; i < program.names.size(); ++i) program.lowered[program.names[i]] = result.lowered[i];
  return MTRTC_SUCCESS;
}

}  // namespace musashim::mtrtc
