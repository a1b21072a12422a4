// The prelude (mcc_prelude.h), which is half of a small source's compilation, as clang has parsed it: kept on
// disk for all commands with the same options (core/cache_folder.h), and made by the second of them. A source
// compiled behind it gives the same object. Headers that sources begin with (leading_headers.h) are kept with
// it, for each set of them; the first sources with a set have what is kept of a part of it.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mcc/driver/process.h"
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
  struct Entry;
  // The step with what `entry` keeps; nullopt: there is nothing, or it may not be the same.
  std::optional<std::vector<std::string>> useMade(const Entry& entry, const PreludeStep& step,
                                                  const std::vector<std::string>& command) const;
  // The same, of what is made now, if it was of use more often than `mostBefore` times.
  std::optional<std::vector<std::string>> useAnew(const Entry& entry, size_t mostBefore,
                                                  const PreludeStep& step,
                                                  const std::vector<std::string>& command) const;
  // What is kept of some of the headers of `whole`, and nothing else.
  std::optional<Entry> largestPart(const Entry& whole, const PreludeStep& step) const;
  // The names by which the header's files are included; nothing when it is not there, or what it was made of
  // has changed.
  std::optional<std::set<std::string>> namesOf(const Entry& entry) const;
  void make(const PreludeStep& step, const Entry& entry) const;
  // A name of the header's that nobody else removes; nullopt: it is gone.
  std::optional<std::string> held(const Entry& entry) const;
  std::string sdkState() const;

  std::string prelude_;
  std::vector<std::string> plugins_;
  std::string temporary_;
  std::string folder_;
  mutable std::mutex mutex_;  // steps run side by side
  mutable std::set<std::string> held_;
};

}  // namespace musashim::mcc
