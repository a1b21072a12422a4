#include "translator/lib/carry.h"

#include <algorithm>

namespace musashim::translator {
namespace {

// Headers and what includes them may both bring it. The last line keeps the numbers of the file's own.
constexpr std::string_view kDefinition =
    R"(#if defined(__MUSACC__) && !defined(MUSAPORT_CARRY)  // of inline PTX, from statement to statement
#define MUSAPORT_CARRY
static inline __device__ bool& musaportCarry() {
  __shared__ bool carries[1024];
  return carries[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x];
}
#endif
#line 1
)";

std::string withLineEnds(std::string_view text, std::string_view end) {
  std::string result;
  for (const char c : text) c == '\n' ? result.append(end) : result.append(1, c);
  return result;
}

}  // namespace

void defineCarry(Cursor& cursor) {
  if (!cursor.out.outerCarry) return;
  const std::uint32_t at = cursor.text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::size_t line = cursor.text.find('\n');
  const bool crlf = line != std::string_view::npos && line > 0 && cursor.text[line - 1] == '\r';
  cursor.edit(at, at, withLineEnds(kDefinition, crlf ? "\r\n" : "\n"));
}

}  // namespace musashim::translator
