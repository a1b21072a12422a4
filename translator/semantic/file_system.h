#pragma once

#include "llvm/Support/VirtualFileSystem.h"
#include "translator/semantic/interface.h"

namespace musashim::translator {

/// The disk, on which the headers that SemanticRequest::ported knows have their ported texts.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> portingFileSystem(const SemanticRequest& request);

}  // namespace musashim::translator
