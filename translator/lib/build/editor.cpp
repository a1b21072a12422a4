#include "translator/lib/build/editor.h"

#include <utility>

#include "translator/lib/port.h"

namespace musashim::translator {
namespace {

constexpr std::string_view kLibrary = "build";  // what these changes are counted under

}  // namespace

void BuildEditor::replace(std::size_t begin, std::size_t end, std::string_view by, FindingKind kind) {
  const std::string_view before = text_.substr(begin, end - begin);
  if (before == by) return;
  const auto from = static_cast<std::uint32_t>(begin), to = static_cast<std::uint32_t>(end);
  out_.edits.push_back({from, to, EditText(by)});
  count(out_, kLibrary);
  if (!options_.countOnly) out_.findings.push_back({kind, from, to, std::string(before), kLibrary, {}, {}});
}

void BuildEditor::insert(std::size_t at, std::string_view text) {
  const auto place = static_cast<std::uint32_t>(at);
  out_.edits.push_back({place, place, EditText(text)});
  count(out_, kLibrary);
}

void BuildEditor::leave(std::size_t begin, std::size_t end, const Advice& advice) {
  out_.findings.push_back({FindingKind::Unported, static_cast<std::uint32_t>(begin),
                           static_cast<std::uint32_t>(end), std::string(text_.substr(begin, end - begin)),
                           kLibrary, std::string(advice.reason), std::string(advice.remedy)});
}

void BuildEditor::note(std::size_t begin, std::size_t end, std::string reason, std::string remedy) {
  out_.findings.push_back({FindingKind::Note, static_cast<std::uint32_t>(begin),
                           static_cast<std::uint32_t>(end), std::string(text_.substr(begin, end - begin)),
                           kLibrary, std::move(reason), std::move(remedy)});
}

void BuildEditor::portSource(std::size_t begin, std::size_t end) {
  Match inner = findEdits(text_.substr(begin, end - begin), options_, project_);
  const auto shift = static_cast<std::uint32_t>(begin);
  for (Edit& edit : inner.edits) {
    out_.edits.push_back({edit.begin + shift, edit.end + shift, std::move(edit.text)});
  }
  for (Finding& finding : inner.findings) {
    finding.begin += shift;
    finding.end += shift;
    out_.findings.push_back(std::move(finding));
  }
  for (const auto& [subject, number] : inner.counts) count(out_, subject, number);
}

}  // namespace musashim::translator
