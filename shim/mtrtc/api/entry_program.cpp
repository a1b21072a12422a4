// Programs: made, compiled, ended.
#include <algorithm>
#include <string_view>

#include "entry.h"

using namespace musashim::mtrtc;

namespace {

mtrtcResult create(mtrtcProgram* program, const char* source, const char* name, int headerCount,
                   const char* const* headers, const char* const* includeNames, bool isCuda) {
  if (program == nullptr) return MTRTC_ERROR_INVALID_PROGRAM;
  if (source == nullptr || headerCount < 0) return MTRTC_ERROR_INVALID_INPUT;
  if (headerCount > 0 && (headers == nullptr || includeNames == nullptr)) return MTRTC_ERROR_INVALID_INPUT;
  _mtrtcProgram made;
  made.isCuda = isCuda;
  made.source = {name == nullptr || *name == '\0' ? "default_program" : name, source};
  for (int i = 0; i < headerCount; ++i) {
    if (headers[i] == nullptr || includeNames[i] == nullptr) return MTRTC_ERROR_INVALID_INPUT;
    const std::string_view included = includeNames[i];
    const auto isNamed = [&](const auto& header) { return header.name == included; };
    if (std::ranges::any_of(made.headers, isNamed)) return MTRTC_ERROR_INVALID_INPUT;
    made.headers.push_back({includeNames[i], headers[i]});
  }
  *program = programs().create(std::move(made));
  return MTRTC_SUCCESS;
}

}  // namespace

musashim::core::HandleArena<_mtrtcProgram>& musashim::mtrtc::programs() {
  static auto& arena = *new core::HandleArena<_mtrtcProgram>(size_t{1} << 16);
  return arena;
}

extern "C" {

mtrtcResult mtrtcCreateProgram(mtrtcProgram* prog, const char* src, const char* name, int numHeaders,
                               const char* const* headers, const char* const* includeNames) {
  return entry(
      "mtrtcCreateProgram",
      [&] { return create(prog, src, name, numHeaders, headers, includeNames, /*isCuda=*/false); }, prog,
      name, numHeaders);
}

mtrtcResult nvrtcCreateProgram(mtrtcProgram* prog, const char* src, const char* name, int numHeaders,
                               const char* const* headers, const char* const* includeNames) {
  return entry(
      "nvrtcCreateProgram",
      [&] { return create(prog, src, name, numHeaders, headers, includeNames, /*isCuda=*/true); }, prog, name,
      numHeaders);
}

mtrtcResult mtrtcDestroyProgram(mtrtcProgram* prog) {
  return entry(
      "mtrtcDestroyProgram",
      [&] {
        _mtrtcProgram* const found = prog == nullptr ? nullptr : programs().get(*prog);
        if (found == nullptr) return MTRTC_ERROR_INVALID_PROGRAM;
        programs().destroy(found);
        *prog = nullptr;
        return MTRTC_SUCCESS;
      },
      prog);
}

mtrtcResult mtrtcCompileProgram(mtrtcProgram prog, int numOptions, const char* const* options) {
  return entryOf(
      "mtrtcCompileProgram", prog,
      [&](_mtrtcProgram& program) {
        if (numOptions < 0) return MTRTC_ERROR_INVALID_INPUT;
        if (numOptions > 0 && options == nullptr) return MTRTC_ERROR_INVALID_OPTION;
        std::vector<std::string> given;
        for (int i = 0; i < numOptions; ++i) {
          if (options[i] == nullptr) return MTRTC_ERROR_INVALID_OPTION;
          given.emplace_back(options[i]);
        }
        return compileProgram(program, given);
      },
      numOptions);
}

mtrtcResult mtrtcAddNameExpression(mtrtcProgram prog, const char* const name_expression) {
  return entryOf(
      "mtrtcAddNameExpression", prog,
      [&](_mtrtcProgram& program) {
        if (name_expression == nullptr) return MTRTC_ERROR_INVALID_INPUT;
        if (program.tried) return MTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
        program.names.emplace_back(name_expression);
        return MTRTC_SUCCESS;
      },
      name_expression);
}

mtrtcResult mtrtcGetLoweredName(mtrtcProgram prog, const char* const name_expression,
                                const char** lowered_name) {
  return entryOf(
      "mtrtcGetLoweredName", prog,
      [&](_mtrtcProgram& program) {
        if (name_expression == nullptr || lowered_name == nullptr) return MTRTC_ERROR_INVALID_INPUT;
        if (!program.compiled) return MTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
        const auto found = program.lowered.find(name_expression);
        if (found == program.lowered.end()) return MTRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
        *lowered_name = found->second.c_str();
        return MTRTC_SUCCESS;
      },
      name_expression, lowered_name);
}

}  // extern "C"
