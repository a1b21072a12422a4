# requires: devices>=2
"""Streams and events: which is current, what they say before and after use, on several devices."""
import torch
from observing import Case

case = Case("torch.streams")
default = torch.cuda.default_stream()
case.observe("default.is_current", torch.cuda.current_stream() == default)
case.observe("default.handle", default.cuda_stream)
case.observe("default.device", default.device)
case.observe("default.priority", default.priority)
case.observe("default.of_other", torch.cuda.default_stream(1).device)
case.observe("default.differ", torch.cuda.default_stream(0) == torch.cuda.default_stream(1))
case.observe("default.same_hash", hash(default) == hash(torch.cuda.current_stream()))

s = torch.cuda.Stream()
case.observe("new.is_default", s == default)
case.observe("new.device", s.device)
case.observe("new.query", s.query())
case.observe("new.handle_is_zero", s.cuda_stream == 0)
case.observe("new.priority", s.priority)
case.observe("new.high", torch.cuda.Stream(priority=-1).priority)
case.observe("new.on_other", torch.cuda.Stream(device=1).device)
case.outcome("new.none_there", lambda: torch.cuda.Stream(device=9), message=False)
case.outcome("new.on_cpu", lambda: torch.cuda.Stream(device="cpu"), message=False)
case.observe("new.is_base", isinstance(s, torch.Stream))

with torch.cuda.stream(s):
    case.observe("context.current", torch.cuda.current_stream() == s)
    x = torch.ones(1000, device="cuda") * 3
    with torch.cuda.stream(default):
        case.observe("context.nested", torch.cuda.current_stream() == default)
    with torch.cuda.stream(None):
        case.observe("context.none", torch.cuda.current_stream() == s)
case.observe("context.restored", torch.cuda.current_stream() == default)
default.wait_stream(s)
case.observe("context.result", (x + 1).sum().item())

t = torch.cuda.Stream(device=1)
with torch.cuda.stream(t):
    case.observe("other.device", torch.cuda.current_device())
    case.observe("other.tensor", torch.ones(1, device="cuda").device)
    case.observe("other.current", torch.cuda.current_stream() == t)
    case.observe("other.of_zero", torch.cuda.current_stream(0) == default)
case.observe("other.left", torch.cuda.current_device())
case.observe("other.of_one_restored", torch.cuda.current_stream(1) == torch.cuda.default_stream(1))
torch.cuda.set_stream(s)
case.observe("set.current", torch.cuda.current_stream() == s)
torch.cuda.set_stream(default)
s.synchronize()
case.observe("synchronized.query", s.query())

# Events.
e = torch.cuda.Event()
case.observe("event.new_query", e.query())
case.outcome("event.new_synchronize", e.synchronize)
case.observe("event.new_handle", e.cuda_event)
e.record()
e.synchronize()
case.observe("event.recorded_query", e.query())
case.observe("event.device", e.device)
recorded = s.record_event()
case.observe("event.by_stream", type(recorded).__name__)
case.outcome("event.wait", lambda: recorded.wait(default))
case.outcome("event.stream_waits", lambda: default.wait_event(recorded))
case.outcome("event.wait_of_other_device", lambda: t.wait_event(recorded))
case.outcome("event.record_on_other_device", lambda: recorded.record(t), message=False)

begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
case.outcome("time.not_recorded", lambda: begin.elapsed_time(end), message=False)
begin.record()
y = torch.ones(100, device="cuda").sum()
end.record()
end.synchronize()
case.observe("time.positive", begin.elapsed_time(end) >= 0)
case.observe("time.type", type(begin.elapsed_time(end)).__name__)
case.outcome("time.without_timing", lambda: e.elapsed_time(end), message=False)
case.observe("time.order", end.elapsed_time(begin) <= 0)

# Any device's streams and events.
generic = torch.Stream("cuda")
case.observe("generic.device", generic.device)
case.observe("generic.current_is", torch.accelerator.current_stream() == torch.cuda.current_stream())
mark = torch.Event("cuda")
mark.record(generic)
mark.synchronize()
case.observe("generic.event", mark.query())
with generic:
    case.observe("generic.context", torch.accelerator.current_stream() == generic)

# An external stream is one by its handle.
external = torch.cuda.ExternalStream(s.cuda_stream)
case.observe("external.handle", external.cuda_stream == s.cuda_stream)
with torch.cuda.stream(external):
    z = torch.ones(10, device="cuda").sum()
external.synchronize()
case.observe("external.result", z.item())

x.record_stream(s)
case.outcome("record_stream.of_cpu_tensor", lambda: torch.ones(1).record_stream(s), message=False)
case.observe("capturing", torch.cuda.is_current_stream_capturing())
case.outcome("synchronize", torch.cuda.synchronize)
