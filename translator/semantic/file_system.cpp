#include "translator/semantic/file_system.h"

namespace musashim::translator {
namespace {

namespace vfs = llvm::vfs;
using Text = std::shared_ptr<const std::string>;

class TextFile final : public vfs::File {
 public:
  TextFile(vfs::Status status, Text text) : status_(std::move(status)), text_(std::move(text)) {}
  llvm::ErrorOr<vfs::Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t, bool,
                                                               bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(*text_, name);
  }
  std::error_code close() override { return {}; }

 private:
  vfs::Status status_;
  Text text_;
};

class PortingFileSystem final : public vfs::ProxyFileSystem {
 public:
  explicit PortingFileSystem(const SemanticRequest& request)
      : ProxyFileSystem(vfs::createPhysicalFileSystem()), request_(request) {}

  llvm::ErrorOr<vfs::Status> status(const llvm::Twine& path) override {
    auto found = ProxyFileSystem::status(path);
    if (!found) return found;
    const Text text = textOf(path, *found);
    return text ? withSize(*found, *text) : found;
  }

  llvm::ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file) return file;
    const auto found = (*file)->status();
    const Text text = found ? textOf(path, *found) : nullptr;
    if (!text) return file;
    return std::make_unique<TextFile>(withSize(*found, *text), text);
  }

 private:
  Text textOf(const llvm::Twine& path, const vfs::Status& status) const {
    return status.isRegularFile() ? request_.ported(path.str()) : nullptr;
  }

  static vfs::Status withSize(const vfs::Status& status, const std::string& text) {
    return vfs::Status::copyWithNewSize(status, text.size());
  }

  const SemanticRequest& request_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<vfs::FileSystem> portingFileSystem(const SemanticRequest& request) {
  return new PortingFileSystem(request);
}

}  // namespace musashim::translator
