"""Sparse tensors on musa devices: the CPU's kernels on their indices and values."""
import copy
import io

import pytest
import torch

torch.manual_seed(0)
DENSE = (torch.rand(6, 5) > 0.6) * torch.randn(6, 5)
OTHER = torch.randn(5, 4)
LAYOUTS = {'coo': lambda x: x.to_sparse(), 'csr': lambda x: x.to_sparse_csr(), 'csc': lambda x: x.to_sparse_csc(),
           'bsr': lambda x: x.to_sparse_bsr((2, 5))}
OPERATIONS = {
    'to_dense': lambda x, y: x, 'times': lambda x, y: x * 2, 'plus': lambda x, y: x + x, 'transposed': lambda x, y: x.t(), 'sin': lambda x, y: x.sin(),
    'double': lambda x, y: x.double(), 'clone': lambda x, y: x.clone(), 'there_and_back': lambda x, y: x.cpu().to(y.device),
    'product': lambda x, y: x @ y, 'sparse_product': lambda x, y: x @ x.t(),
    'added_product': lambda x, y: torch.addmm(torch.ones(6, 4, device=y.device), x, y),
    'values': lambda x, y: (x.coalesce() if x.layout == torch.sparse_coo else x).values()}
# What PyTorch does not have for blocks that are not square.
MISSING = {('bsr', 'product'), ('bsr', 'sparse_product'), ('bsr', 'added_product')}


def same(ours, theirs):
    ours, theirs = (x.to_dense() if x.layout != torch.strided else x for x in (ours, theirs))
    assert ours.device.type == 'musa'
    torch.testing.assert_close(ours.cpu(), theirs)


@pytest.mark.parametrize('layout', LAYOUTS)
@pytest.mark.parametrize('operation', OPERATIONS)
def test_operations(layout, operation):
    if (layout, operation) in MISSING:
        pytest.skip('PyTorch has none on the CPU')
    make, run = LAYOUTS[layout], OPERATIONS[operation]
    ours = make(DENSE.musa())
    assert ours.device.type == 'musa' and ours._nnz() == make(DENSE)._nnz()
    same(run(ours, OTHER.musa()), run(make(DENSE), OTHER))


@pytest.mark.core
def test_gradients_and_optimizers():
    matrix, dense = DENSE.to_sparse(), OTHER.clone()
    ours = [x.musa().requires_grad_() for x in (matrix, dense)]
    theirs = [x.clone().requires_grad_() for x in (matrix, dense)]
    for pair in (ours, theirs):
        torch.sparse.mm(*pair).square().sum().backward()
    for ours_, theirs_ in zip(ours, theirs):
        same(ours_.grad, theirs_.grad)
    table = torch.nn.Embedding(10, 3, sparse=True)
    tables = [table, copy.deepcopy(table).musa()]
    for one in tables:
        optimizer = torch.optim.SparseAdam(one.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            one(torch.tensor([1, 2, 2], device=one.weight.device)).square().sum().backward()
            optimizer.step()
    assert tables[1].weight.grad.is_sparse
    same(tables[1].weight.detach(), table.weight.detach())


def test_in_place_views_and_files():
    ours = DENSE.to_sparse().musa()
    ours.add_(ours)
    same(ours, DENSE * 2)
    ours = ours.coalesce()
    assert ours.is_coalesced()
    ours.values().mul_(0.5)
    same(ours, DENSE)
    file = io.BytesIO()
    torch.save(ours, file)
    file.seek(0)
    same(torch.load(file), DENSE)
    assert "device='musa:0'" in str(ours)


def test_wrong_devices_are_refused():
    with pytest.raises(RuntimeError, match='Expected all tensors to be on the same device'):
        DENSE.to_sparse().musa() @ OTHER
    with pytest.raises(RuntimeError, match='copy_.. between dense and sparse'):
        DENSE.to_sparse().musa().copy_(DENSE)
