// torch.musa.set_sync_debug_mode(): tells of operations that make the caller wait for the device.
#pragma once

namespace c10::musa {

enum class SyncDebugMode { kDefault, kWarn, kError };

SyncDebugMode syncDebugMode() noexcept;
void setSyncDebugMode(SyncDebugMode mode) noexcept;

// To be called before a wait that the mode is about: warns or throws, as it says.
void tellSynchronizing();

}  // namespace c10::musa
