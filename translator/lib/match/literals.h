#pragma once

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

/// Ports a string literal by the policies of cursor.options.
void portString(Cursor& cursor, const Token& literal);

/// Renames known names in a comment, if the policy says so.
void portComment(Cursor& cursor, const Token& comment);

}  // namespace musashim::translator
