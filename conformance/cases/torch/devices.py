# requires: devices>=2
"""Which device is current, how devices are named, and what is said of those that are not there."""
import pickle

import torch
from observing import Case

case = Case("torch.devices")
case.observe("available", torch.cuda.is_available())
case.observe("count", torch.cuda.device_count())
case.observe("initialized.before", torch.cuda.is_initialized())
case.observe("current.first", torch.cuda.current_device())
case.observe("initialized.after", torch.cuda.is_initialized())

# Names.
case.observe("name.plain", torch.device("cuda"))
case.observe("name.indexed", torch.device("cuda", 1))
case.observe("name.repr", repr(torch.device("cuda:1")))
case.observe("name.index_of_plain", torch.device("cuda").index)
case.observe("name.equal", torch.device("cuda") == torch.device("cuda:0"))
case.observe("name.pickled", pickle.loads(pickle.dumps(torch.device("cuda:1"))))
case.outcome("name.negative", lambda: torch.device("cuda:-1"), message=False)
case.outcome("name.text", lambda: torch.device("cuda:x"), message=False)
case.outcome("name.of_number", lambda: torch.device(1))

# The current device.
torch.cuda.set_device(1)
case.observe("set.current", torch.cuda.current_device())
case.observe("set.new_tensor", torch.ones(1, device="cuda").device)
case.observe("set.cuda_method", torch.ones(1).cuda().device)
case.observe("set.by_index", torch.ones(1).cuda(0).device)
case.observe("set.by_name", torch.ones(1).to("cuda:0").device)
case.observe("set.by_number", torch.ones(1, device=1).device)
torch.cuda.set_device("cuda:0")
case.observe("set.by_string", torch.cuda.current_device())
torch.cuda.set_device(torch.device("cuda:1"))
case.observe("set.by_device", torch.cuda.current_device())
torch.cuda.set_device(-1)
case.observe("set.negative_is_nothing", torch.cuda.current_device())
torch.cuda.set_device(0)
case.outcome("set.none_there", lambda: torch.cuda.set_device(9), message=False)
case.outcome("set.cpu", lambda: torch.cuda.set_device("cpu"))
case.outcome("set.plain_name", lambda: torch.cuda.set_device("cuda"))
case.observe("set.after_errors", torch.cuda.current_device())

# Contexts.
with torch.cuda.device(1):
    case.observe("context.inside", torch.cuda.current_device())
    with torch.cuda.device(0):
        case.observe("context.nested", torch.cuda.current_device())
    case.observe("context.back", torch.cuda.current_device())
case.observe("context.outside", torch.cuda.current_device())
with torch.cuda.device(None):
    case.observe("context.none", torch.cuda.current_device())
with torch.cuda.device(-1):
    case.observe("context.negative", torch.cuda.current_device())
with torch.cuda.device_of(torch.ones(1, device="cuda:1")):
    case.observe("context.of_tensor", torch.cuda.current_device())
with torch.cuda.device_of(torch.ones(1)):
    case.observe("context.of_cpu_tensor", torch.cuda.current_device())
with torch.device("cuda:1"):
    case.observe("context.factory", torch.zeros(2).device)
    case.observe("context.factory_current", torch.cuda.current_device())
try:
    with torch.cuda.device(1):
        raise KeyError
except KeyError:
    case.observe("context.after_raise", torch.cuda.current_device())


def enter(index):
    with torch.cuda.device(index):
        return torch.cuda.current_device()


case.outcome("context.none_there", lambda: enter(9), message=False)

# What is asked of a device.
case.observe("ask.name_is_text", isinstance(torch.cuda.get_device_name(), str))
case.observe("ask.capability_length", len(torch.cuda.get_device_capability(1)))
case.observe("ask.memory_is_plenty", torch.cuda.get_device_properties(0).total_memory > 2**30)
case.observe("ask.processors", torch.cuda.get_device_properties("cuda:1").multi_processor_count > 0)
case.outcome("ask.properties_none_there", lambda: torch.cuda.get_device_properties(9))
case.outcome("ask.properties_of_cpu", lambda: torch.cuda.get_device_properties("cpu"))
case.outcome("ask.name_none_there", lambda: torch.cuda.get_device_name(9))
case.outcome("ask.tensor_none_there", lambda: torch.ones(1, device="cuda:9"), message=False)
case.observe("ask.free_and_total", [isinstance(n, int) for n in torch.cuda.mem_get_info(1)])
case.observe("ask.free_below_total", torch.cuda.mem_get_info()[0] <= torch.cuda.mem_get_info()[1])
case.observe("ask.peer", torch.cuda.can_device_access_peer(0, 1))
case.outcome("ask.peer_self", lambda: torch.cuda.can_device_access_peer(0, 0))
case.outcome("ask.peer_none_there", lambda: torch.cuda.can_device_access_peer(0, 9))
case.outcome("ask.synchronize", lambda: torch.cuda.synchronize(1))
case.outcome("ask.synchronize_cpu", lambda: torch.cuda.synchronize("cpu"), message=False)
case.outcome("ask.synchronize_none_there", lambda: torch.cuda.synchronize(9), message=False)

# Where results lie.
x = torch.ones(3, device="cuda:1")
case.observe("result.get_device", x.get_device())
case.observe("result.cpu_get_device", torch.ones(1).get_device())
case.observe("result.like", torch.zeros_like(x).device)
case.observe("result.new", x.new_ones(2).device)
case.observe("result.sum", x.sum().device)
case.observe("result.view", x[1:].device)
case.observe("result.copy", x.to("cuda:0").device)
case.observe("result.same_object", x.to("cuda:1") is x)
case.observe("result.plain_moves", x.to("cuda").device)
case.observe("result.cuda_moves", x.cuda().device)
case.observe("result.cuda_keeps", torch.ones(1, device="cuda:0").cuda().device)
case.observe("result.current_unchanged", torch.cuda.current_device())

# The device that any program may ask for.
case.observe("accelerator.current", torch.accelerator.current_accelerator())
case.observe("accelerator.count", torch.accelerator.device_count())
case.observe("accelerator.available", torch.accelerator.is_available())
torch.accelerator.set_device_index(1)
case.observe("accelerator.sets", torch.cuda.current_device())
case.observe("accelerator.index", torch.accelerator.current_device_index())
torch.cuda.set_device(0)
torch.set_default_device("cuda:1")
case.observe("default.device", torch.get_default_device())
case.observe("default.tensor", torch.zeros(1).device)
case.observe("default.module", torch.nn.Linear(2, 2).weight.device)
torch.set_default_device(None)
case.observe("default.reset", torch.zeros(1).device)
