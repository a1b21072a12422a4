"""Graphs: what is captured runs again with what lies in its inputs then."""
import torch
from observing import Case

case = Case("torch.graphs")
x = torch.ones(4, device="cuda")
warm = torch.cuda.Stream()
with torch.cuda.stream(warm):
    y = x * 2 + 1
torch.cuda.current_stream().wait_stream(warm)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    case.observe("capturing", torch.cuda.is_current_stream_capturing())
    y = x * 2 + 1
case.observe("capturing.after", torch.cuda.is_current_stream_capturing())
graph.replay()
case.observe("first", y.tolist())
x.fill_(5)
case.observe("unchanged", y.tolist())
graph.replay()
case.observe("second", y.tolist())
x.copy_(torch.tensor([1.0, 2.0, 3.0, 4.0]))
for _ in range(3):
    graph.replay()
case.observe("third", y.tolist())

# Work that builds on itself.
total = torch.zeros(1, device="cuda")
counting = torch.cuda.CUDAGraph()
with torch.cuda.graph(counting, stream=warm):
    total += 1
case.observe("not_run_by_capture", total.item())
for _ in range(5):
    counting.replay()
case.observe("five_times", total.item())

# Two graphs with one pool; a matrix product; a training step.
w = torch.eye(4, device="cuda", requires_grad=True)
optimiser = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    optimiser.zero_grad(set_to_none=False) if w.grad is not None else None
    (x @ w).sum().backward()
torch.cuda.synchronize()
training = torch.cuda.CUDAGraph()
with torch.cuda.graph(training, pool=graph.pool()):
    w.grad.zero_()
    loss = (x @ w).sum()
    loss.backward()
    optimiser.step()
training.replay()
torch.cuda.synchronize()
case.observe("training.loss", loss.item())
case.observe("training.weight", [round(value, 4) for value in w[1].tolist()])
training.replay()
case.observe("training.again", round(loss.item(), 4))

# What a capture refuses.
failing = torch.cuda.CUDAGraph()


def capture(work):
    with torch.cuda.graph(failing):
        work()


case.outcome("replay_of_nothing", torch.cuda.CUDAGraph().replay, message=False)
case.outcome("synchronize_while_capturing", lambda: capture(torch.cuda.synchronize), message=False)
torch.cuda.synchronize()
case.observe("after_failure", (x + 1).tolist())
graph.reset()
case.outcome("replay_after_reset", graph.replay, message=False)

# A function as a graph.
callable_ = torch.cuda.make_graphed_callables(torch.nn.Linear(4, 2).cuda(), (torch.ones(3, 4, device="cuda"),))
case.observe("callable.shape", callable_(torch.ones(3, 4, device="cuda")).shape)
