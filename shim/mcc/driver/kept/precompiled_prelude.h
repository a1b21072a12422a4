// The prelude (mcc_prelude.h), which is half of a small source's compilation, as clang has parsed it: kept on
// disk for all commands with the same options (core/cache_folder.h), and made by the first of them. A source
// compiled behind it gives the same object. Headers that sources begin with (leading_headers.h) are kept
// for each set of them, as what is behind the prelude, and made by the second command with a set. The first
// has what is kept of a part of it.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mcc/driver/process.h"
#include "prelude_entry.h"
#include "prelude_step.h"

namespace musashim::mcc {

class PrecompiledPrelude final : public StepChanges {
 public:
  // `prelude`: its header; `plugins`: what else the result depends on; `temporary`: this mcc's own folder.
  PrecompiledPrelude(std::string prelude, std::vector<std::string> plugins, std::string temporary);

  ~PrecompiledPrelude() override;
  PrecompiledPrelude(const PrecompiledPrelude&) = delete;
  PrecompiledPrelude& operator=(const PrecompiledPrelude&) = delete;

  // A step of the compiler's, with the precompiled prelude where the header is included; or `command` as it
  // is, where that may not be the same, or there is none.
  std::vector<std::string> use(const std::vector<std::string>& command) const override;

 private:
  // Of the prelude with these headers, as the step reads them.
  PreludeEntry entryOf(const std::set<std::string>& headers, const PreludeStep& step) const;
  // The largest that was made of some of the headers of `whole`, and of nothing else.
  std::optional<PreludeEntry> largestPart(const PreludeEntry& whole, const PreludeStep& step) const;
  // The step with what was made of `entry`; nullopt: there is nothing, or it may not be the same.
  std::optional<std::vector<std::string>> useMade(const PreludeEntry& entry, const PreludeStep& step,
                                                  const std::vector<std::string>& command) const;
  // The same, of what is made now, if it was of use `mostBefore` times.
  std::optional<std::vector<std::string>> useAnew(const PreludeEntry& entry, size_t mostBefore,
                                                  const PreludeStep& step,
                                                  const std::vector<std::string>& command) const;
  // Whether it was made, and of what is still the same.
  bool isThere(const PreludeEntry& entry, const PreludeStep& step) const;
  // What the entry goes on from, and that has not changed since.
  std::optional<MadePrelude> baseOf(const MadePrelude& made, const PreludeStep& step) const;
  // The prelude alone, which is made where it is not there.
  std::optional<MadePrelude> preludeAlone(const PreludeStep& step) const;
  void make(const PreludeEntry& entry, const PreludeStep& step) const;
  // A name of the header's that nobody else removes; nullopt: it is gone.
  std::optional<std::string> held(const std::string& header) const;
  // Options by which clang finds the header of a base by its own name. Nothing when it is gone.
  std::optional<std::vector<std::string>> heldBase(const MadePrelude& base) const;
  bool cannotBeMade(const PreludeEntry& entry) const;
  std::string sdkState() const;

  std::string prelude_;
  std::vector<std::string> plugins_;
  std::string temporary_;
  std::string folder_;
  mutable std::mutex mutex_;  // steps run side by side
  mutable std::set<std::string> held_;
};

}  // namespace musashim::mcc
