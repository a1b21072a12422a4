"""Compiled code: random numbers, autocast, gradients."""
import os

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

import torch
from observing import Case

case = Case("torch.compiled_values")
torch.manual_seed(0)
x = torch.randn(4, 6, device="cuda")
y = torch.randn(4, 6, device="cuda")


def fresh(function, **options):
    torch._dynamo.reset()
    return torch.compile(function, **options)


# Random numbers.
function = fresh(lambda a: torch.nn.functional.dropout(a, 0.5))
ones = torch.ones(64, 64, device="cuda")
torch.manual_seed(1)
first = function(ones)
torch.manual_seed(1)
case.observe("random.same_seed", torch.equal(first, function(ones)))
case.observe("random.goes_on", torch.equal(first, function(ones)))
case.observe("random.values", sorted(first.unique().tolist()))
torch.cuda.manual_seed(1)
case.observe("random.seed_of_device", torch.equal(first, function(ones)))
torch.manual_seed(1)
case.observe("random.like_eager", torch.equal(first, torch.nn.functional.dropout(ones, 0.5)))

# Autocast.
function = fresh(lambda a: ((a @ a.t()), (a @ a.t()).softmax(-1), a + 1))
with torch.autocast("cuda", dtype=torch.bfloat16):
    case.observe("autocast.types", [value.dtype for value in function(x)])
case.observe("autocast.left", [value.dtype for value in function(x)])


def inside(a):
    with torch.autocast("cuda", dtype=torch.float16):
        return a @ a.t()


case.observe("autocast.inside", fresh(inside)(x).dtype)

# Gradients.
leaf = x.clone().requires_grad_()
function = fresh(lambda a: (a.sin() * y).sum())
loss = function(leaf)
case.observe("gradient.function", loss.grad_fn is not None)
loss.backward()
case.observe("gradient.device", leaf.grad.device)
case.observe("gradient.right", torch.allclose(leaf.grad, leaf.detach().cos() * y, rtol=1e-4, atol=1e-5))
case.outcome("gradient.again", loss.backward, message=False)


def twice():
    first, = torch.autograd.grad(function(leaf), leaf, create_graph=True)
    return torch.autograd.grad(first.sum(), leaf)[0].device


case.outcome("gradient.second", twice, message=False)
with torch.no_grad():
    case.observe("gradient.off", function(leaf).requires_grad)
with torch.inference_mode():
    case.observe("gradient.inference", function(x).is_inference())
