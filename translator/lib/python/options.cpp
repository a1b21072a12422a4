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

/// The string that a statement appends to a list, and the list's name: flags.append("-gencode").
struct Appended {
  std::string_view list;
  PythonNode string;
};

Appended appendedBy(const PythonNode& statement, std::string_view text) {
  const PythonNode call = statement.child(0);
  const PythonNode function = call.field("function");
  if (!statement.is("expression_statement") || !call.is("call") || !function.is("attribute")) return {};
  const PythonNode arguments = call.field("arguments");
  if (function.field("attribute").text() != "append" || arguments.children().size() != 1) return {};
  const PythonNode list = function.field("object");
  return {text.substr(list.begin(), list.end() - list.begin()), arguments.child(0)};
}

}  // namespace

void portOptionList(BuildEditor& editor, const PythonNode& list) { OptionList(editor, list).run(); }

void portAppendedOptions(BuildEditor& editor, const PythonNode& block) {
  const std::string_view text = editor.text();
  const auto statements = block.children();
  for (std::size_t i = 0; i + 1 < statements.size(); ++i) {
    const Appended option = appendedBy(statements[i], text), value = appendedBy(statements[i + 1], text);
    std::size_t begin = 0, end = 0, from = 0, to = 0;
    if (option.list.empty() || option.list != value.list || !plainString(option.string, begin, end) ||
        !plainString(value.string, from, to))
      continue;
    const std::string_view name = text.substr(begin, end - begin);
    if (name != "-gencode" && name != "--generate-code") continue;
    const auto musa = architecturesOfOption(text.substr(from, to - from));
    if (!musa || musa->empty()) continue;
    std::string becomes;
    for (const int number : *musa) becomes += (becomes.empty() ? "mp_" : ",mp_") + std::to_string(number);
    editor.replace(begin, end, "--offload-arch=" + becomes);
    // The second statement goes with its line.
    const std::size_t line = text.rfind('\n', statements[i + 1].begin());
    editor.replace(line == std::string_view::npos ? statements[i + 1].begin() : line, statements[i + 1].end(),
                   "");
    ++i;
  }
}

void noteVersionCommand(BuildEditor& editor, const PythonNode& list) {
  bool asks = false, compiler = false;
  for (const PythonNode& element : list.children()) {
    const std::string_view text = editor.text().substr(element.begin(), element.end() - element.begin());
    asks = asks || text == "\"-V\"" || text == "'-V'" || text == "\"--version\"" || text == "'--version'";
    compiler = compiler || text.ends_with("nvcc\"") || text.ends_with("nvcc'");
  }
  if (!asks || !compiler || editor.text().find("release") == std::string_view::npos) return;
  editor.note(list.begin(), list.end(),
              "what 'nvcc --version' prints is read here; mcc prints another text, 'mcc version N.N'",
              "take torch.version.musa, or set the version by hand to what the build is to do for MUSA");
}

}  // namespace musashim::translator
