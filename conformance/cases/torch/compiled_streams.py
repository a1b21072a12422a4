"""Compiled code on streams, and captured with them."""
import os

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

import torch
from observing import Case

case = Case("torch.compiled_streams")


def fresh(function, **options):
    torch._dynamo.reset()
    return torch.compile(function, **options)


def work(a):
    return (a * 2 + 1).relu().sum(-1)


stream = torch.cuda.Stream()
function = fresh(work)
big = torch.randn(512, 512, device="cuda")
torch.cuda.synchronize()
with torch.cuda.stream(stream):
    found = function(big)
    event = stream.record_event()
    case.observe("stream.current_after", torch.cuda.current_stream() == stream)
case.observe("stream.restored", torch.cuda.current_stream() == torch.cuda.default_stream())
event.synchronize()
case.observe("stream.after_event", torch.allclose(found, work(big), rtol=1e-4, atol=1e-4))
case.observe("stream.query", stream.query())
torch.cuda.current_stream().wait_stream(stream)
static = torch.ones(8, 8, device="cuda")
with torch.cuda.stream(stream):
    static.fill_(1)
    function(static)
torch.cuda.current_stream().wait_stream(stream)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    kept = function(static)
static.fill_(2)
graph.replay()
case.observe("stream.captured", kept.tolist())
