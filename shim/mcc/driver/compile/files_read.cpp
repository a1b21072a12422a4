#include "files_read.h"

#include <cctype>
#include <fstream>
#include <iterator>

#include "host_source.h"
#include "mcc/driver/process.h"

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;

// The prerequisites in a file of make's rules.
Strings prerequisites(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  Strings words(1);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escapes = text[i] == '\\' && i + 1 < text.size();
    if (escapes && (text[i + 1] == ' ' || text[i + 1] == '#' || text[i + 1] == '\\')) {
      words.back() += text[++i];
    } else if (escapes && text[i + 1] == '\n') {
      ++i;
      words.emplace_back();
    } else if (text[i] == '$' && i + 1 < text.size() && text[i + 1] == '$') {
      words.back() += text[++i];
    } else if (std::isspace(static_cast<unsigned char>(text[i]))) {
      words.emplace_back();
    } else {
      words.back() += text[i];
    }
  }
  Strings result;
  for (std::string& word : words) {
    if (!word.empty() && word != "read:") result.push_back(std::move(word));
  }
  return result;
}

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
