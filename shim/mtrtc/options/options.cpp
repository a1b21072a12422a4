#include "options.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "core/cuda_capability.h"
#include "option_table.h"

namespace musashim::mtrtc {
namespace {

bool hasValue(Action action) {
  switch (action) {
    case Action::kNothingValue:
    case Action::kNothingWord:
    case Action::kNothingNumber:
    case Action::kLanguageValue:
    case Action::kFrontendValue:
    case Action::kFrontendPair:
    case Action::kSwitch:
    case Action::kArch:
    case Action::kRelocatableSwitch:
      return true;
    default:
      return false;
  }
}

// Values that may stand right behind the brief name, as in -DN=1.
bool isGlued(const Option& option) {
  return option.brief == "D" || option.brief == "U" || option.brief == "I";
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

struct Found {
  const Option* option = nullptr;
  std::string_view value;
  bool valueGiven = false;
};

// `body`: what follows the dashes. NVRTC takes a value behind `=` or a blank.
Found find(std::string_view body, bool twoDashes) {
  const size_t end = body.find_first_of("= ");
  const std::string_view name = body.substr(0, end);
  for (const Option& option : optionTable()) {
    const bool isIt =
        (!option.name.empty() && name == option.name) || (!option.brief.empty() && name == option.brief);
    if (!isIt) continue;
    if (end == std::string_view::npos) return {&option, {}, false};
    return {&option, trimmed(body.substr(end + 1)), true};
  }
  if (twoDashes) return {};
  for (const Option& option : optionTable()) {
    if (isGlued(option) && body.starts_with(option.brief)) return {&option, trimmed(body.substr(1)), true};
  }
  return {};
}

class Parser {
 public:
  Parser(bool isCuda, CompileOptions& options, std::string& log)
      : isCuda_(isCuda), options_(options), log_(log) {}

  // `text`: one option, `next`: the word behind it, or null. Returns how many words it took; 0 for a mistake.
  int take(std::string_view text, const std::string* next) {
    const std::string_view given = trimmed(text);
    if (given.empty()) return refuse(given, "it is empty");
    const bool twoDashes = given.starts_with("--");
    const size_t dashes = twoDashes ? 2 : given.starts_with("-") ? 1 : 0;
    Found found = dashes == 0 ? Found() : find(given.substr(dashes), twoDashes);
    if (isCuda_ && found.option && found.option->name.empty()) found = {};  // mcc's own
    if (found.option == nullptr) return refuse(given, "there is no such option");
    const Option& option = *found.option;
    if (!hasValue(option.action)) {
      if (found.valueGiven && option.action != Action::kNothing) return refuse(given, "it takes no value");
      return apply(option, given, {}) ? 1 : 0;
    }
    if (found.valueGiven) return apply(option, given, found.value) ? 1 : 0;
    // Of these the value may be left out.
    const bool isLast = next == nullptr;
    if (option.action == Action::kNothingValue && (isLast || next->starts_with("-"))) return 1;
    if (option.action == Action::kNothingWord && isLast) return 1;
    if (next == nullptr) return refuse(given, "its value is missing");
    return apply(option, given, trimmed(*next)) ? 2 : 0;
  }

 private:
  int refuse(std::string_view given, std::string_view why) {
    log_ += "mtrtc: error: option '" + std::string(given) + "': " + std::string(why) + "\n";
    return 0;
  }

  bool apply(const Option& option, std::string_view given, std::string_view value) {
    const std::string ours(option.ours);
    switch (option.action) {
      case Action::kNothing:
      case Action::kNothingValue:
      case Action::kNothingWord:
        return true;
      case Action::kNothingNumber:
        return !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos
                   ? true
                   : refuse(given, "a number is expected") != 0;
      case Action::kLanguage:
        options_.language.push_back(ours);
        return true;
      case Action::kLanguageValue:
        return addStandard(given, value);
      case Action::kFrontend:
        options_.frontend.push_back(ours);
        return true;
      case Action::kFrontendValue:
        if (value.empty()) return refuse(given, "its value is missing");
        options_.frontend.push_back(ours + std::string(value));
        return true;
      case Action::kFrontendPair:
        if (value.empty()) return refuse(given, "its value is missing");
        options_.frontend.insert(options_.frontend.end(), {ours, std::string(value)});
        return true;
      case Action::kSwitch:
        if (value != "true" && value != "false") return refuse(given, "true or false is expected");
        if (value == option.when) options_.language.push_back(ours);
        return true;
      case Action::kArch:
        return addArch(given, value);
      case Action::kRelocatable:
        options_.relocatable = true;
        return true;
      case Action::kRelocatableSwitch:
        if (value != "true" && value != "false") return refuse(given, "true or false is expected");
        options_.relocatable = value == "true";
        return true;
      case Action::kDefaultDevice:
        options_.defaultDevice = true;
        return true;
      case Action::kNoCache:
        options_.useCache = false;
        return true;
      case Action::kRefuse:
        return refuse(given, option.ours);
    }
    return false;
  }

  bool addStandard(std::string_view given, std::string_view value) {
    static constexpr std::string_view kKnown[] = {"c++03", "c++11", "c++14", "c++17", "c++20", "c++23"};
    if (std::find(std::begin(kKnown), std::end(kKnown), value) == std::end(kKnown))
      return refuse(given, "c++03, c++11, c++14, c++17, c++20 and c++23 are known");
    options_.language.push_back("-std=" + std::string(value));
    return true;
  }

  // compute_31, sm_31 and mp_31 are the same.
  bool addArch(std::string_view given, std::string_view value) {
    static constexpr std::string_view kExpected = "mp_21, mp_22 and mp_31 are known";
    std::string_view digits = value;
    bool isName = false;
    for (const std::string_view prefix : {"compute_", "sm_", "lto_", "mp_"}) {
      if (!digits.starts_with(prefix)) continue;
      digits.remove_prefix(prefix.size());
      isName = true;
      break;
    }
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const std::string_view rest(end, static_cast<size_t>(digits.data() + digits.size() - end));
    const bool isArch = isName && error == std::errc() && (rest.empty() || rest == "a" || rest == "f");
    if (!isArch) return refuse(given, kExpected);
    const std::vector<int>& known = supportedArchs();
    if (std::find(known.begin(), known.end(), number) != known.end()) {
      options_.archs = {static_cast<uint32_t>(number) * 10};
      return true;
    }
    const bool isNvidias = isCuda_ && !value.starts_with("mp_") && number >= 20 && number <= 199;
    if (!isNvidias) return refuse(given, kExpected);
    options_.archs.clear();
    return true;
  }

  bool isCuda_;
  CompileOptions& options_;
  std::string& log_;
};

}  // namespace

const std::vector<int>& supportedArchs() {
  static const auto& archs = *new std::vector<int>{21, 22, 31};
  return archs;
}

const std::vector<int>& cudaArchs() {
  static const auto& archs = *[] {
    auto* made = new std::vector<int>;
    for (const int number : core::cudaCapabilities()) {
      if (number <= core::cudaCapability().capability.number()) made->push_back(number);
    }
    return made;
  }();
  return archs;
}

bool parseOptions(const std::vector<std::string>& given, bool isCuda, CompileOptions& options,
                  std::string& log) {
  Parser parser(isCuda, options, log);
  bool right = true;
  for (size_t i = 0; i < given.size();) {
    const int taken = parser.take(given[i], i + 1 < given.size() ? &given[i + 1] : nullptr);
    right &= taken != 0;
    i += static_cast<size_t>(std::max(taken, 1));
  }
  return right;
}

}  // namespace musashim::mtrtc
