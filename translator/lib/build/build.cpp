#include "translator/lib/build/build.h"

#include "translator/lib/build/cmake.h"
#include "translator/lib/build/dialect.h"
#include "translator/lib/build/make.h"
#include "translator/lib/build/shell.h"
#include "translator/lib/build/toolchains.h"
#include "translator/lib/edit/plan.h"
#include "translator/lib/python/names.h"
#include "translator/lib/python/python.h"

namespace musashim::translator {
namespace {

/// What every word of Python's that changes holds. Syntax trees cost more than looking.
bool mayMatter(std::string_view text) {
  for (const std::string_view word : {"cuda", "CUDA", ".cu", "nccl", "NCCL", "nvcc", "nvidia", "nvml",
                                      "nvmath", "NV", "cupy", "cudf", "cuml", "apex", "tensorrt"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

void collectBuildFacts(std::string_view path, std::string_view text, BuildFacts& facts) {
  const Dialect dialect = dialectOf(path);
  if (dialect == Dialect::CMake) collectCMakeTargets(text, facts);
  if (dialect == Dialect::Python) facts.torch = facts.torch || importsTorch(text);
}

Match findBuildEdits(std::string_view path, std::string_view text, const PortOptions& options,
                     const ProjectView& project, const BuildFacts& facts) {
  Match result;
  // A text with zero bytes is none.
  if (!options.lexicon->toMusa() || text.find('\0') != std::string_view::npos) return result;
  BuildEditor editor(text, options, project, result);
  switch (dialectOf(path)) {
    case Dialect::None:
      break;
    case Dialect::CMake:
      portCMake(editor, facts);
      break;
    case Dialect::Make:
      portMake(editor);
      break;
    case Dialect::Shell:
      portShell(editor);
      break;
    case Dialect::Docker:
      portDocker(editor);
      break;
    case Dialect::Python:
      if (mayMatter(text)) portPython(editor, facts);
      reportToolchains(editor, path.substr(path.rfind('/') + 1));
      break;
  }
  plan(text, result.edits);
  return result;
}

}  // namespace musashim::translator
