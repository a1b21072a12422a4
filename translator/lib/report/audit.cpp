#include "translator/lib/report/audit.h"

#include <array>

#include "translator/lib/lex/scan.h"

namespace musashim::translator {
namespace {

struct Idiom {
  std::string_view word;
  std::string_view kind;
  std::string_view reason;
  std::string_view remedy;
};

constexpr std::string_view kTorch =
    "PyTorch on MUSA is the backend PrivateUse1, so this asks for another device";

// Source of the replacements: torch_musa's developer guide and cuda_porting.py.
constexpr std::array<Idiom, 12> kIdioms = {{
    {"is_cuda", "pytorch", kTorch, "write is_privateuseone()"},
    {"kCUDA", "pytorch", kTorch, "write kPrivateUse1"},
    {"CUDAGuard", "pytorch", "it is PyTorch's for CUDA", "use torch_musa/csrc/core/MUSAGuard.h"},
    {"OptionalCUDAGuard", "pytorch", "it is PyTorch's for CUDA", "use torch_musa/csrc/core/MUSAGuard.h"},
    {"CUDAStream", "pytorch", "it is PyTorch's for CUDA", "use torch_musa/csrc/core/MUSAStream.h"},
    {"getCurrentCUDAStream", "pytorch", "it is PyTorch's for CUDA", "use getCurrentMUSAStream"},
    {"getStreamFromPool", "pytorch", "it is PyTorch's for CUDA", "use torch_musa/csrc/core/MUSAStream.h"},
    {"CUDACachingAllocator", "pytorch", "it is PyTorch's for CUDA", "use MUSACachingAllocator"},
    {"CUDAExtension", "pytorch", "it is PyTorch's for CUDA",
     "use torch_musa.utils.musa_extension.MUSAExtension"},
    {"C10_CUDA_CHECK", "pytorch", "it is PyTorch's for CUDA", "use C10_MUSA_CHECK"},
    {"C10_CUDA_KERNEL_LAUNCH_CHECK", "pytorch", "it is PyTorch's for CUDA",
     "use C10_MUSA_KERNEL_LAUNCH_CHECK"},
    {"AT_CUDA_CHECK", "pytorch", "it is PyTorch's for CUDA", "use AT_MUSA_CHECK"},
}};

constexpr std::string_view kTextures =
    "texture and surface references are gone since CUDA 12; mcc and libmusart still have them";
constexpr std::string_view kObjects =
    "use texture objects in code that is to last (musaCreateTextureObject, tex2D<T>(object, x, y))";

class Words {
 public:
  explicit Words(std::string_view text) : text_(text) { scan(text, stream_); }

  std::vector<Finding> run() {
    for (std::size_t i = 0; i < stream_.tokens.size(); ++i) {
      if (stream_.tokens[i].kind == TokenKind::Identifier) word(i);
    }
    return std::move(findings_);
  }

 private:
  std::string_view bytes(std::size_t i) const {
    return i < stream_.tokens.size() ? bytesOf(stream_.tokens[i], text_) : std::string_view();
  }
  bool isMark(std::size_t i, char mark) const {
    return i < stream_.tokens.size() && stream_.tokens[i].kind == TokenKind::Punctuator &&
           stream_.tokens[i].mark == mark;
  }

  void add(std::size_t i, std::string_view kind, std::string_view reason, std::string_view remedy) {
    const Token& token = stream_.tokens[i];
    findings_.push_back({FindingKind::Audit, token.begin, token.end, std::string(bytes(i)), kind,
                         std::string(reason), std::string(remedy)});
  }

  void word(std::size_t i) {
    const std::string_view name = bytes(i);
    if (name == "texture" || name == "surface") {
      // texture<float, 2> image;
      const bool qualified =
          i > 0 && (isMark(i - 1, mark::kScope) || isMark(i - 1, '.') || isMark(i - 1, mark::kArrow));
      if (isMark(i + 1, '<') && !qualified && isReference(i + 2))
        add(i, "texture-reference", kTextures, kObjects);
      return;
    }
    if (name == "CUDA" && i > 1 && isMark(i - 1, mark::kScope) &&
        (bytes(i - 2) == "DeviceType" || bytes(i - 2) == "Backend" || bytes(i - 2) == "DispatchKey")) {
      return add(i, "pytorch", kTorch, "write PrivateUse1");
    }
    if (name == "cuda" && i > 1 && isMark(i - 1, mark::kScope) && isMark(i + 1, mark::kScope) &&
        (bytes(i - 2) == "at" || bytes(i - 2) == "c10" || bytes(i - 2) == "torch")) {
      return add(i, "pytorch", "the namespace is PyTorch's for CUDA",
                 "use at::musa, c10::musa of torch_musa");
    }
    for (const Idiom& idiom : kIdioms) {
      if (idiom.word == name) return add(i, idiom.kind, idiom.reason, idiom.remedy);
    }
  }

  /// The arguments of a texture reference end before a name: texture<type, dimension, mode> NAME.
  bool isReference(std::size_t i) const {
    for (int depth = 1; i < stream_.tokens.size() && depth > 0; ++i) {
      if (isMark(i, '<')) ++depth;
      if (isMark(i, '>')) --depth;
      if (isMark(i, ';') || isMark(i, '{')) return false;
    }
    return i < stream_.tokens.size() && stream_.tokens[i].kind == TokenKind::Identifier;
  }

  std::string_view text_;
  TokenStream stream_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> auditWords(std::string_view text) { return Words(text).run(); }

}  // namespace musashim::translator
