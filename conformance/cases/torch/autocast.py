"""Autocast: which operation runs in which type; GradScaler's factor."""
import torch
import torch.nn.functional as F
from observing import Case

case = Case("torch.autocast")
x = torch.rand(4, 4, device="cuda")
h = x.half()
image = torch.rand(1, 1, 6, 6, device="cuda")
kernel = torch.rand(1, 1, 3, 3, device="cuda")
long = torch.tensor([0, 1, 2, 3], device="cuda")
operations = {
    "matmul": lambda: x @ x, "mm_of_half": lambda: h @ x, "bmm": lambda: torch.bmm(x[None], x[None]), "linear": lambda: F.linear(x, x),
    "conv2d": lambda: F.conv2d(image, kernel), "einsum": lambda: torch.einsum("ij,jk", x, x), "addmm": lambda: torch.addmm(x, x, x),
    "add": lambda: x + x, "add_mixed": lambda: x + h, "mul_half": lambda: h * h, "relu": lambda: F.relu(h), "softmax": lambda: h.softmax(1),
    "log_softmax": lambda: h.log_softmax(1), "exp": lambda: h.exp(), "pow": lambda: h.pow(2), "log": lambda: h.log(),
    "sum": lambda: h.sum(), "prod": lambda: h.prod(), "mean": lambda: h.mean(), "norm": lambda: h.norm(), "cumsum": lambda: h.cumsum(0),
    "layer_norm": lambda: F.layer_norm(h, (4,)), "gelu": lambda: F.gelu(h), "sigmoid": lambda: h.sigmoid(), "tanh": lambda: h.tanh(),
    "cross_entropy": lambda: F.cross_entropy(h, long), "mse_loss": lambda: F.mse_loss(h, h), "nll_loss": lambda: F.nll_loss(h, long),
    "cat_mixed": lambda: torch.cat([x, h]), "stack_mixed": lambda: torch.stack([x, h]), "dot": lambda: torch.dot(x[0], h[0]),
    "cosine": lambda: F.cosine_similarity(h, h), "cdist": lambda: torch.cdist(h, h), "attention": lambda: F.scaled_dot_product_attention(x[None], x[None], x[None]),
    "prelu": lambda: F.prelu(x, x[0]), "batch_norm": lambda: F.batch_norm(h, None, None, training=True), "dropout": lambda: F.dropout(h),
    "addcmul": lambda: torch.addcmul(x, h, h), "atan2": lambda: torch.atan2(x, h), "int_matmul": lambda: long + 1,
    "double": lambda: x.double() @ x.double(), "binary_cross_entropy": lambda: F.binary_cross_entropy(h.sigmoid(), h),
    "with_logits": lambda: F.binary_cross_entropy_with_logits(h, h), "embedding": lambda: F.embedding(long, x), "lstm_cell": lambda: torch.nn.LSTMCell(4, 4).cuda()(x)[0],
}
for kind in (torch.float16, torch.bfloat16):
    short = str(kind).removeprefix("torch.")
    for name, operation in operations.items():
        with torch.autocast("cuda", dtype=kind):
            case.outcome(f"{short}.{name}", lambda operation=operation: operation().dtype, message=False)

case.observe("enabled.outside", torch.is_autocast_enabled("cuda"))
with torch.autocast("cuda"):
    case.observe("default.type", (x @ x).dtype)
    case.observe("enabled.inside", torch.is_autocast_enabled("cuda"))
    case.observe("enabled.of_cpu", torch.is_autocast_enabled("cpu"))
    case.observe("type", torch.get_autocast_dtype("cuda"))
    with torch.autocast("cuda", enabled=False):
        case.observe("disabled.type", (x @ x).dtype)
        case.outcome("disabled.mixed", lambda: (h @ x).dtype, message=False)
    case.observe("again.type", (x @ x).dtype)
    case.observe("in_place", x.clone().add_(h).dtype)
    case.observe("cpu_tensor", (torch.ones(2, 2) @ torch.ones(2, 2)).dtype)
with torch.autocast("cpu"):
    case.observe("cpu_autocast_leaves", (x @ x).dtype)
with torch.autocast("cuda", dtype=torch.float64):
    case.observe("other_type_is_off", torch.is_autocast_enabled("cuda"))
case.observe("bf16_supported", torch.cuda.is_bf16_supported())

# The scaler.
weight = torch.ones(2, device="cuda", requires_grad=True)
optimiser = torch.optim.SGD([weight], lr=0.5)
scaler = torch.amp.GradScaler("cuda", growth_interval=2)
case.observe("scaler.enabled", scaler.is_enabled())
case.observe("scaler.scale_before", scaler.get_scale())


def step(factor):
    optimiser.zero_grad()
    scaler.scale((weight * factor).sum()).backward()
    scaler.step(optimiser)
    scaler.update()
    return f"{weight.tolist()} {scaler.get_scale()}"


case.outcome("scaler.step", lambda: step(1.0))
case.outcome("scaler.grows", lambda: step(1.0))
case.outcome("scaler.inf_skips", lambda: step(float("inf")))
case.outcome("scaler.nan_skips", lambda: step(float("nan")))
case.outcome("scaler.goes_on", lambda: step(1.0))
optimiser.zero_grad()
scaler.scale(weight.sum()).backward()
scaler.unscale_(optimiser)
case.observe("scaler.unscaled", weight.grad.tolist())
case.outcome("scaler.unscaled_twice", lambda: scaler.unscale_(optimiser))
scaler.step(optimiser)
case.outcome("scaler.step_twice", lambda: scaler.step(optimiser))
scaler.update()
case.outcome("scaler.nothing_scaled", lambda: torch.amp.GradScaler("cuda").step(optimiser))
case.observe("scaler.state", sorted(scaler.state_dict()))
case.outcome("scaler.cpu_output", lambda: scaler.scale(torch.ones(1)).item())
case.observe("scaler.old_name", type(torch.cuda.amp.GradScaler()).__name__)
