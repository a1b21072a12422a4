"""Compiled code with graphs of the device."""
import os

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

import torch
from observing import Case

case = Case("torch.compiled_graphs")


def fresh(function, **options):
    torch._dynamo.reset()
    return torch.compile(function, **options)


function = fresh(lambda a: (a + 1) * 2, mode="reduce-overhead")
outputs = []
for step in range(4):
    torch.compiler.cudagraph_mark_step_begin()
    outputs.append(function(torch.full((4,), float(step), device="cuda")))
case.observe("graphs.last", outputs[-1].tolist())
case.outcome("graphs.overwritten", lambda: outputs[-2].tolist(), message=False)
case.observe("graphs.kept", (outputs[-1].clone() + 0).device)
