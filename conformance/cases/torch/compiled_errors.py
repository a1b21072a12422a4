"""Compiled code: what is refused."""
import os

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

import torch
from observing import Case

case = Case("torch.compiled_errors")
torch.manual_seed(0)
x = torch.randn(4, 6, device="cuda")
y = torch.randn(4, 6, device="cuda")


def fresh(function, **options):
    torch._dynamo.reset()
    return torch.compile(function, **options)


def work(a):
    return (a * 2 + 1).relu().sum(-1)


case.outcome("error.host_operand", lambda: fresh(lambda a, b: a + b)(x, torch.ones(4, 6)).device, message=False)
case.outcome("error.host_matrix", lambda: fresh(lambda a, b: a @ b)(x, torch.ones(6, 4)).device, message=False)
case.outcome("error.sizes", lambda: fresh(lambda a, b: a @ b)(x, x).device, message=False)
case.outcome("error.types", lambda: fresh(lambda a, b: a @ b)(x, x.t().half()).device, message=False)
case.outcome("error.no_backend", lambda: fresh(work, backend="no_such")(x).device, message=False)
case.outcome("error.raised_inside", lambda: fresh(lambda a: (_ for _ in ()).throw(KeyError("k")))(x), message=False)
case.outcome("error.mode", lambda: fresh(work, mode="no-such")(x).device, message=False)
case.outcome("error.then_right", lambda: fresh(work)(x).device, message=False)
