"""torch.compile for musa: against the same operators one by one."""
import pytest
import torch

pytest.importorskip('triton')
if not torch.__version__.startswith('2.15.'):
    pytest.skip('Inductor has code for musa devices since PyTorch 2.15', allow_module_level=True)


@pytest.fixture(autouse=True)
def afresh():
    torch._dynamo.reset()
    torch.manual_seed(0)
    yield


def compiled_code(function, *arguments):
    from torch._inductor.utils import run_and_get_code
    return run_and_get_code(torch.compile(function), *arguments)


@pytest.mark.core
def test_softmax_is_one_kernel():
    def softmax(x, y):
        return torch.softmax(x * 2 + y.sin(), -1)
    x, y = torch.randn(8, 300, device='musa'), torch.randn(8, 300, device='musa')
    found, code = compiled_code(softmax, x, y)
    torch.testing.assert_close(found, softmax(x, y))
    assert found.device == x.device
    assert code[0].count('@triton.jit') == 1 and "'musa'" in code[0]


def test_training_step():
    model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.LayerNorm(64), torch.nn.Linear(64, 4)).to('musa')
    x = torch.randn(16, 32, device='musa', requires_grad=True)
    step = torch.compile(model)
    expected = torch.autograd.grad(model(x).square().sum(), [x, *model.parameters()])
    found = torch.autograd.grad(step(x).square().sum(), [x, *model.parameters()])
    for a, b in zip(found, expected):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)


def test_autocast():
    model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 4)).to('musa')
    x = torch.randn(16, 32, device='musa')
    with torch.autocast('musa', dtype=torch.bfloat16):
        found, expected = torch.compile(model)(x), model(x)
    assert found.dtype == torch.bfloat16
    torch.testing.assert_close(found, expected, rtol=2e-2, atol=2e-2)


def test_sizes_that_change():
    counts = torch._dynamo.testing.CompileCounterWithBackend('inductor')
    function = torch.compile(lambda x: (x.exp() + 1).log().sum(0), dynamic=True, backend=counts)
    for n in (3, 17, 100):
        x = torch.randn(n, n + 1, device='musa')
        torch.testing.assert_close(function(x), (x.exp() + 1).log().sum(0), rtol=1e-4, atol=1e-4)
    assert counts.frame_count == 1


def test_transformer_layer():
    layer = torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True).to('musa')
    x = torch.randn(2, 8, 32, device='musa')
    torch.testing.assert_close(torch.compile(layer)(x), layer(x), rtol=1e-4, atol=1e-4)


def test_current_stream():
    stream = torch.musa.Stream()
    x = torch.randn(1000, device='musa')
    torch.musa.synchronize()
    function = torch.compile(lambda x: (x * 2).relu() + 1)
    with torch.musa.stream(stream):
        found = function(x)
    stream.synchronize()
    assert torch.equal(found, (x * 2).relu() + 1)


def test_second_device():
    x = torch.randn(100, device='musa:1')
    found = torch.compile(lambda x: x.sigmoid() * 3)(x)
    assert found.device == torch.device('musa:1')
    torch.testing.assert_close(found, x.sigmoid() * 3)


def test_kernel_of_triton_in_compiled_code():
    import triton
    from test_triton import add_kernel

    def sum_(x, y):
        z = torch.empty_like(x)
        add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, z, x.numel(), BLOCK=256)
        return z * 2
    x, y = torch.randn(500, device='musa'), torch.randn(500, device='musa')
    assert torch.equal(torch.compile(sum_, fullgraph=True)(x, y), (x + y) * 2)
