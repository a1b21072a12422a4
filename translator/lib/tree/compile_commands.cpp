#include "translator/lib/tree/compile_commands.h"

#include <array>
#include <nlohmann/json.hpp>

#include "translator/lib/error.h"
#include "translator/lib/tree/files.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

class Keeper {
 public:
  Keeper(const std::vector<std::string>& command, fs::path folder)
      : command_(command), folder_(std::move(folder)) {}

  std::vector<std::string> run() {
    for (at_ = 1; at_ < command_.size(); ++at_) take(command_[at_]);
    return std::move(kept_);
  }

 private:
  void take(const std::string& argument) {
    if (takePath(argument) || takeMacro(argument) || takeStandard(argument)) return;
    for (const std::string_view option : {"-Xcompiler", "--compiler-options"}) {
      if (argument == option && at_ + 1 < command_.size()) return handOn(command_[++at_]);
      if (argument.starts_with(std::string(option) + "=")) return handOn(argument.substr(option.size() + 1));
    }
    for (const std::string_view option : {"--options-file", "-optf"}) {
      if (argument == option && at_ + 1 < command_.size()) return takeFile(command_[++at_]);
      if (argument.starts_with(std::string(option) + "="))
        return takeFile(argument.substr(option.size() + 1));
    }
    if (argument.starts_with('@')) takeFile(argument.substr(1));
  }

  bool takePath(const std::string& argument) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kOptions = {{
        {"-isystem", "-isystem"},
        {"--system-include", "-isystem"},
        {"-iquote", "-iquote"},
        {"-idirafter", "-idirafter"},
        {"--include-path", "-I"},
        {"-include", "-include"},
        {"--pre-include", "-include"},
        {"-imacros", "-imacros"},
        {"-I", "-I"},
    }};
    for (const auto& [option, becomes] : kOptions) {
      if (!argument.starts_with(option)) continue;
      std::string value = argument.substr(option.size());
      if (value.empty()) {
        if (at_ + 1 >= command_.size()) return true;
        value = command_[++at_];
      } else if (value.front() == '=') {
        value.erase(0, 1);
      } else if (option.starts_with("--") || option == "-include" || option == "-imacros") {
        continue;
      }
      addPath(becomes, value);
      return true;
    }
    return false;
  }

  void addPath(std::string_view option, const std::string& value) {
    const fs::path path = (folder_ / value).lexically_normal();
    const bool folder = option != "-include" && option != "-imacros";
    if (folder && isCudaFolder(path)) return;
    kept_.emplace_back(option);
    kept_.push_back(folder ? path.string() : value);
  }

  bool takeMacro(const std::string& argument) {
    for (const std::string_view option : {"-D", "-U", "--define-macro", "--undefine-macro"}) {
      if (!argument.starts_with(option)) continue;
      std::string value = argument.substr(option.size());
      if (value.empty() && at_ + 1 < command_.size()) value = command_[++at_];
      if (option.starts_with("--") && value.starts_with('=')) value.erase(0, 1);
      kept_.push_back((option == "-U" || option == "--undefine-macro" ? "-U" : "-D") + value);
      return true;
    }
    return false;
  }

  bool takeStandard(const std::string& argument) {
    for (const std::string_view option : {"-std", "--std"}) {
      if (argument == option && at_ + 1 < command_.size()) {
        kept_.push_back("-std=" + command_[++at_]);
        return true;
      }
      if (argument.starts_with(std::string(option) + "=")) {
        kept_.push_back("-std=" + argument.substr(option.size() + 1));
        return true;
      }
    }
    return false;
  }

  /// -Xcompiler "-Wall,-DX": options of the host compiler, separated by commas.
  void handOn(const std::string& list) {
    std::vector<std::string> inner = {""};
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      for (std::string& argument : splitCommand(list.substr(begin, end - begin)))
        inner.push_back(std::move(argument));
      begin = end + 1;
    }
    nested(inner);
  }

  void takeFile(const std::string& name) {
    std::error_code ignored;
    const fs::path path = folder_ / name;
    if (!fs::is_regular_file(path, ignored)) return;
    std::vector<std::string> inner = splitCommand(readFile(path));
    inner.insert(inner.begin(), "");
    nested(inner);
  }

  void nested(const std::vector<std::string>& inner) {
    if (++depth_ > 4) return;
    Keeper keeper(inner, folder_);
    keeper.depth_ = depth_;
    for (std::string& argument : keeper.run()) kept_.push_back(std::move(argument));
    --depth_;
  }

  const std::vector<std::string>& command_;
  fs::path folder_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::string> kept_;
};

}  // namespace

bool isCudaFolder(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "cuda_runtime.h", ignored) || fs::exists(folder / "nccl.h", ignored);
}

std::vector<std::string> splitCommand(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      open = true;
    } else if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (open) words.push_back(std::move(word));
      word.clear();
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> keptArguments(const std::vector<std::string>& command, const fs::path& folder) {
  return Keeper(command, folder).run();
}

std::vector<fs::path> CompileCommand::folders() const {
  std::vector<fs::path> result;
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    for (const std::string_view option : {"-I", "-isystem", "-iquote", "-idirafter"}) {
      if (arguments[i] == option) result.emplace_back(arguments[i + 1]);
    }
  }
  return result;
}

/// Of clang, nvcc and CMake: -x cu, -x cuda, --x=cu.
static bool saysCuda(const std::vector<std::string>& command) {
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string_view argument = command[i];
    for (const std::string_view option : {"-x", "--x"}) {
      if (!argument.starts_with(option)) continue;
      std::string_view value = argument.substr(option.size());
      if (value.empty() && i + 1 < command.size()) value = command[i + 1];
      if (value.starts_with('=')) value.remove_prefix(1);
      if (value == "cu" || value == "cuda") return true;
    }
  }
  return false;
}

std::vector<CompileCommand> readCompileCommands(const fs::path& path) {
  const auto root = nlohmann::json::parse(readFile(path), nullptr, false);
  if (!root.is_array())
    throw PortError(path.string() + ": is no compilation database (a JSON array of commands)");
  std::vector<CompileCommand> commands;
  for (const auto& entry : root) {
    if (!entry.is_object() || !entry.contains("file") || !entry["file"].is_string()) continue;
    const fs::path folder = fs::absolute(path).parent_path() / entry.value("directory", std::string("."));
    std::vector<std::string> arguments;
    if (entry.contains("arguments") && entry["arguments"].is_array()) {
      for (const auto& argument : entry["arguments"]) {
        if (argument.is_string()) arguments.push_back(argument.get<std::string>());
      }
    } else {
      arguments = splitCommand(entry.value("command", std::string()));
    }
    commands.push_back({(folder / entry["file"].get<std::string>()).lexically_normal(),
                        keptArguments(arguments, folder), saysCuda(arguments)});
  }
  return commands;
}

}  // namespace musashim::translator
