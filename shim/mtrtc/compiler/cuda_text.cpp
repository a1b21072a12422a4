#include "cuda_text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "translator/lib/port.h"

namespace musashim::mtrtc {
namespace {

namespace vfs = llvm::vfs;
using llvm::StringRef;

bool isInclude(StringRef line) {
  line = line.ltrim();
  return line.consume_front("#") && line.ltrim().starts_with("include");
}

// What an include names; empty where a macro does.
StringRef includedName(StringRef line) {
  const size_t begin = line.find_first_of("\"<");
  if (begin == StringRef::npos) return {};
  return line.drop_front(begin + 1).take_until([](char letter) { return letter == '"' || letter == '>'; });
}

// musaport gives the project's headers other names, which nobody has here. It keeps lines where they are,
// behind those that it puts at the beginning.
std::string ported(const std::string& text, llvm::function_ref<bool(StringRef)> isUsers) {
  translator::PortOptions options;
  options.lexicon = &translator::Lexicon::cudaFace();
  const std::string result = translator::portSource(text, options, translator::noProject()).text;
  llvm::SmallVector<StringRef, 0> before, after;
  StringRef(text).split(before, '\n');
  StringRef(result).split(after, '\n');
  if (after.size() < before.size()) return result;
  const size_t added = after.size() - before.size();
  std::string lines;
  for (size_t i = 0; i < after.size(); ++i) {
    if (i == added && added > 0) lines += "#line 1\n";
    const bool keep = i >= added && isInclude(before[i - added]) && isUsers(includedName(before[i - added]));
    lines += keep ? before[i - added] : after[i];
    if (i + 1 < after.size()) lines += '\n';
  }
  return lines;
}

// Folders of -I, -iquote and -isystem, but of no CUDA SDK, whose headers have counterparts here.
std::vector<std::string> foldersOf(const CompileRequest& request) {
  std::vector<std::string> folders{llvm::sys::path::parent_path(request.source.name).str()};
  if (folders.front().empty()) folders.front() = ".";
  for (size_t i = 0; i < request.frontend.size(); ++i) {
    StringRef option = request.frontend[i];
    const bool isPair = (option == "-isystem" || option == "-iquote") && i + 1 < request.frontend.size();
    if (isPair) folders.push_back(request.frontend[++i]);
    if (!isPair && option.consume_front("-I")) folders.push_back(option.str());
  }
  llvm::erase_if(folders, [](const std::string& folder) {
    return folder != "." && (llvm::sys::fs::exists(folder + "/cuda_runtime.h") || folder == "/usr/include");
  });
  return folders;
}

class TextFile final : public vfs::File {
 public:
  TextFile(vfs::Status status, std::string text) : status_(std::move(status)), text_(std::move(text)) {}
  llvm::ErrorOr<vfs::Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t, bool,
                                                               bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(text_, name);
  }
  std::error_code close() override { return {}; }

 private:
  vfs::Status status_;
  std::string text_;
};

class PortingFileSystem final : public vfs::ProxyFileSystem {
 public:
  explicit PortingFileSystem(const CompileRequest& request)
      : ProxyFileSystem(vfs::getRealFileSystem()), request_(request), folders_(foldersOf(request)) {}

  llvm::ErrorOr<vfs::Status> status(const llvm::Twine& path) override {
    auto found = ProxyFileSystem::status(path);
    if (!found || !found->isRegularFile() || !isUsers(path.str())) return found;
    auto file = openFileForRead(path);
    return file ? (*file)->status() : found;
  }

  llvm::ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file || !isUsers(path.str())) return file;
    auto buffer = (*file)->getBuffer(path);
    const auto status = (*file)->status();
    if (!buffer || !status) return file;
    std::string text =
        ported((*buffer)->getBuffer().str(), [this](StringRef name) { return isHeader(name); });
    const vfs::Status withSize = vfs::Status::copyWithNewSize(*status, text.size());
    return std::make_unique<TextFile>(withSize, std::move(text));
  }

  bool isHeader(StringRef name) const {
    for (const SourceText& header : request_.headers) {
      if (name == header.name) return true;
    }
    for (const std::string& folder : folders_) {
      llvm::SmallString<256> path(folder);
      llvm::sys::path::append(path, name);
      if (!name.empty() && llvm::sys::fs::exists(path)) return true;
    }
    return false;
  }

 private:
  bool isUsers(StringRef path) const {
    for (const std::string& folder : folders_) {
      StringRef rest = path;
      if (rest.consume_front(folder) && rest.starts_with("/")) return true;
    }
    return !llvm::sys::path::is_absolute(path);
  }

  const CompileRequest& request_;
  std::vector<std::string> folders_;
};

}  // namespace

std::string UserFiles::text(const SourceText& source) const {
  if (!request_.isCuda) return source.text;
  const PortingFileSystem files(request_);
  return ported(source.text, [&](StringRef name) { return files.isHeader(name); });
}

llvm::IntrusiveRefCntPtr<vfs::FileSystem> UserFiles::fileSystem() const {
  if (!request_.isCuda) return vfs::getRealFileSystem();
  return new PortingFileSystem(request_);
}

}  // namespace musashim::mtrtc
