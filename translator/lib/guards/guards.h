#pragma once

#include <optional>

#include "translator/lib/match/cursor.h"
#include "translator/lib/names/table.h"

namespace musashim::translator {

/// Ports one use of __CUDA_ARCH__, CUDA_VERSION or CUDART_VERSION at token `index`.
/// `inCondition`: it stands in #if, where an undefined name reads as 0. Rules: mappings/guards.yml.
void portGuard(Cursor& cursor, std::size_t index, const KnownName& name, bool inCondition);

/// Is all of the other side of a comparison a literal?
bool isComparedWithLiteral(const Cursor& cursor, std::size_t index);

/// A version in plain code or in a macro that no number is right for: 0 takes its place.
void zeroGuard(Cursor& cursor, std::size_t index, const KnownName& name, const Advice& advice);

/// Why portGuard() would leave this use as it is, or put a 0 there; nothing if it would not.
std::optional<Advice> guardObstacle(const Cursor& cursor, std::size_t index, const KnownName& name,
                                    bool inCondition);

/// A comparison with a literal that is beyond all of MUSA: portGuard() leaves it, and it says what is right
/// as it stands.
bool isBeyondMusa(const Cursor& cursor, std::size_t index, const KnownName& name);

inline bool isGuard(NameKind kind) {
  return kind == NameKind::Architecture || kind == NameKind::Version || kind == NameKind::Release ||
         kind == NameKind::LibraryVersion;
}

/// `defined(NAME)`, `#ifdef NAME` and the like.
bool isDefinedTest(const Cursor& cursor, std::size_t index);

/// Leaves and reports an architecture test whose branch holds PTX that could not be ported.
void keepGuardOfAssembly(Cursor& cursor, std::size_t index, const KnownName& name);

}  // namespace musashim::translator
