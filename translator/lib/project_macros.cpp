#include "translator/lib/project_macros.h"

#include <functional>
#include <string>

#include "translator/lib/lex/scan.h"
#include "translator/lib/parallel.h"

namespace musashim::translator {
namespace {

/// Each thread has a share of the names, so that the macros of one name are added in their order.
template <typename Found, typename Macros>
void addKind(const std::vector<FileMacros>& files, std::vector<Found> FileMacros::* kind, unsigned threads,
             Macros& macros) {
  constexpr std::size_t kWorthThreads = 4096;
  std::size_t count = 0;
  for (const FileMacros& file : files) count += (file.*kind).size();
  const std::size_t shares = count < kWorthThreads ? 1 : threads;
  std::vector<Macros> of(shares);
  parallelFor(shares, threads, [&](std::size_t share) {
    for (const FileMacros& file : files) {
      for (const Found& one : file.*kind) {
        if (shares == 1 || std::hash<std::string>()(one.name) % shares == share) add(one, of[share]);
      }
    }
  });
  for (Macros& some : of) macros.merge(some);
}

}  // namespace

FileMacros macrosOf(std::string_view text) {
  thread_local TokenStream stream;
  const bool pastes = text.find("##") != std::string_view::npos;
  if ((!pastes && !mayDefineText(text)) || text.find('\0') != std::string_view::npos) return {};
  scan(text, stream);
  FileMacros found;
  if (pastes) found.pasting = pastingDefinesOf(text, stream.tokens);
  found.texts = textMacrosOf(text, stream.tokens);
  return found;
}

void add(const std::vector<FileMacros>& files, unsigned threads, PastingMacros& pasting, TextMacros& texts) {
  addKind(files, &FileMacros::pasting, threads, pasting);
  addKind(files, &FileMacros::texts, threads, texts);
}

}  // namespace musashim::translator
