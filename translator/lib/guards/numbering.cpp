// From each place that gives such a number, on over the tokens while a variable holds one: a value is
// followed from the call that gives it, or from the record's member, through assignments, to where a literal
// meets it: `cc = 10 * prop.major + prop.minor; ... if (cc >= 80)`. Where it is an argument of a function of
// this source, what that function returns, or a member's, it is followed there (number_flow.h).

#include "translator/lib/guards/numbering.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "translator/lib/guards/number_flow.h"
#include "translator/lib/names/table.h"

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
/// They have the members that mappings/guards.yml names.
constexpr std::array<std::string_view, 5> kRecords = {"cudaDeviceProp", "cudaFuncAttributes",
                                                      "cudaFuncGetAttributes", "cudaGetDeviceProperties",
                                                      "cudaGetDeviceProperties_v2"};

const Source* sourceOf(std::string_view word) {
  const auto* found = std::find_if(kSources.begin(), kSources.end(),
                                   [&](const Source& source) { return source.name == word; });
  return found == kSources.end() ? nullptr : found;
}

class Audit {
 public:
  explicit Audit(Cursor& cursor) : cursor_(cursor) {}

  void run(const std::vector<NumberUse::Place>& places) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      depth_ = places[k].depth;
      word(places[k].index);
      // Without a variable to follow, nothing matters up to the next place.
      const std::size_t end = k + 1 < places.size() ? places[k + 1].index : cursor_.tokens.size();
      for (std::size_t i = places[k].index + 1; i < end && !variables_.empty(); ++i) follow(i);
    }
    // Each gives others; what was followed once is not again.
    variables_.clear();
    for (std::size_t k = 0; k < ways_.size(); ++k) followWay(ways_[k]);
  }

 private:
  struct Variable {
    std::string_view name;
    Number number;
    std::size_t depth;  // of the braces where it got the value
  };

  /// How a value leaves its function: as an argument, as the result of a function, or in a member.
  struct Way {
    enum class Kind : std::uint8_t { Argument, Result, Member } kind;
    PassedValue value;  // of a result and a member, the name
    Number number;
    bool operator==(const Way&) const = default;
  };

  void leave(const Way& way) {
    constexpr std::size_t kMost = 256;
    if (way.value.function.empty() || ways_.size() >= kMost) return;
    if (std::find(ways_.begin(), ways_.end(), way) == ways_.end()) ways_.push_back(way);
  }

  void followWay(const Way way) {
    if (way.kind == Way::Kind::Argument) return followArgument(way);
    for (std::size_t i = 0; i < cursor_.tokens.size(); ++i) {
      if (!cursor_.isWord(i) || cursor_.bytes(i) != way.value.function) continue;
      const bool meant = way.kind == Way::Kind::Result ? cursor_.isMark(i + 1, '(')
                                                       : isMember(i) || cursor_.bytes(i).ends_with('_');
      if (meant) useAt(i, way.number);
    }
  }

  void followArgument(const Way& way) {
    for (const ReceivedValue& receiver : receiversOf(cursor_, way.value)) {
      variables_.assign(1, {receiver.parameter, way.number, 1});
      depth_ = 0;
      for (std::size_t i = receiver.begin; i < receiver.body; ++i)
        initialize(i, receiver.parameter, way.number);
      for (std::size_t i = receiver.body; i < receiver.end && !variables_.empty(); ++i) follow(i);
    }
    variables_.clear();
  }

  /// Of a constructor's list: MEMBER(parameter).
  void initialize(std::size_t i, std::string_view parameter, Number number) {
    if (!cursor_.isWord(i) || cursor_.bytes(i) != parameter) return;
    const std::size_t left = operandEdge(i, SIZE_MAX);
    if ((cursor_.isMark(left, '(') || cursor_.isMark(left, '{')) && cursor_.isWord(left - 1))
      leave({Way::Kind::Member, {cursor_.bytes(left - 1), 0}, number});
  }

  /// A use far from where the value came from: variables that get it are followed in their block.
  void useAt(std::size_t i, Number number) {
    variables_.clear();
    use(i, number);
    depth_ = 1;
    for (Variable& variable : variables_) variable.depth = depth_;
    for (std::size_t k = i + 1; k < cursor_.tokens.size() && !variables_.empty(); ++k) follow(k);
    variables_.clear();
  }

  void follow(std::size_t i) {
    const Token& token = cursor_.tokens[i];
    if (token.kind == TokenKind::Identifier) {
      if (const Variable* variable = find(cursor_.bytes(i))) use(i, variable->number);
    } else if (token.mark == '{') {
      ++depth_;
    } else if (token.mark == '}') {
      leaveBlock();
    }
  }

  void word(std::size_t i) {
    if (const Source* source = sourceOf(cursor_.bytes(i))) {
      source->attribute ? fill(i - 2, source->number) : fillArguments(i + 1, source->number);
    } else {
      use(i, Number::Capability);
    }
  }

  void leaveBlock() {
    depth_ -= depth_ > 0 ? 1 : 0;
    // It may have been declared outside of the block, but hardly outside of the function.
    std::erase_if(variables_,
                  [&](const Variable& variable) { return depth_ == 0 || depth_ + 2 < variable.depth; });
  }

  /// f(..., &NAME, ATTRIBUTE, ...): the last word of what is filled.
  void fill(std::size_t last, Number number) {
    if (!cursor_.isWord(last)) return;
    keep(cursor_.bytes(last), number);
    if (isMember(last)) leave({Way::Kind::Member, {cursor_.bytes(last), 0}, number});
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

  void use(std::size_t i, Number number) {
    const std::size_t left = operandEdge(i, SIZE_MAX), right = operandEdge(i, 1);
    const bool chosen = cursor_.isMark(left, '(') && cursor_.bytes(left - 1) == "switch";
    if (chosen || comparesRight(right, number) || comparesLeft(left, number)) {
      report(i, number, chosen ? left : right);
    } else if (cursor_.isMark(left, '=') && !isComparison(left) && cursor_.isWord(left - 1)) {
      keep(cursor_.bytes(left - 1), number);
      if (isMember(left - 1) || cursor_.bytes(left - 1).ends_with('_'))
        leave({Way::Kind::Member, {cursor_.bytes(left - 1), 0}, number});
    } else if (cursor_.bytes(left) == "return" && cursor_.isMark(right, ';')) {
      leave({Way::Kind::Result, {functionAround(cursor_, i), 0}, number});
    } else if (cursor_.isMark(right, ',') || cursor_.isMark(right, ')')) {
      if (const auto passed = passedAt(cursor_, left)) leave({Way::Kind::Argument, *passed, number});
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
    if (!reported_.insert(comparison).second) return;
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
  std::set<std::size_t> reported_;  // comparisons
  std::vector<Variable> variables_;
  std::vector<Way> ways_;
};

}  // namespace

void NumberUse::note(std::string_view name, std::size_t index, std::size_t depth) {
  static constexpr std::uint64_t kSizes = [] {
    std::uint64_t sizes = 0;  // most names are told by their lengths
    for (const Source& source : kSources) sizes |= std::uint64_t{1} << source.name.size() % 64;
    for (const std::string_view record : kRecords) sizes |= std::uint64_t{1} << record.size() % 64;
    return sizes;
  }();
  if (((kSizes >> name.size() % 64) & 1) == 0) return;
  if (sourceOf(name)) places_.push_back({index, depth, false});
  record_ = record_ || std::find(kRecords.begin(), kRecords.end(), name) != kRecords.end();
}

void NumberUse::audit(Cursor& cursor) {
  if (!record_) std::erase_if(places_, [](const Place& place) { return place.member; });
  if (!places_.empty()) Audit(cursor).run(places_);
}

}  // namespace musashim::translator
