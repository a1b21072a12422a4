#include "archive.h"

#include "llvm/Support/Program.h"
#include "mcc/driver/errors.h"
#include "mcc/driver/options/outputs.h"

namespace musashim::mcc {

int writeLibrary(const Options& options, const StepRunner& runner,
                 const std::map<size_t, std::string>& objects) {
  const std::string name = options.archiver.empty() ? "ar" : options.archiver;
  const auto archiver = llvm::sys::findProgramByName(name);
  if (!archiver)
    return failStatus("a library needs '" + name +
                      "', which is not there: install Debian's package binutils" +
                      (options.archiver.empty() ? ", or name another by '-arbin'" : ""));
  std::vector<std::string> command{*archiver, "rcs"};
  command.insert(command.end(), options.archiveOptions.begin(), options.archiveOptions.end());
  command.push_back(options.output.empty() ? defaultOutput(options, options.inputs.front()) : options.output);
  for (const Input& input : options.inputs) {
    const auto object = objects.find(input.argument);
    command.push_back(object == objects.end() ? input.path : object->second);
  }
  return runner.run(command);
}

}  // namespace musashim::mcc
