// One pass over the tokens. A value is followed from the call that gives it, or from the record's member,
// through assignments, to where a literal meets it: `cc = 10 * prop.major + prop.minor; ... if (cc >= 80)`.

#include "translator/lib/numbering.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "translator/lib/table.h"

namespace musashim::translator {
namespace {

enum class Number : std::uint8_t { Capability, Version };

struct Source {
  std::string_view name;
  Number number;
  bool attribute;  // given to a function that fills what stands before it; else the function itself
};

constexpr std::array<Source, 8> kSources = {{
    {"cudaDevAttrComputeCapabilityMajor", Number::Capability, true},
    {"cudaDevAttrComputeCapabilityMinor", Number::Capability, true},
    {"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR", Number::Capability, true},
    {"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR", Number::Capability, true},
    {"cuDeviceComputeCapability", Number::Capability, false},
    {"cudaRuntimeGetVersion", Number::Version, false},
    {"cudaDriverGetVersion", Number::Version, false},
    {"cuDriverGetVersion", Number::Version, false},
}};
/// Their records have the members `major` and `minor`.
constexpr std::array<std::string_view, 3> kRecords = {"cudaDeviceProp", "cudaGetDeviceProperties",
                                                      "cudaGetDeviceProperties_v2"};

const Source* sourceOf(std::string_view word) {
  const auto* found = std::find_if(kSources.begin(), kSources.end(),
                                   [&](const Source& source) { return source.name == word; });
  return found == kSources.end() ? nullptr : found;
}

class Audit {
 public:
  explicit Audit(Cursor& cursor) : cursor_(cursor) {}

  void run() {
    for (std::size_t i = 0; i < cursor_.tokens.size(); ++i) {
      if (cursor_.isMark(i, '{')) ++depth_;
      if (cursor_.isMark(i, '}')) leaveBlock();
      if (!cursor_.isWord(i)) continue;
      if (const Source* source = sourceOf(cursor_.bytes(i))) {
        source->attribute ? fill(i - 2, source->number) : fillArguments(i + 1, source->number);
      } else if (const auto number = numberAt(i)) {
        use(i, *number);
      }
    }
  }

 private:
  struct Variable {
    std::string_view name;
    Number number;
    std::size_t depth;  // of the braces where it got the value
  };

  void leaveBlock() {
    depth_ -= depth_ > 0 ? 1 : 0;
    // It may have been declared outside of the block, but hardly outside of the function.
    std::erase_if(variables_,
                  [&](const Variable& variable) { return depth_ == 0 || depth_ + 2 < variable.depth; });
  }

  /// f(..., &NAME, ATTRIBUTE, ...): the last word of what is filled.
  void fill(std::size_t last, Number number) {
    if (cursor_.isWord(last)) keep(cursor_.bytes(last), number);
  }

  /// f(&NAME, &NAME): all whose addresses are given.
  void fillArguments(std::size_t open, Number number) {
    if (!cursor_.isMark(open, '(')) return;
    for (std::size_t i = open + 1; i < cursor_.tokens.size() && !cursor_.isMark(i, ')'); ++i) {
      const bool ends = cursor_.isMark(i + 1, ',') || cursor_.isMark(i + 1, ')');
      if (ends && cursor_.isMark(i - 1, '&')) fill(i, number);
    }
  }

  void keep(std::string_view name, Number number) {
    if (!find(name)) variables_.push_back({name, number, depth_});
  }

  const Variable* find(std::string_view name) const {
    const auto found = std::find_if(variables_.begin(), variables_.end(),
                                    [&](const Variable& variable) { return variable.name == name; });
    return found == variables_.end() ? nullptr : &*found;
  }

  bool isMember(std::size_t i) const {
    return cursor_.isMark(i - 1, '.') || cursor_.isMark(i - 1, mark::kArrow);
  }

  /// What the word stands for.
  std::optional<Number> numberAt(std::size_t i) const {
    const std::string_view word = cursor_.bytes(i);
    if (isMember(i) && (word == "major" || word == "minor")) return Number::Capability;
    const Variable* variable = find(word);
    return variable ? std::optional(variable->number) : std::nullopt;
  }

  void use(std::size_t i, Number number) {
    const std::size_t left = operandEdge(i, SIZE_MAX), right = operandEdge(i, 1);
    const bool chosen = cursor_.isMark(left, '(') && cursor_.bytes(left - 1) == "switch";
    if (chosen || comparesRight(right, number) || comparesLeft(left, number)) {
      report(i, number, chosen ? left : right);
    } else if (cursor_.isMark(left, '=') && !isComparison(left) && cursor_.isWord(left - 1)) {
      keep(cursor_.bytes(left - 1), number);
    }
  }

