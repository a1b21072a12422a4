#include "files_read.h"

#include "host_source.h"
#include "make_rules.h"
#include "mcc/driver/process.h"

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;

Strings run(const Strings& command, const std::string& list) {
  runProgram(command, list + ".log");
  return prerequisites(list);
}

}  // namespace

Strings filesRead(const FrontendArguments& pass, const Input& input, const std::string& overlay,
                  const std::string& list) {
  Strings command{pass.program};
  for (size_t i = 0; i < pass.arguments.size(); ++i) {
    const std::string& argument = pass.arguments[i];
    if (argument == "-dependency-file" || argument == "-MT" || argument == "-MQ") {
      ++i;  // of the user's
    } else if (argument != "-MP" && argument != "-MG" && argument.compare(0, 5, "-emit") != 0) {
      command.push_back(argument);
    }
  }
  command.insert(command.end(), {"-ivfsoverlay", overlay, "-Eonly", "-dependency-file", list, "-MT", "read",
                                 "-MG", "-x", "hip", input.path});
  return run(command, list);
}

Strings filesReadByHost(const Toolchain& toolchain, const Options& options, const Input& input,
                        const std::string& overlay, const std::string& list) {
  Strings command = hostSourceCommand(toolchain, options, input, overlay);
  command.insert(command.end(),
                 {"-M", "-MG", "-MF", list, "-MT", "read", "-x", input.isC ? "c" : "c++", input.path});
  return run(command, list);
}

}  // namespace musashim::mcc
