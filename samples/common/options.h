// Command lines of the samples: "--name=value" and "--name value"; sizes take
// K, M and G (powers of 1024). An unknown option ends the program with status 2.
#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

class Options {
 public:
  // `summary` is what --help prints first.
  Options(int argc, char** argv, const char* summary)
      : program_(argv[0]),
        summary_(summary),
        arguments_(argv + 1, argv + argc),
        used_(arguments_.size(), false) {}

  // A number with an optional suffix; at least `least`.
  long long size(const char* name, long long byDefault, const char* help, long long least = 1) {
    help_ += describe(name, "N", help, std::to_string(byDefault));
    const char* text = take(name);
    if (text == nullptr) return byDefault;
    errno = 0;
    char* end = nullptr;
    long long value = strtoll(text, &end, 10);
    long long unit = 1;
    if (*end != '\0' && end != text && end[1] == '\0') {
      switch (*end++) {
        case 'k':
        case 'K':
          unit = 1ll << 10;
          break;
        case 'm':
        case 'M':
          unit = 1ll << 20;
          break;
        case 'g':
        case 'G':
          unit = 1ll << 30;
          break;
        default:
          --end;
      }
    }
    const bool tooLarge = value > (1ll << 62) / unit;
    if (end == text || *end != '\0' || errno != 0 || tooLarge || value * unit < least) {
      fail(std::string(name) + ": '" + text + "' is no number of at least " + std::to_string(least));
    }
    return value * unit;
  }

  bool flag(const char* name, const char* help) {
    help_ += describe(name, nullptr, help, "");
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!used_[i] && arguments_[i] == std::string(name)) return used_[i] = true;
    }
    return false;
  }

  // Call once, after all questions: answers --help, refuses what nobody asked for.
  void finish() {
    if (flag("--help", "show this text") || flag("-h", "the same")) {
      printf("%s\n\nUsage: %s [options]\n%s", summary_, program_, help_.c_str());
      exit(EXIT_SUCCESS);
    }
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!used_[i]) fail("unknown option '" + std::string(arguments_[i]) + "'");
    }
  }

 private:
  const char* take(const char* name) {
    const size_t length = strlen(name);
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (used_[i] || strncmp(arguments_[i], name, length) != 0) continue;
      if (arguments_[i][length] == '=') {
        used_[i] = true;
        return arguments_[i] + length + 1;
      }
      if (arguments_[i][length] == '\0') {
        if (i + 1 == arguments_.size()) fail(std::string(name) + " needs a value");
        used_[i] = used_[i + 1] = true;
        return arguments_[i + 1];
      }
    }
    return nullptr;
  }

  static std::string describe(const char* name, const char* value, const char* help,
                              const std::string& byDefault) {
    std::string text =
        std::string("  ") + name + (value != nullptr ? std::string(" ") + value : std::string());
    text.resize(text.size() < 20 ? 20 : text.size() + 1, ' ');
    text += help;
    if (!byDefault.empty()) text += " (default " + byDefault + ")";
    return text + "\n";
  }

  [[noreturn]] void fail(const std::string& why) const {
    fprintf(stderr, "%s: %s; see --help\n", program_, why.c_str());
    exit(2);
  }

  const char* program_;
  const char* summary_;
  std::vector<char*> arguments_;
  std::vector<bool> used_;
  std::string help_;
};
