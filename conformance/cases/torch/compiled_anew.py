"""Compiled code: which arguments make code anew."""
import os

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

import torch
import torch._dynamo.testing
from observing import Case

case = Case("torch.compiled_anew")
torch.manual_seed(0)
x = torch.randn(4, 6, device="cuda")
y = torch.randn(4, 6, device="cuda")


def frames(key, *calls):
    torch._dynamo.reset()
    counter = torch._dynamo.testing.CompileCounter()
    function = torch.compile(lambda *a: sum(a) * 2, backend=counter)
    seen = []
    for arguments in calls:
        function(*arguments)
        seen.append(counter.frame_count)
    case.observe(f"anew.{key}", seen)


frames("same", (x,), (y,))
frames("size", (x,), (x[:3],), (x[:2],))
frames("type", (x,), (x.half(),))
frames("gradient", (x,), (x.clone().requires_grad_(),))
frames("stride", (x,), (x.t().contiguous().t(),))
frames("device", (x,), (x.cpu(),), (y,))
frames("number", (x, 2), (x, 3), (x, 4))
frames("host_tensor", (x, torch.tensor(1.0)), (x, torch.tensor(1.0, device="cuda")))
