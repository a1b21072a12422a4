"""torch.compile for musa: against the same operators one by one."""
import pytest
import torch
import torch._dynamo.testing

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


def test_stream_within():
    """One graph, whose work is on the stream."""
    def function(x):
        stream, before = torch.musa.Stream(), torch.musa.current_stream()
        stream.wait_stream(before)
        with torch.musa.stream(stream):
            y = x * 2
        before.wait_stream(stream)
        return y + 1
    x = torch.randn(1000, device='musa')
    told = torch._dynamo.explain(function)(x)
    assert (told.graph_count, told.graph_break_count) == (1, 0)
    torch._dynamo.reset()
    assert torch.equal(torch.compile(function, fullgraph=True)(x), x * 2 + 1)


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


def test_graphs_of_the_device():
    """mode="reduce-overhead": one graph, replayed with other inputs; the next call overwrites what an earlier one gave, as on a card."""
    from torch_musa.inductor import graphs
    made = []
    captured = graphs.Captured

    class Counted(captured):
        def __init__(self, *arguments, **more):
            super().__init__(*arguments, **more)
            made.append(self)
    weight = torch.randn(8, 8, device='musa')
    function = torch.compile(lambda x: ((x @ weight).relu() + 1).sum(-1), mode='reduce-overhead')
    graphs.Captured = Counted
    try:
        inputs = [torch.randn(4, 8, device='musa') for _ in range(3)]
        found, kept = [], []
        for x in inputs:
            found.append(function(x))
            kept.append(found[-1].clone())
    finally:
        graphs.Captured = captured
    assert len(made) == 1
    for x, y in zip(inputs, kept):
        torch.testing.assert_close(y, ((x @ weight).relu() + 1).sum(-1))
    assert torch.equal(found[0], found[-1])


class Counts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('seen', torch.zeros(4))

    def forward(self, x):
        self.seen.add_(x)
        return self.seen * 2


def test_graphs_change_what_they_are_given_once():
    """A buffer, which graphs have as it is, and an input, which no graph may have."""
    plain, graphs = Counts().to('musa'), Counts().to('musa')
    compiled = torch.compile(graphs, mode='reduce-overhead')
    with torch.no_grad():
        for turn in range(4):
            x = torch.full((4,), float(turn + 1), device='musa')
            assert compiled(x).tolist() == plain(x).tolist()
    assert graphs.seen.tolist() == plain.seen.tolist() == [10.0] * 4

    def function(a):
        b = a + 1
        a.copy_(b)
        return a * b / (a + 2)
    torch._dynamo.reset()
    compiled = torch.compile(function, mode='reduce-overhead')
    given, same = (torch.arange(4.0, device='musa') for _ in range(2))
    results = []
    for _ in range(3):
        results.append(compiled(given))
        torch.testing.assert_close(results[-1], function(same))
        torch.testing.assert_close(given, same)
    assert results[0].tolist() != results[1].tolist()


def test_random_numbers_of_graphs():
    """The same seed, the same numbers, though the first call captures; each replay has others."""
    function = torch.compile(lambda x: torch.nn.functional.dropout(x, 0.5, True), mode='reduce-overhead')
    x = torch.ones(256, device='musa')
    runs = []
    for _ in range(2):
        torch.manual_seed(7)
        runs.append([function(x).clone() for _ in range(3)])
    assert all(map(torch.equal, *runs)) and not torch.equal(runs[0][1], runs[0][2])


def test_training_by_graphs_of_the_device():
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2)).to('musa')
    step = torch.compile(model, mode='reduce-overhead')
    for _ in range(3):
        x = torch.randn(4, 8, device='musa')
        expected = torch.autograd.grad(model(x).square().sum(), list(model.parameters()))
        found = torch.autograd.grad(step(x).square().sum(), list(model.parameters()))
        for a, b in zip(found, expected):
            torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)


def test_export():
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU()).to('musa')
    x = torch.randn(4, 8, device='musa')
    exported = torch.export.export(model, (x,), dynamic_shapes=({0: torch.export.Dim('batch')},))
    y = torch.randn(7, 8, device='musa')
    torch.testing.assert_close(exported.module()(y), model(y))


def test_flex_attention():
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention
    q, k, v = (torch.randn(1, 2, 128, 16, device='musa') for _ in range(3))
    mask = create_block_mask(lambda b, h, i, j: i >= j, 1, 1, 128, 128, device='musa')

    def score(value, b, h, i, j):
        return value + (i - j) * 0.01
    found = torch.compile(flex_attention)(q, k, v, score_mod=score, block_mask=mask)
    places = torch.arange(128, device='musa')
    bias = (places[:, None] - places) * 0.01
    bias = bias.masked_fill(places[:, None] < places, float('-inf'))
    torch.testing.assert_close(found, torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize('dtype', [torch.float16, torch.bfloat16])
def test_layer_norm_is_summed_in_single_precision(dtype):
    """The gradients of weight and bias are sums of a batch's rows: in 16 bits they would be wrong by several percent."""
    x, gradient = torch.randn(1000, 64, device='musa').to(dtype), (torch.randn(1000, 64, device='musa') * 0.1).to(dtype)
    weight, bias = (torch.rand(64, device='musa').to(dtype).requires_grad_() for _ in range(2))
    out, mean, rstd = torch.native_layer_norm(x, (64,), weight, bias, 1e-5)
    assert out.dtype == dtype and mean.dtype == rstd.dtype == torch.float32
    found = torch.autograd.grad(torch.nn.functional.layer_norm(x, (64,), weight, bias), [weight, bias], gradient)
    wide = [value.detach().double().cpu().requires_grad_() for value in (weight, bias)]
    expected = torch.autograd.grad(torch.nn.functional.layer_norm(x.double().cpu(), (64,), *wide), wide, gradient.double().cpu())
    for a, b in zip(found, expected):
        assert a.dtype == dtype
        torch.testing.assert_close(a.double().cpu(), b, rtol=torch.finfo(dtype).eps, atol=0.01 if dtype == torch.float16 else 0.05)


def test_template_of_products(monkeypatch):
    """max-autotune tries Triton's blocks where the device is large enough, and takes one of them where no library's is asked for."""
    from torch._inductor.utils import run_and_get_code
    monkeypatch.setattr(torch._inductor.utils, 'is_big_gpu', lambda *_: True)
    x, y, bias = (torch.randn(96, 96, device='musa') for _ in range(3))
    options = {'max_autotune': True, 'max_autotune_gemm_backends': 'TRITON'}
    for function in (lambda x, y, z: torch.relu(x @ y), lambda x, y, z: torch.addmm(z, x, y)):
        torch._dynamo.reset()
        found, (code, *_) = run_and_get_code(torch.compile(function, options=options), x, y, bias)
        assert 'triton_tem_fused' in code
        torch.testing.assert_close(found.cpu(), function(x.cpu(), y.cpu(), bias.cpu()), rtol=1e-4, atol=1e-4)
