#include "translator/lib/project_macros.h"

#include <string>

#include "translator/lib/lex/byte_masks.h"
#include "translator/lib/lex/scan.h"
#include "translator/lib/lex/word_hash.h"
#include "translator/lib/parallel.h"

namespace musashim::translator {
namespace {

/// Each thread has a share of the names, so that the macros of one name are added in their order. What is of
/// a share is sorted out first, each run of files by one thread.
template <typename Found, typename Macros>
void addKind(const std::vector<FileMacros>& files, std::vector<Found> FileMacros::* kind, unsigned threads,
             Macros& macros) {
  constexpr std::size_t kWorthThreads = 4096;
  std::size_t count = 0;
  for (const FileMacros& file : files) count += (file.*kind).size();
  if (threads == 1 || count < kWorthThreads) {
    for (const FileMacros& file : files) {
      for (const Found& one : file.*kind) add(one, macros);
    }
    return;
  }
  const std::size_t shares = threads;
  using Parts = std::vector<std::vector<const Found*>>;  // by share
  std::vector<Parts> sorted(shares, Parts(shares));
  parallelFor(shares, threads, [&](std::size_t run) {
    const std::size_t end = files.size() * (run + 1) / shares;
    for (std::size_t i = files.size() * run / shares; i < end; ++i) {
      for (const Found& one : files[i].*kind) sorted[run][wordHash(one.name) % shares].push_back(&one);
    }
  });
  std::vector<Macros> of(shares);
  parallelFor(shares, threads, [&](std::size_t share) {
    for (const Parts& parts : sorted) {
      for (const Found* const one : parts[share]) add(*one, of[share]);
    }
  });
  for (Macros& some : of) macros.merge(some);
}

bool mayPaste(std::string_view text) { return findBytes(text, '#', '#') != std::string_view::npos; }

}  // namespace

FileMacros macrosOf(std::string_view text) {
  thread_local TokenStream stream;
  if ((!mayPaste(text) && !mayDefineText(text)) || text.find('\0') != std::string_view::npos) return {};
  scan(text, stream);
  return macrosOf(text, stream.tokens);
}

FileMacros macrosOf(std::string_view text, const TokenList& tokens) {
  FileMacros found;
  if (mayPaste(text)) found.pasting = pastingDefinesOf(text, tokens);
  if (mayDefineText(text)) found.texts = textMacrosOf(text, tokens);
  return found;
}

void add(const std::vector<FileMacros>& files, unsigned threads, PastingMacros& pasting, TextMacros& texts) {
  addKind(files, &FileMacros::pasting, threads, pasting);
  addKind(files, &FileMacros::texts, threads, texts);
}

}  // namespace musashim::translator
