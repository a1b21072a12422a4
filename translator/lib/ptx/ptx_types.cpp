#include "translator/lib/ptx/ptx_types.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace musashim::translator {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 47> kTypes = {{
    {"u8", "unsigned char"},
    {"s8", "signed char"},
    {"b8", "unsigned char"},
    {"u16", "unsigned short"},
    {"s16", "short"},
    {"b16", "unsigned short"},
    {"u32", "unsigned int"},
    {"s32", "int"},
    {"b32", "unsigned int"},
    {"u64", "unsigned long long"},
    {"s64", "long long"},
    {"b64", "unsigned long long"},
    {"f32", "float"},
    {"f64", "double"},
    {"pred", "bool"},
    {"void", "void"},
    {"v2.u8", "uchar2"},
    {"v4.u8", "uchar4"},
    {"v2.s8", "char2"},
    {"v4.s8", "char4"},
    {"v2.u16", "ushort2"},
    {"v4.u16", "ushort4"},
    {"v2.s16", "short2"},
    {"v4.s16", "short4"},
    {"v2.b16", "ushort2"},
    {"v4.b16", "ushort4"},
    {"v2.u32", "uint2"},
    {"v4.u32", "uint4"},
    {"v2.s32", "int2"},
    {"v4.s32", "int4"},
    {"v2.b32", "uint2"},
    {"v4.b32", "uint4"},
    {"v2.f32", "float2"},
    {"v4.f32", "float4"},
    {"v2.u64", "ulonglong2"},
    {"v2.s64", "longlong2"},
    {"v2.b64", "ulonglong2"},
    {"v2.f64", "double2"},
    {"v1.b32", "unsigned int"},
    {"v1.f64", "double"},
    {"v8.b32", "__musa_uintx8"},
    {"v8.s32", "__musa_intx8"},
    {"v8.f32", "__musa_floatx8"},
    {"f16", "__half"},
    {"f16x2", "__half2"},
    {"bf16", "__mt_bfloat16"},
    {"bf16x2", "__mt_bfloat162"},
}};

bool isFloat(std::string_view type) { return type == "f32" || type == "f64"; }

/// "bf16x2": one or two numbers that C++ holds in a class.
bool isHalf(std::string_view type) { return type.find("f16") != std::string_view::npos; }

int widthOf(std::string_view type) {
  int width = 0;
  type.remove_prefix(std::min(type.find_first_of("0123456789"), type.size()));
  std::from_chars(type.data(), type.data() + type.size(), width);
  return type.ends_with("x2") ? 2 * width : width;
}

/// With a point, as PTX asks of it, and no more than a number.
bool isDecimalFraction(std::string_view literal) {
  if (literal.find('.') == std::string_view::npos) return false;
  double value = 0;
  const auto [end, error] = std::from_chars(literal.data(), literal.data() + literal.size(), value);
  return error == std::errc() && end == literal.data() + literal.size();
}

}  // namespace

std::string_view cppOf(std::string_view type) {
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& row) { return row.first == type; });
  return found == kTypes.end() ? std::string_view() : found->second;
}

std::size_t elementsOf(std::string_view type) {
  return type.size() > 3 && type[0] == 'v' && type[2] == '.' ? static_cast<std::size_t>(type[1] - '0') : 0;
}

std::string_view typeOfConstraint(std::string_view constraint) {
  switch (constraint.empty() ? '\0' : constraint.back()) {
    case 'r':
      return "u32";
    case 'l':
      return "u64";
    case 'h':
      return "u16";
    case 'f':
      return "f32";
    case 'd':
      return "f64";
    case 'n':
    case 'i':
      return "imm";
    default:
      return {};
  }
}

