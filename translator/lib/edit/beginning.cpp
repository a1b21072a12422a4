#include "translator/lib/edit/beginning.h"

#include <algorithm>

#include "translator/lib/names/table.h"

namespace musashim::translator {
namespace {

// Headers and what includes them may both bring it.
constexpr std::string_view kCarry =
    R"(#if defined(__MUSACC__) && !defined(MUSAPORT_CARRY)  // of inline PTX, from statement to statement
#define MUSAPORT_CARRY
static inline __device__ bool& musaportCarry() {
  __shared__ bool carries[1024];
  return carries[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x];
}
#endif
)";

// Keeps the numbers of the file's own lines.
constexpr std::string_view kEnd = "#line 1\n";

std::string withLineEnds(std::string_view text, std::string_view end) {
  std::string result;
  for (const char c : text) c == '\n' ? result.append(end) : result.append(1, c);
  return result;
}

// A file that speaks of the header or of its types has it already, maybe by one of its own.
bool knows(const Cursor& cursor, const PtxHeader& header) {
  return cursor.text.find(header.name) != std::string_view::npos ||
         cursor.text.find(header.type) != std::string_view::npos;
}

std::string includesOf(const Cursor& cursor) {
  std::string includes;
  std::uint32_t bit = 1;
  for (const PtxHeader& header : ptxHeaders()) {
    if ((cursor.out.headers & bit) != 0 && !knows(cursor, header))
      includes += "#include <" + std::string(header.include) + ">\n";
    bit <<= 1;
  }
  if (includes.empty()) return includes;
  return "#if defined(__MUSACC__)  // of inline PTX, which needs none\n" + includes + "#endif\n";
}

}  // namespace

std::uint32_t headersOf(std::string_view code) {
  std::uint32_t found = 0, bit = 1;
  for (const PtxHeader& header : ptxHeaders()) {
    if (code.find(header.uses) != std::string_view::npos) found |= bit;
    bit <<= 1;
  }
  return found;
}

void writeBeginning(Cursor& cursor) {
  std::string beginning = includesOf(cursor);
  if (cursor.out.outerCarry) beginning += kCarry;
  if (beginning.empty()) return;
  beginning += kEnd;
  const std::uint32_t at = cursor.text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::size_t line = cursor.text.find('\n');
  const bool crlf = line != std::string_view::npos && line > 0 && cursor.text[line - 1] == '\r';
  cursor.edit(at, at, withLineEnds(beginning, crlf ? "\r\n" : "\n"));
}

}  // namespace musashim::translator
