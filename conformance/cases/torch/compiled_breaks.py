"""Compiled code: where graphs break, and what is said where they must not."""
import os

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

import torch
import torch._dynamo
from observing import Case

case = Case("torch.compiled_breaks")
x = torch.ones(4, 6, device="cuda")


def fresh(function, **options):
    torch._dynamo.reset()
    return torch.compile(function, **options)


def breaks(key, function, *arguments):
    torch._dynamo.reset()
    told = torch._dynamo.explain(function)(*arguments)
    case.observe(f"breaks.{key}", f"{told.graph_count} graphs, {told.graph_break_count} breaks")


def with_item(a):
    return a * a.sum().item()


def with_branch(a):
    if a.sum() > 0:
        return a + 1
    return a - 1


def with_stream(a):
    with torch.cuda.stream(torch.cuda.Stream()):
        return a * 2 + 1


def with_synchronize(a):
    a = a * 2
    torch.cuda.synchronize()
    return a + 1


def with_print(a):
    a = a + 1
    print("", end="")
    return a * 2


def with_seed(a):
    a = a + 1
    torch.cuda.manual_seed(3)
    return a + torch.rand_like(a)


def with_list(a):
    return a + a[0].tolist()[0]


def with_numpy(a):
    return torch.from_numpy((a + 1).cpu().numpy() * 2)


def with_memory(a):
    a = a + 1
    torch.cuda.memory_allocated()
    return a * 2


breaks("none", lambda a: (a + 1).relu(), x)
breaks("item", with_item, x)
breaks("branch_on_values", with_branch, x)
breaks("branch_on_device", lambda a: a + 1 if a.is_cuda and a.device.type == "cuda" else a - 1, x)
breaks("branch_on_index", lambda a: a + a.device.index, x)
breaks("to_host", lambda a: (a + 1).cpu() * 2, x)
breaks("to_device", lambda a: torch.ones(4, 6).to("cuda") + a, x)
breaks("cuda_method", lambda a: torch.ones(4, 6).cuda() + a, x)
breaks("stream", with_stream, x)
breaks("synchronize", with_synchronize, x)
breaks("print", with_print, x)
breaks("seed", with_seed, x)
breaks("list", with_list, x)
breaks("numpy", with_numpy, x)
breaks("memory_allocated", with_memory, x)
breaks("current_device", lambda a: a + torch.cuda.current_device(), x)
breaks("is_available", lambda a: a + 1 if torch.cuda.is_available() else a, x)
breaks("device_count", lambda a: a + (torch.cuda.device_count() > 0), x)
breaks("nonzero", lambda a: (a > 0).nonzero().sum(), x)
breaks("autocast", lambda a: torch.autocast("cuda", dtype=torch.bfloat16).__class__ and a @ a.t(), x)

# With fullgraph.
case.outcome("whole.item", lambda: fresh(with_branch, fullgraph=True, backend="eager")(x).device, message=False)
case.outcome("whole.synchronize", lambda: fresh(with_synchronize, fullgraph=True, backend="eager")(x).device, message=False)
case.outcome("whole.print", lambda: fresh(with_print, fullgraph=True, backend="eager")(x).device, message=False)
