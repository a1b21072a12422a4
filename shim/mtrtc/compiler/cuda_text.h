// The user's texts as clang is to read them: CUDA's are ported on the way, by musaport's pipeline.
#pragma once

#include <string>

#include "compiler.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace musashim::mtrtc {

class UserFiles {
 public:
  explicit UserFiles(const CompileRequest& request) : request_(request) {}

  // Behind a line that says that the first one follows.
  std::string text(const SourceText& source) const;

  // The disk's files, with those in the folders that the program names for includes ported.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem() const;

 private:
  const CompileRequest& request_;
};

}  // namespace musashim::mtrtc
