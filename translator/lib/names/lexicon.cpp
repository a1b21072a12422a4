#include "translator/lib/names/lexicon.h"

namespace musashim::translator {
namespace {

constexpr std::string_view kUserRules = "rules";

}  // namespace

void addFaceRules(RuleSet& rules) {
  for (const std::string_view name : faceNames())
    rules.names[std::string(name)] = {UserRule::Kind::Keep, {}, std::string(faceReason()), {}};
  // Its libraries count as CUDA's do, so that comparisons with their versions are right.
  visitNames(
      [](const KnownName& name, void* context) {
        if (name.kind != NameKind::LibraryVersion || name.target.empty()) return;
        static_cast<RuleSet*>(context)->names[std::string(name.name)] = {
            UserRule::Kind::Rename, std::string(name.target), {}, {}};
      },
      &rules);
}

Lexicon::Lexicon(Direction direction, const RuleSet* rules)
    : direction_(direction),
      rules_(rules),
      plain_(direction == Direction::ToMusa && !rules),
      filter_(direction == Direction::ToMusa ? kNameFilter : kTargetFilter) {
  if (!toMusa()) {
    visitNames(
        [](const KnownName& name, void* context) {
          auto& self = *static_cast<Lexicon*>(context);
          if (name.kind == NameKind::Assembly || name.kind == NameKind::HasInclude) {
            self.others_.emplace(name.name, name);
            self.filter_.allow(name.name);
          } else if (!name.target.empty() && (name.kind == NameKind::Word || name.kind == NameKind::Symbol ||
                                              name.kind == NameKind::Namespace)) {
            self.others_.emplace(name.target, KnownName{name.target, name.name, name.library, name.kind, {}});
            self.filter_.allow(name.target);
          } else if (name.kind == NameKind::Version || name.kind == NameKind::LibraryVersion) {
            // It stands in a comment beside the 0 that took its place.
            self.others_.emplace(name.name, KnownName{name.name, {}, name.library, NameKind::Keep, {}});
            self.filter_.allow(name.name);
          }
        },
        this);
  }
  for (const NameFamily& family : nameFamilies()) allowPrefix(toMusa() ? family.prefix : family.becomes);
  if (rules_) takeRules();
  WordFilter words = filter_;
  if (toMusa()) words.allow(kTargetFilter);
  wordFinder_ = WordFinder(words);
  for (const std::string_view keyword : {"namespace", "class", "struct", "union", "enum"})
    words.allow(keyword);
  stops_ = WordFinder(words);
}

void Lexicon::allowPrefix(std::string_view prefix) {
  filter_.allowPrefix(prefix);
  familyFilter_.allowPrefix(prefix);
}

void Lexicon::takeRules() {
  for (const auto& [from, rule] : rules_->names) {
    const bool renames = rule.kind == UserRule::Kind::Rename;
    if (!toMusa() && !renames) continue;
    const std::string_view name = toMusa() ? from : rule.target;
    const NameKind kind = renames                                 ? NameKind::Rename
                          : rule.kind == UserRule::Kind::Unported ? NameKind::Unported
                                                                  : NameKind::Keep;
    fromRules_[name] = {name, toMusa() ? rule.target : from, kUserRules, kind, {rule.reason, rule.remedy}};
    filter_.allow(name);
  }
  for (const auto& [from, to] : rules_->prefixes) allowPrefix(toMusa() ? from : to);
  for (const auto& [from, to] : rules_->headers) headers_[toMusa() ? from : to] = toMusa() ? to : from;
}

const Lexicon& Lexicon::standard() {
  static const Lexicon lexicon(Direction::ToMusa, nullptr);
  return lexicon;
}

const Lexicon& Lexicon::cudaFace() {
  static const RuleSet rules = [] {
    RuleSet made;
    addFaceRules(made);
    return made;
  }();
  static const Lexicon lexicon(Direction::ToMusa, &rules);
  return lexicon;
}

bool Lexicon::findInRules(std::string_view name, KnownName& found) const {
  if (const auto rule = fromRules_.find(name); rule != fromRules_.end()) {
    found = rule->second;
    return true;
  }
  return false;
}

bool Lexicon::findInFamilies(std::string_view name, KnownName& found) const {
  if (!familyFilter_.mayHold(name)) return false;
  // A few at a time are alive: a name and the one that qualifies it.
  thread_local std::array<std::string, 4> targets;
  thread_local std::size_t next = 0;
  const auto take = [&](std::string_view prefix, std::string_view becomes, std::string_view library) {
    if (name.size() <= prefix.size() || !name.starts_with(prefix)) return false;
    std::string& target = targets[next++ % targets.size()];
    target.assign(becomes).append(name.substr(prefix.size()));
    found = {name, target, library, NameKind::Rename, {}};
    return true;
  };
  if (rules_) {
    for (const auto& [from, to] : rules_->prefixes) {
      if (take(toMusa() ? from : to, toMusa() ? to : from, kUserRules)) return true;
    }
  }
  for (const NameFamily& family : nameFamilies()) {
    if (take(toMusa() ? family.prefix : family.becomes, toMusa() ? family.becomes : family.prefix,
             family.library))
      return true;
  }
  return false;
}

bool Lexicon::findSlowly(std::string_view name, KnownName& found) const {
  if (rules_ && findInRules(name, found)) return true;
  if (!plain_) {
    if (toMusa() ? findName(name, found) : findTarget(name, found)) return true;
    if (const auto other = others_.find(name); other != others_.end()) {
      found = other->second;
      return true;
    }
  }
  return findInFamilies(name, found);
}

std::string_view Lexicon::mapHeader(std::string_view header, std::string& scratch) const {
  if (!headers_.empty()) {
    for (std::string_view end = header;;) {
      if (const auto rule = headers_.find(end); rule != headers_.end()) {
        scratch = std::string(header.substr(0, header.size() - end.size())) + std::string(rule->second);
        return scratch;
      }
      const std::size_t slash = end.find('/');
      if (slash == std::string_view::npos) break;
      end.remove_prefix(slash + 1);
    }
  }
  return toMusa() ? translator::mapHeader(header, scratch) : unmapHeader(header, scratch);
}

void Lexicon::visitTexts(const std::function<void(std::string_view)>& visit) const {
  for (const TextPair& header : headerNames()) visit(toMusa() ? header.left : header.right);
  // A rule for a header also meets it below a folder, whose name is not known here.
  for (const auto& [from, to] : headers_) {
    visit(from);
    if (const std::size_t slash = from.rfind('/'); slash != std::string_view::npos)
      visit(from.substr(slash + 1));
  }
  for (const TextPair& text : symbolTexts()) visit(toMusa() ? text.left : text.right);
  if (!toMusa()) return;
  for (const std::string_view header : unportedHeaders()) visit(header);
}

std::string Lexicon::mapBeginning(std::string_view beginning) const {
  struct Search {
    std::string_view beginning;
    bool toMusa;
    std::string found;
    bool differ = false;
  } search{beginning, toMusa(), {}};
  if (mayBeginNames(beginning))
    visitNames(
        [](const KnownName& name, void* context) {
          auto& self = *static_cast<Search*>(context);
          const std::string_view from = self.toMusa ? name.name : name.target;
          const std::string_view to = self.toMusa ? name.target : name.name;
          if (name.kind != NameKind::Rename || from.size() <= self.beginning.size() ||
              !from.starts_with(self.beginning))
            return;
          // Where the rest changes, too, no half of it could be right.
          const std::string_view rest = from.substr(self.beginning.size());
          if (!to.ends_with(rest)) return;
          const std::string_view head = to.substr(0, to.size() - rest.size());
          self.differ = self.differ || (!self.found.empty() && self.found != head);
          self.found = head;
        },
        &search);
  if (search.differ || !search.found.empty()) return search.differ ? std::string() : search.found;
  // All that begins so is of a family: `nvshmem_##type##_put`, and `nvshmem##x##_put`, whose rest is a letter
  // at most and the underscore.
  constexpr std::size_t kMostRest = 2;
  for (const NameFamily& family : nameFamilies()) {
    const std::string_view from = toMusa() ? family.prefix : family.becomes;
    const std::string_view to = toMusa() ? family.becomes : family.prefix;
    if (beginning.starts_with(from)) return std::string(to).append(beginning.substr(from.size()));
    if (!from.starts_with(beginning) || from.size() - beginning.size() > kMostRest) continue;
    const std::string_view rest = from.substr(beginning.size());
    if (to.ends_with(rest)) return std::string(to.substr(0, to.size() - rest.size()));
  }
  return {};
}

const Advice* Lexicon::unportedHeader(std::string_view header) const {
  return toMusa() ? translator::unportedHeader(header) : nullptr;
}

GuardLevel Lexicon::mapAtLeast(GuardKind kind, long number) const {
  return toMusa() ? translator::mapAtLeast(kind, number) : unmapAtLeast(kind, number);
}

}  // namespace musashim::translator
