#include "link.h"

#include <set>

namespace musashim::mcc {

int runClangDriver(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                   const std::map<size_t, std::string>& objects, const std::string& linkObject) {
  std::vector<std::string> command{toolchain.clang};
  const std::vector<std::string> plain = plainSourceOptions(toolchain);
  command.insert(command.end(), plain.begin(), plain.end());
  // First: it takes the objects that it needs out of archives.
  if (!linkObject.empty()) command.push_back(linkObject);
  if (options.phase != Phase::kLink) command.push_back("-Qunused-arguments");
  std::set<size_t> compiled;
  for (const Input& input : options.inputs) {
    if (input.isMusa || input.isC) compiled.insert(input.argument);
  }
  for (size_t i = 0; i < options.clangArguments.size(); ++i) {
    if (options.phase != Phase::kLink && compiled.count(i) != 0) continue;
    const auto object = objects.find(i);
    command.push_back(object == objects.end() ? options.clangArguments[i] : object->second);
  }
  command.push_back("-isystem" + toolchain.include);
  // Host sources see the same API as MUSA sources (mcc_prelude.h).
  if (options.perThreadDefaultStream) command.push_back("-DMUSA_API_PER_THREAD_DEFAULT_STREAM=1");
  if (options.phase == Phase::kLink) {
    // The runtime last and only when needed: MUSA objects register with it.
    for (const std::string& argument :
         {"-L" + toolchain.lib, "-Wl,-rpath," + toolchain.lib, std::string("-Wl,--push-state,--as-needed"),
          std::string("-lmusart"), std::string("-Wl,--pop-state")}) {
      command.push_back(argument);
    }
  }
  return runner.run(command);
}

}  // namespace musashim::mcc
