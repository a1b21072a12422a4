/* operator new and delete on the device: its own heap, null when that is full. */
#ifndef MUSASHIM_CRT_DEVICE_NEW_H
#define MUSASHIM_CRT_DEVICE_NEW_H

#include "device_runtime.h"

/* Named apart from the host's operators, which the loader would otherwise confuse
 * with them; inline because every image may hold a copy. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winline-new-delete"
#define MUSASHIM_OPERATOR(name) __asm__("__musa_device_" name)

MUSASHIM_D void* operator new(size_t bytes) MUSASHIM_OPERATOR("new");
MUSASHIM_D void* operator new[](size_t bytes) MUSASHIM_OPERATOR("new_array");
MUSASHIM_D void* operator new(size_t bytes, const std::nothrow_t&) noexcept MUSASHIM_OPERATOR("new_nothrow");
MUSASHIM_D void* operator new[](size_t bytes, const std::nothrow_t&) noexcept
    MUSASHIM_OPERATOR("new_array_nothrow");
MUSASHIM_D void* operator new(size_t, void* place) noexcept MUSASHIM_OPERATOR("new_place");
MUSASHIM_D void* operator new[](size_t, void* place) noexcept MUSASHIM_OPERATOR("new_array_place");
MUSASHIM_D void operator delete(void* pointer) noexcept MUSASHIM_OPERATOR("delete");
MUSASHIM_D void operator delete[](void* pointer) noexcept MUSASHIM_OPERATOR("delete_array");
MUSASHIM_D void operator delete(void* pointer, size_t) noexcept MUSASHIM_OPERATOR("delete_sized");
MUSASHIM_D void operator delete[](void* pointer, size_t) noexcept MUSASHIM_OPERATOR("delete_array_sized");
MUSASHIM_D void operator delete(void*, void*) noexcept MUSASHIM_OPERATOR("delete_place");
MUSASHIM_D void operator delete[](void*, void*) noexcept MUSASHIM_OPERATOR("delete_array_place");

MUSASHIM_D void* operator new(size_t bytes) { return __musa_malloc(bytes); }
MUSASHIM_D void* operator new[](size_t bytes) { return __musa_malloc(bytes); }
MUSASHIM_D void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return __musa_malloc(bytes); }
MUSASHIM_D void* operator new[](size_t bytes, const std::nothrow_t&) noexcept { return __musa_malloc(bytes); }
MUSASHIM_D void* operator new(size_t, void* place) noexcept { return place; }
MUSASHIM_D void* operator new[](size_t, void* place) noexcept { return place; }
MUSASHIM_D void operator delete(void* pointer) noexcept { __musa_free(pointer); }
MUSASHIM_D void operator delete[](void* pointer) noexcept { __musa_free(pointer); }
MUSASHIM_D void operator delete(void* pointer, size_t) noexcept { __musa_free(pointer); }
MUSASHIM_D void operator delete[](void* pointer, size_t) noexcept { __musa_free(pointer); }
MUSASHIM_D void operator delete(void*, void*) noexcept {}
MUSASHIM_D void operator delete[](void*, void*) noexcept {}

/* What an abstract class's table holds in place of a function that it leaves to its heirs. */
__attribute__((used)) MUSASHIM_D void __musa_pure_virtual() __asm__("__cxa_pure_virtual");
__attribute__((used)) MUSASHIM_D void __musa_pure_virtual() { __trap(); }

#undef MUSASHIM_OPERATOR
#pragma clang diagnostic pop
#endif
