#include "mtml/gmi/options.h"

#include <fmt/core.h>

#include <charconv>

namespace musashim::gmi {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

template <class Number>
bool read(const std::string& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : left_(arguments.rbegin(), arguments.rend()) {}

  Options run() {
    if (!left_.empty() && (left_.back() == "topo" || left_.back() == "mtlink" || left_.back() == "dmon")) {
      subcommand(take());
      return std::move(options_);
    }
    while (!left_.empty() && options_.error.empty()) next();
    const bool hasParts = !options_.query.parts.empty() || options_.query.json;
    if (options_.error.empty() && hasParts && options_.view != View::kQuery)
      options_.error = "-d and --json go with -q";
    return std::move(options_);
  }

 private:
  void next() {
    std::string word = take();
    // -d=POWER, --display=POWER
    if (const size_t equals = word.find('='); equals != std::string::npos) {
      left_.push_back(word.substr(equals + 1));
      word.resize(equals);
    }
    if (word == "-L" || word == "--list-gpus") return show(View::kList);
    if (word == "-q" || word == "--query") return show(View::kQuery);
    if (word == "-cf") return show(View::kDevices);
    if (word == "-v" || word == "--version") return show(View::kVersion);
    if (word == "-h" || word == "--help") return show(View::kHelp);
    if (word == "-j" || word == "--json") {
      options_.query.json = true;
    } else if (word == "-i" || word == "--id") {
      devices();
    } else if (word == "-d" || word == "--display") {
      parts();
    } else if (word == "-l" || word == "--loop") {
      loop();
    } else {
      options_.error = fmt::format("Invalid option: {}", word);
    }
  }

  void subcommand(const std::string& name) {
    const bool isMonitor = name == "dmon";
    if (isMonitor) {
      options_.view = View::kMonitor;
      options_.everySeconds = 1;
    } else if (left_.empty()) {
      options_.error = name == "topo" ? "topo takes -m, -mg, or -p2p r|w" : "mtlink takes -s or -r";
    }
    while (!left_.empty() && options_.error.empty()) {
      const std::string word = take();
      if (word == "-i" || word == "--id") {
        devices();
      } else if (isMonitor && word == "-d") {
        seconds(argument("The number of seconds after -d"));
      } else if (isMonitor && word == "-c") {
        if (!read(argument("The number of lines after -c"), options_.times) || options_.times == 0)
          options_.error = "-c takes a number of at least 1";
      } else if (name == "topo" && (word == "-m" || word == "-mg")) {
        show(word == "-m" ? View::kTopology : View::kGpuTopology);
      } else if (name == "topo" && (word == "-p2p" || word == "-p")) {
        show(View::kPeers);
        const std::string what = argument("r or w after -p2p");
        if (what != "r" && what != "w") options_.error = "-p2p takes r or w";
      } else if (name == "mtlink" && (word == "-s" || word == "-r")) {
        show(word == "-s" ? View::kLinkStates : View::kLinkPeers);
      } else {
        options_.error = fmt::format("Invalid option: {} {}", name, word);
      }
    }
  }

  void show(View view) { options_.view = view; }

  std::string take() {
    std::string word = std::move(left_.back());
    left_.pop_back();
    return word;
  }

  std::string argument(const char* what) {
    if (!left_.empty()) return take();
    options_.error = fmt::format("{} is missing", what);
    return "";
  }

  void devices() {
    const std::string text = argument("The device's number after -i");
    for (const std::string& word : split(text)) {
      unsigned int index = 0;
      if (!options_.error.empty()) return;
      if (!read(word, index)) {
        options_.error = fmt::format("Invalid device: {}", word);
        return;
      }
      options_.devices.push_back(index);
    }
  }

  void parts() {
    const std::string text = argument("What to show after -d");
    for (const std::string& word : split(text)) {
      if (!options_.error.empty()) return;
      const std::optional<Part> part = partOf(word);
      if (!part) {
        options_.error = fmt::format("Invalid display type: {} (known are {})", word, partNames());
        return;
      }
      options_.query.parts.push_back(*part);
    }
  }

  // The number may be left out: every second then.
  void loop() {
    options_.everySeconds = 1;
    double number = 0;
    if (!left_.empty() && read(left_.back(), number)) seconds(take());
  }

  void seconds(const std::string& text) {
    if (!read(text, options_.everySeconds) || !(options_.everySeconds > 0) || options_.everySeconds > 86400)
      options_.error = "Seconds are a number above 0, up to a day";
  }

  std::vector<std::string> left_;  // the next one last
  Options options_;
};

}  // namespace

Options parse(const std::vector<std::string>& arguments) { return Parser(arguments).run(); }

std::string help() {
  return "mthreads-gmi [OPTION]: the devices, what they do, and for whom\n"
         "  -L, --list-gpus          names and UUIDs\n"
         "  -q, --query              everything that is known\n"
         "    -d, --display PART,..  of it: " +
         partNames() +
         "\n"
         "    --json                 as JSON\n"
         "  -i, --id N,..            of these devices only\n"
         "  -cf                      the table without processes\n"
         "  -l, --loop [SECONDS]     again and again\n"
         "  -v, --version            the tool's version\n"
         "  -h, --help               this text\n"
         "  topo -m | -mg            how devices and network devices are connected; devices alone\n"
         "  topo -p2p r|w            which devices reach each other's memory\n"
         "  mtlink -s | -r           MTLinks: their states; what is at their other ends\n"
         "  dmon [-d SECONDS] [-c N] a line for each device, again and again, N times\n";
}

}  // namespace musashim::gmi
