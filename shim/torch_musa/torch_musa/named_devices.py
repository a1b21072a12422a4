"""Where PyTorch's Python asks for devices by their names, and leaves out those that are not its own."""
import functools

import torch

from torch_musa.imports import when_imported

_library = torch.library.Library('aten', 'IMPL')


def _is_ours(value):
    return isinstance(value, torch.Tensor) and value.device.type == 'musa'


def _device(index):
    return torch.device('cpu') if index in (-1, 'cpu', torch.device('cpu')) else torch.device('musa', torch._utils._get_device_index(index, True))


def _broadcast_coalesced(tensors, devices, buffer_size=0):
    return [[tensor if tensor.device == _device(device) else tensor.to(_device(device), copy=True) for tensor in tensors]
            for device in devices]


def _scatter(tensor, devices, chunk_sizes, dim, streams):
    chunks = tensor.chunk(len(devices), dim) if chunk_sizes is None else tensor.split(list(chunk_sizes), dim)
    parts = []
    for chunk, device, stream in zip(chunks, devices, streams or [None] * len(devices)):
        with torch.musa.stream(stream):
            parts.append(chunk.to(_device(device), non_blocking=True))
    return tuple(parts)


def _between_devices(comm):
    """torch.nn.DataParallel's ways: PyTorch has them in C++, for CUDA."""
    originals = comm.broadcast, comm.broadcast_coalesced, comm.scatter, comm.gather

    @functools.wraps(comm.broadcast)
    def broadcast(tensor, devices=None, *, out=None):
        if not _is_ours(tensor):
            return originals[0](tensor, devices, out=out)
        if out is not None:
            return tuple(one.copy_(tensor, non_blocking=True) for one in out)
        return tuple(copies[0] for copies in _broadcast_coalesced([tensor], devices))

    @functools.wraps(comm.broadcast_coalesced)
    def broadcast_coalesced(tensors, devices, buffer_size=10485760):
        if not all(_is_ours(tensor) for tensor in tensors):
            return originals[1](tensors, devices, buffer_size)
        return _broadcast_coalesced([torch._utils._handle_complex(tensor) for tensor in tensors], devices)

    @functools.wraps(comm.scatter)
    def scatter(tensor, devices=None, chunk_sizes=None, dim=0, streams=None, *, out=None):
        if out is not None or not (_is_ours(tensor) or tensor.device.type == 'cpu'):
            return originals[2](tensor, devices, chunk_sizes, dim, streams, out=out)
        return _scatter(torch._utils._handle_complex(tensor), devices, chunk_sizes, dim, streams)

    @functools.wraps(comm.gather)
    def gather(tensors, dim=0, destination=None, *, out=None):
        tensors = [torch._utils._handle_complex(tensor) for tensor in tensors]
        if not all(_is_ours(tensor) for tensor in tensors):
            return originals[3](tensors, dim, destination, out=out)
        if out is not None:
            return torch.cat([tensor.to(out.device) for tensor in tensors], dim, out=out)
        return torch.cat([tensor.to(_device(destination), non_blocking=True) for tensor in tensors], dim)

    comm.broadcast, comm.broadcast_coalesced, comm.scatter, comm.gather = broadcast, broadcast_coalesced, scatter, gather


def _flexible_attention(module):
    validate = getattr(module, '_validate_device', None)
    if validate is not None:
        module._validate_device = lambda query, key, value: None if _is_ours(query) else validate(query, key, value)


def register():
    when_imported('torch.nn.parallel.comm', _between_devices)
    when_imported('torch.nn.attention.flex_attention', _flexible_attention)
    # Nested tensors of strided layout are not there: torch.nn.TransformerEncoder goes without them.
    _library.impl('_nested_tensor_from_mask_left_aligned', lambda source, mask: False, 'PrivateUse1')