  /// The first token to one side that belongs to no sum or product around token `i`; a call's bracket ends
  /// it.
  std::size_t operandEdge(std::size_t i, std::size_t step) const {
    constexpr std::size_t kLongest = 64;
    const bool right = step == 1;
    int brackets = 0;
    for (std::size_t count = 0; count < kLongest; ++count) {
      i += step;
      const Token& token = cursor_.at(i);
      if (token.kind == TokenKind::Number || token.kind == TokenKind::Identifier) {
        if (!right && cursor_.bytes(i) == "return") return i;
        continue;
      }
      if (token.kind != TokenKind::Punctuator) return i;
      if (token.mark == (right ? '(' : ')')) {
        ++brackets;
      } else if (token.mark == (right ? ')' : '(')) {
        if (brackets == 0 && endsGroup(i, right)) return i;
        brackets -= brackets > 0 ? 1 : 0;
      } else if (brackets == 0 && kOperators.find(token.mark) == std::string_view::npos) {
        return i;
      }
    }
    return i;
  }

  /// Does the unmatched bracket belong to a call or a statement, rather than to a group of an expression?
  bool endsGroup(std::size_t i, bool right) const {
    if (!right) return cursor_.isWord(i - 1);
    int depth = 0;
    do {
      if (cursor_.isMark(i, ')')) ++depth;
      if (cursor_.isMark(i, '(')) --depth;
    } while (depth > 0 && i-- > 0);
    return cursor_.isWord(i - 1);
  }

  bool isComparison(std::size_t i) const {
    if (cursor_.isMark(i, '<') || cursor_.isMark(i, '>')) return true;
    // == != <= >=
    static constexpr std::string_view kBefore = "=!<>";
    const bool second = cursor_.isMark(i, '=') && cursor_.at(i - 1).kind == TokenKind::Punctuator &&
                        kBefore.find(cursor_.at(i - 1).mark) != std::string_view::npos;
    const bool first = cursor_.isMark(i + 1, '=') && (cursor_.isMark(i, '=') || cursor_.isMark(i, '!'));
    return second || first;
  }

  bool comparesRight(std::size_t i, Number number) const {
    if (!isComparison(i)) return false;
    i += cursor_.isMark(i + 1, '=') ? 2 : 1;
    while (cursor_.isMark(i, '(')) ++i;
    return isLiteral(i, number);
  }

  bool comparesLeft(std::size_t i, Number number) const {
    if (!isComparison(i)) return false;
    const bool two = cursor_.isMark(i, '=') && cursor_.at(i - 1).kind == TokenKind::Punctuator;
    i -= two ? 2 : 1;
    while (cursor_.isMark(i, ')')) --i;
    return isLiteral(i, number);
  }

  /// A number that tells devices or versions apart: 0 and 1 only ask whether there is one.
  bool isLiteral(std::size_t i, Number number) const {
    if (cursor_.at(i).kind != TokenKind::Number) return false;
    const std::string_view text = cursor_.bytes(i);
    long value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return number == Number::Version ? value >= 1000 : value > 1 && value < 2000;
  }

  /// Once for each comparison.
  void report(std::size_t i, Number number, std::size_t comparison) {
    if (std::exchange(last_, comparison) == comparison) return;
    std::size_t first = i;
    while (first >= 2 && isMember(first) && cursor_.isWord(first - 2)) first -= 2;
    const Token place{cursor_.at(first).begin, cursor_.at(i).end, TokenKind::Identifier, 0, false};
    const bool capability = number == Number::Capability;
    cursor_.report(FindingKind::Audit, place, bytesOf(place, cursor_.text),
                   capability ? "capability" : "version", capability ? guardCapability() : guardRunning());
  }

  static constexpr std::string_view kOperators = ".A+-*/%S";

  Cursor& cursor_;
  std::size_t depth_ = 0;
  std::size_t last_ = SIZE_MAX;
  std::vector<Variable> variables_;
};

}  // namespace

bool asksForNumbers(std::string_view name) {
  static constexpr std::uint64_t kSizes = [] {
    std::uint64_t sizes = 0;
    for (const Source& source : kSources) sizes |= std::uint64_t{1} << source.name.size();
    for (const std::string_view record : kRecords) sizes |= std::uint64_t{1} << record.size();
    return sizes;
  }();
  if (name.size() > 63 || !((kSizes >> name.size()) & 1)) return false;
  return sourceOf(name) || std::find(kRecords.begin(), kRecords.end(), name) != kRecords.end();
}

void auditNumbers(Cursor& cursor) { Audit(cursor).run(); }

}  // namespace musashim::translator
