#pragma once

// PTX's types and literals in C++.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace musashim::translator {

/// "u32" => "unsigned int", "v4.f32" => "float4", "f16x2" => "__half2"; empty if the type is not known.
std::string_view cppOf(std::string_view type);

/// Elements of a vector type: "v4.f32" => 4; 0 for others.
std::size_t elementsOf(std::string_view type);

/// Type of the register behind a constraint letter of asm: r => "u32"; empty for what has no register.
std::string_view typeOfConstraint(std::string_view constraint);

/// "f32", "bf16x2": numbers with a point.
bool isFloating(std::string_view type);

/// Value of an integer literal of PTX: 42, 0x1F, 0b11, 017, with or without U.
std::optional<unsigned long long> integerOf(std::string_view literal);

/// A literal of PTX as C++ of the type; empty if it is none.
std::string literalOf(std::string_view literal, std::string_view type);

/// `value`, an expression of type `from`, as an expression of type `to`: the same bits, or the low ones.
/// `sure`: the C++ type of the value is that of `from` (not an operand of the user's).
std::string converted(const std::string& value, std::string_view from, std::string_view to, bool sure);

}  // namespace musashim::translator
