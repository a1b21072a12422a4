#include "translator/lib/report/audit.h"

#include "translator/lib/lex/scan.h"

namespace musashim::translator {
namespace {

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
