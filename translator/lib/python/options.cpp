#include "translator/lib/python/options.h"

#include <set>
#include <string>
#include <vector>

#include "translator/lib/build/architecture_words.h"
#include "translator/lib/build/build_table.h"

namespace musashim::translator {
namespace {

class OptionList {
 public:
  OptionList(BuildEditor& editor, const PythonNode& list)
      : editor_(editor), list_(list), elements_(list.children()) {}

  void run() {
    for (std::size_t i = 0; i < elements_.size(); ++i) port(i);
  }

 private:
  PythonNode at(std::size_t i) const { return i < elements_.size() ? elements_[i] : PythonNode(); }

  void port(std::size_t& i) {
    const PythonNode element = at(i);
    std::size_t begin = 0, end = 0;
    if (!plainString(element, begin, end)) return;
    const std::string_view text = editor_.text().substr(begin, end - begin);
    if (!text.starts_with('-') || text.find(' ') != std::string_view::npos) return;
    const std::string_view name = text.substr(text.starts_with("--") ? 2 : 1);
    const std::size_t sign = name.find('=');
    const BuildOption* option = findOption(name);
    if (!option) option = findOption(name.substr(0, sign));
    if (!option) return;
    const bool attached = sign != std::string_view::npos;
    const std::string_view value = attached ? name.substr(sign + 1) : stringText(at(i + 1));
    switch (option->action) {
      case OptionAction::Drop:
        return remove(element);
      case OptionAction::DropValue:
        // Of many programs.
        if (name == "--threads" || name.starts_with("threads")) return;
        remove(element);
        if (!attached && at(i + 1).is("string")) remove(at(++i));
        return;
      case OptionAction::Words:
        if (!attached) return remove(element);
        if (value.find(',') == std::string_view::npos) editor_.replace(begin, end, value);
        return;
      case OptionAction::Architecture:
        return architecture(i, element, begin, end, value, attached);
      case OptionAction::Replace:
        return editor_.replace(begin, end, "-" + std::string(option->becomes));
      case OptionAction::Linker:
      case OptionAction::BesideCompiler:
        return;
      case OptionAction::Unported:
        return editor_.leave(begin, end, option->advice);
    }
  }

  void architecture(std::size_t& i, const PythonNode& element, std::size_t begin, std::size_t end,
                    std::string_view value, bool attached) {
    const auto musa = architecturesOfOption(value);
    if (!musa) return;
    if (!attached) {
      // ["-gencode", "arch=compute_80,code=sm_80"]: the value carries the new option.
      remove(element);
      const PythonNode next = at(++i);
      std::size_t from = 0, to = 0;
      if (!plainString(next, from, to)) return;
      return put(next, from, to, *musa);
    }
    put(element, begin, end, *musa);
  }

  void put(const PythonNode& element, std::size_t begin, std::size_t end, const std::vector<int>& musa) {
    std::string becomes;
    for (const int number : musa) {
      if (!written_.insert(number).second) continue;
      becomes += becomes.empty() ? "" : ",";
      becomes += "mp_" + std::to_string(number);
    }
    if (becomes.empty()) return remove(element);
    editor_.replace(begin, end, "--offload-arch=" + becomes);
  }

  /// With its comma, and the blanks behind it; what stands alone on its line leaves no empty one.
  void remove(const PythonNode& element) {
    const std::string_view text = editor_.text();
    std::size_t begin = element.begin(), end = element.end();
    while (end < list_.end() && (text[end] == ' ' || text[end] == '\t')) ++end;
    if (end < list_.end() && text[end] == ',') {
      ++end;
      while (end < list_.end() && (text[end] == ' ' || text[end] == '\t')) ++end;
      const std::size_t lineStart = text.rfind('\n', begin);
      const bool alone = lineStart != std::string_view::npos &&
                         text.substr(lineStart + 1, begin - lineStart - 1).find_first_not_of(" \t") ==
                             std::string_view::npos;
      if (alone && end < list_.end() && text[end] == '\n') begin = lineStart;
    } else {
      // The last one: the comma before it goes.
      while (begin > list_.begin() + 1 &&
             (text[begin - 1] == ' ' || text[begin - 1] == '\t' || text[begin - 1] == '\n'))
        --begin;
      if (begin > list_.begin() + 1 && text[begin - 1] == ',') {
        --begin;
      } else {
        begin = element.begin();
      }
      end = element.end();
    }
    editor_.replace(begin, end, "");
  }

  BuildEditor& editor_;
  const PythonNode& list_;
  std::vector<PythonNode> elements_;
  std::set<int> written_;
};

}  // namespace

void portOptionList(BuildEditor& editor, const PythonNode& list) { OptionList(editor, list).run(); }

}  // namespace musashim::translator
