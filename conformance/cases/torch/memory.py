# requires: devices>=2
"""The caching allocator's figures: how sizes are rounded, what is kept, what a failed allocation says."""
import torch
from observing import Case

case = Case("torch.memory")
mib = 2**20
torch.cuda.init()


def figures(key):
    case.observe(f"{key}.allocated", torch.cuda.memory_allocated())
    case.observe(f"{key}.reserved", torch.cuda.memory_reserved())


figures("start")
a = torch.empty(1, dtype=torch.uint8, device="cuda")
figures("one_byte")
b = torch.empty(513, dtype=torch.uint8, device="cuda")
figures("two_blocks")
c = torch.empty(mib, dtype=torch.uint8, device="cuda")
figures("one_mib")
d = torch.empty(mib + 1, dtype=torch.uint8, device="cuda")
figures("above_one_mib")
e = torch.empty(10 * mib, dtype=torch.uint8, device="cuda")
figures("ten_mib")
f = torch.empty(21 * mib + 5, dtype=torch.uint8, device="cuda")
figures("above_twenty")
case.observe("peak", torch.cuda.max_memory_allocated())
del f
figures("freed_large")
case.observe("peak.stays", torch.cuda.max_memory_allocated())
f = torch.empty(21 * mib, dtype=torch.uint8, device="cuda")
figures("taken_again")
del e, f
torch.cuda.empty_cache()
figures("emptied")
torch.cuda.reset_peak_memory_stats()
case.observe("peak.reset", torch.cuda.max_memory_allocated())
case.observe("peak.reset_reserved", torch.cuda.max_memory_reserved())
view = c[5:]
del c
figures("view_holds")
del view
figures("view_gone")
del a, b, d
figures("all_freed")
torch.cuda.empty_cache()
figures("nothing")

# Empty tensors take nothing; views neither.
empty = torch.empty(0, device="cuda")
figures("empty_tensor")
case.observe("empty_tensor.pointer", empty.data_ptr())

# Each device has its own figures.
other = torch.empty(1000, device="cuda:1")
case.observe("other.allocated", torch.cuda.memory_allocated(1))
case.observe("other.here", torch.cuda.memory_allocated(0))
case.observe("other.by_device", torch.cuda.memory_allocated("cuda:1"))
del other
case.outcome("other.none_there", lambda: torch.cuda.memory_allocated(9), message=False)

# Statistics by name.
torch.cuda.reset_accumulated_memory_stats()
x = torch.empty(256, device="cuda")
y = torch.empty(4 * mib, dtype=torch.uint8, device="cuda")
del x
stats = torch.cuda.memory_stats()
for key in ("allocation.all.current", "allocation.all.allocated", "allocation.all.freed", "allocation.small_pool.current",
            "allocation.large_pool.current", "allocated_bytes.all.current", "allocated_bytes.all.allocated",
            "allocated_bytes.small_pool.freed", "allocated_bytes.large_pool.current", "segment.all.current",
            "segment.small_pool.current", "segment.large_pool.current", "active.all.current", "active_bytes.all.current",
            "reserved_bytes.all.current", "reserved_bytes.large_pool.current", "inactive_split.all.current",
            "inactive_split_bytes.all.current", "requested_bytes.all.current", "num_alloc_retries", "num_ooms"):
    case.observe(f"stats.{key}", stats.get(key, "absent"))
case.observe("stats.nested", torch.cuda.memory_stats_as_nested_dict()["allocation"]["all"]["current"])
del y
torch.cuda.empty_cache()

# More than there is.
total = torch.cuda.get_device_properties(0).total_memory
case.outcome("oom", lambda: torch.empty(total + mib, dtype=torch.uint8, device="cuda"), message=False)
try:
    torch.empty(total + mib, dtype=torch.uint8, device="cuda")
except torch.cuda.OutOfMemoryError as error:
    case.observe("oom.is_runtime_error", isinstance(error, RuntimeError))
    case.observe("oom.begins", str(error).split(" Tried")[0])
    case.observe("oom.names_device", "GPU 0 has a total capacity of" in str(error))
case.observe("oom.counted", torch.cuda.memory_stats()["num_ooms"])
case.observe("oom.retries", torch.cuda.memory_stats()["num_alloc_retries"])
figures("after_oom")
case.outcome("oom.overflow", lambda: torch.empty(2**62, dtype=torch.float64, device="cuda"), message=False)

# A share of the memory.
case.outcome("fraction.too_much", lambda: torch.cuda.set_per_process_memory_fraction(1.5), message=False)
torch.cuda.set_per_process_memory_fraction(64 * mib / total)
case.outcome("fraction.within", lambda: torch.empty(30 * mib, dtype=torch.uint8, device="cuda").device)
case.outcome("fraction.beyond", lambda: torch.empty(100 * mib, dtype=torch.uint8, device="cuda").device, message=False)
torch.cuda.set_per_process_memory_fraction(1.0)
case.outcome("fraction.all", lambda: torch.empty(100 * mib, dtype=torch.uint8, device="cuda").device, message=False)
torch.cuda.empty_cache()

# By hand.
pointer = torch.cuda.caching_allocator_alloc(1000)
figures("by_hand")
torch.cuda.caching_allocator_delete(pointer)
figures("by_hand_freed")
case.observe("summary.is_text", "memory summary" in torch.cuda.memory_summary())
case.observe("snapshot.segments", len(torch.cuda.memory_snapshot()))
case.observe("backend", torch.cuda.get_allocator_backend())