std::optional<unsigned long long> integerOf(std::string_view literal) {
  const bool negative = literal.starts_with('-');
  if (negative) literal.remove_prefix(1);
  while (!literal.empty() && std::string_view("uUlL").find(literal.back()) != std::string_view::npos)
    literal.remove_suffix(1);
  int base = 10;
  if (literal.starts_with("0x") || literal.starts_with("0X")) {
    base = 16;
    literal.remove_prefix(2);
  } else if (literal.starts_with("0b") || literal.starts_with("0B")) {
    base = 2;
    literal.remove_prefix(2);
  } else if (literal.size() > 1 && literal[0] == '0') {
    base = 8;
  }
  unsigned long long value = 0;
  const auto [end, error] = std::from_chars(literal.data(), literal.data() + literal.size(), value, base);
  if (error != std::errc() || end != literal.data() + literal.size() || literal.empty()) return std::nullopt;
  return negative ? 0 - value : value;
}

bool isFloating(std::string_view type) { return isFloat(type) || isHalf(type); }

std::string literalOf(std::string_view literal, std::string_view type) {
  if (type == "pred") {
    const auto value = integerOf(literal);
    return !value ? "" : *value != 0 ? "true" : "false";
  }
  if (isHalf(type)) return {};
  if (isFloat(type)) {
    const bool bits32 = literal.starts_with("0f") || literal.starts_with("0F");
    const bool bits64 = literal.starts_with("0d") || literal.starts_with("0D");
    if (bits32 || bits64) {
      const auto bits = integerOf("0x" + std::string(literal.substr(2)));
      if (!bits || bits32 != (type == "f32")) return {};
      const std::string digits = "0x" + std::string(literal.substr(2));
      return bits32 ? "__uint_as_float(" + digits + "u)"
                    : "__longlong_as_double((long long)" + digits + "ull)";
    }
    if (!isDecimalFraction(literal)) return {};
    const std::string text = std::string(literal) + (type == "f32" ? "f" : "");
    return literal.starts_with('-') ? "(" + text + ")" : text;
  }
  const auto value = integerOf(literal);
  if (!value) return {};
  std::string_view digits = literal;
  while (digits.back() == 'U' || digits.back() == 'u') digits.remove_suffix(1);
  const bool wide = widthOf(type) == 64;
  const bool isSigned = type.starts_with('s');
  if (!digits.starts_with('-'))
    return std::string(digits) + (isSigned ? (wide ? "ll" : "") : wide ? "ull" : "u");
  return "(" + std::string(isSigned ? "" : "(" + std::string(cppOf(type)) + ")") + std::string(digits) +
         (wide ? "ll" : "") + ")";
}

std::string converted(const std::string& value, std::string_view from, std::string_view to, bool sure) {
  if (sure && cppOf(from) == cppOf(to)) return value;
  if (from == "pred" || to == "pred") return {};
  const std::string bracketed = "(" + value + ")";
  const std::string plain = sure ? value : bracketed;
  if (isHalf(from) || isHalf(to)) {
    if (widthOf(from) != widthOf(to)) return {};
    // What an operand of the user's is may be wider than its register.
    const std::string register16 = sure || widthOf(from) != 16 ? plain : "(unsigned short)" + plain;
    const std::string bits =
        sure || isFloat(from) || widthOf(from) == 16 ? register16 : "(unsigned int)" + plain;
    return "__builtin_bit_cast(" + std::string(cppOf(to)) + ", " + bits + ")";
  }
  if (isFloat(from) != isFloat(to)) {
    if (widthOf(from) != widthOf(to)) return {};
    if (isFloat(to))
      return (to == "f32" ? "__uint_as_float((unsigned int)" : "__longlong_as_double((long long)") + plain +
             ")";
    const std::string bits =
        from == "f32" ? "__float_as_uint" + bracketed : "__double_as_longlong" + bracketed;
    return from == "f64" || to.starts_with('s') ? "(" + std::string(cppOf(to)) + ")" + bits : bits;
  }
  if (isFloat(from)) return from == to ? bracketed : std::string();
  return "(" + std::string(cppOf(to)) + ")" + plain;
}

}  // namespace musashim::translator
