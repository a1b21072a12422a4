// {fmt} compiled once for all our libraries. Debian ships it as a shared library only,
// which the SDK should not need, and header-only it costs every file three seconds.
#include <fmt/format-inl.h>

// What <fmt/format.h> declares as instantiated elsewhere.
template auto fmt::detail::thousands_sep_impl<char>(fmt::detail::locale_ref)
    -> fmt::detail::thousands_sep_result<char>;
template auto fmt::detail::decimal_point_impl<char>(fmt::detail::locale_ref) -> char;
