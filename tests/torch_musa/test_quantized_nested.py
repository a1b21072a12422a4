"""Quantized and nested tensors: against the CPU."""
import pytest
import torch


def test_quantized_and_back():
    x = torch.randn(3, 4)
    expected, found = torch.quantize_per_tensor(x, 0.1, 3, torch.quint8), torch.quantize_per_tensor(x.musa(), 0.1, 3, torch.quint8)
    assert found.device.type == 'musa' and found.is_quantized and (found.q_scale(), found.q_zero_point()) == (0.1, 3)
    assert found.int_repr().device.type == 'musa' and torch.equal(found.int_repr().cpu(), expected.int_repr())
    assert torch.equal(found.dequantize().cpu(), expected.dequantize())
    assert torch.equal(found.cpu().int_repr(), expected.int_repr()) and not found.cpu().is_musa
    assert torch.equal(expected.musa().int_repr().cpu(), expected.int_repr())


def test_quantized_by_channels():
    x, scales, zeros = torch.randn(3, 4), torch.tensor([0.1, 0.2, 0.3], dtype=torch.double), torch.tensor([0, 1, 2])
    expected = torch.quantize_per_channel(x, scales, zeros, 0, torch.qint8)
    there = scales.musa(), zeros.musa()
    found = torch.quantize_per_channel(x.musa(), *there, 0, torch.qint8)
    there[0].zero_()  # the tensor has its own
    assert torch.equal(found.q_per_channel_scales().cpu(), scales) and found.q_per_channel_axis() == 0
    assert torch.equal(found.dequantize().cpu(), expected.dequantize())


def test_views_and_copies_of_quantized():
    q = torch.quantize_per_tensor(torch.arange(12.0).musa(), 0.5, 0, torch.qint8)
    view = q.view(3, 4)[1]
    assert view.is_quantized and view.dequantize().tolist() == [4, 5, 6, 7]
    other = torch.empty_like(q)
    other.copy_(q)
    assert torch.equal(other.dequantize(), q.dequantize()) and other.data_ptr() != q.data_ptr()
    other.copy_(torch.full((12,), 2.25))
    assert other.dequantize().unique().tolist() == [2.0]
    assert torch.equal(q.clone().int_repr(), q.int_repr()) and 'musa' in repr(q)
    assert q.flip(0).dequantize().tolist() == list(range(11, -1, -1)) and q.view(3, 4).flatten().is_quantized
    assert torch.equal(torch.relu(torch.quantize_per_tensor(torch.tensor([-1.0, 1.0]).musa(), 0.5, 4, torch.quint8)).dequantize().cpu(), torch.tensor([0.0, 1.0]))


def test_quantized_refuses_what_is_not():
    q = torch.quantize_per_tensor(torch.ones(3).musa(), 0.5, 0, torch.qint8)
    with pytest.raises(RuntimeError, match='dequantize'):
        torch.empty(3, device='musa').copy_(q)


@pytest.mark.parametrize('layout', [torch.strided, torch.jagged])
def test_nested(layout):
    torch.manual_seed(0)
    parts = [torch.randn(2, 4), torch.randn(5, 4)]
    there = torch.nested.nested_tensor([part.musa() for part in parts], layout=layout)
    here = torch.nested.nested_tensor(parts, layout=layout)
    assert there.device.type == 'musa' and there.is_nested and there.layout == layout
    for a, b in zip(there.unbind(), parts):
        assert a.device.type == 'musa' and torch.equal(a.cpu(), b)
    for function in (lambda n: n * 2 + 1, torch.relu, lambda n: torch.nn.functional.softmax(n, -1), lambda n: n.clone()):
        for a, b in zip(function(there).unbind(), function(here).unbind()):
            torch.testing.assert_close(a.cpu(), b)
    padded = torch.nested.to_padded_tensor(there, 0.0)
    assert padded.device.type == 'musa' and torch.equal(padded.cpu(), torch.nested.to_padded_tensor(here, 0.0))
    linear = torch.nn.Linear(4, 3)
    expected = [part.detach() for part in linear(here).unbind()]
    for a, b in zip(linear.musa()(there).unbind(), expected):
        torch.testing.assert_close(a.detach().cpu(), b)


@pytest.mark.parametrize('layout', [torch.strided, torch.jagged])
def test_nested_between_devices(layout):
    parts = [torch.randn(2, 3), torch.randn(4, 3)]
    here = torch.nested.nested_tensor(parts, layout=layout)
    there = here.to('musa:1')
    assert there.device == torch.device('musa:1')
    for a, b in zip(there.cpu().unbind(), parts):
        assert a.device.type == 'cpu' and torch.equal(a, b)
    half = there.to(torch.float16)
    assert half.dtype == torch.float16 and half.device == torch.device('musa:1')


@pytest.mark.parametrize('layout', [torch.strided, torch.jagged])
def test_gradients_of_nested(layout):
    parts = [torch.randn(2, 3, requires_grad=True), torch.randn(4, 3, requires_grad=True)]
    there = [part.detach().musa().requires_grad_() for part in parts]
    for leaves in (parts, there):
        nested = torch.nested.as_nested_tensor(leaves, layout=layout)
        torch.nested.to_padded_tensor(nested * nested, 0.0).sum().backward()
    for a, b in zip(there, parts):
        torch.testing.assert_close(a.grad.cpu(), b.grad)


def test_attention_of_nested():
    torch.manual_seed(0)
    parts = [torch.randn(n, 2, 8) for n in (3, 6)]
    def attention(device):
        nested = torch.nested.nested_tensor([part.to(device) for part in parts], layout=torch.jagged).transpose(1, 2)
        return torch.nn.functional.scaled_dot_product_attention(nested, nested, nested).transpose(1, 2)
    for a, b in zip(attention('musa').unbind(), attention('cpu').unbind()):
        torch.testing.assert_close(a.cpu(), b, rtol=1e-4, atol=1e-5)
