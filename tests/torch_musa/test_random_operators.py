"""Operators that draw numbers, by their statistics: each against its distribution function, and its first moments."""
import math

import pytest
import torch

COUNT = 20000


def normal(mean=0.0, deviation=1.0):
    return lambda x: 0.5 * (1 + torch.erf((x - mean) / (deviation * math.sqrt(2))))


def uniform(low=0.0, high=1.0):
    return lambda x: ((x - low) / (high - low)).clamp(0, 1)


def drawn(name):
    """(numbers, distribution function) of an operator."""
    empty = torch.empty(COUNT, device='musa')
    like = torch.empty(COUNT, device='musa', dtype=torch.float32)
    return {
        'rand': lambda: (torch.rand(COUNT, device='musa'), uniform()),
        'rand_like': lambda: (torch.rand_like(like), uniform()),
        'randn': lambda: (torch.randn(COUNT, device='musa'), normal()),
        'randn_like': lambda: (torch.randn_like(like), normal()),
        'normal.numbers': lambda: (torch.normal(2.0, 3.0, (COUNT,), device='musa'), normal(2, 3)),
        'normal.tensors': lambda: (torch.normal(empty.fill_(2.0), empty.clone().fill_(3.0)), normal(2, 3)),
        'normal_': lambda: (empty.normal_(-1, 0.5), normal(-1, 0.5)),
        'uniform_': lambda: (empty.uniform_(-2, 6), uniform(-2, 6)),
        'exponential_': lambda: (empty.exponential_(1.5), lambda x: 1 - torch.exp(-1.5 * x)),
        'cauchy_': lambda: (empty.cauchy_(1.0, 2.0), lambda x: 0.5 + torch.atan((x - 1) / 2) / math.pi),
        'log_normal_': lambda: (empty.log_normal_(0.5, 0.75), lambda x: normal(0.5, 0.75)(x.log())),
        'rrelu': lambda: (-torch.nn.functional.rrelu(torch.full((COUNT,), -1.0, device='musa'), 0.1, 0.3, training=True), uniform(0.1, 0.3)),
    }[name]()


@pytest.mark.parametrize('name', ['rand', 'rand_like', 'randn', 'randn_like', 'normal.numbers', 'normal.tensors', 'normal_', 'uniform_', 'exponential_', 'cauchy_',
                                  'log_normal_', 'rrelu'])
def test_a_distribution(name):
    """Kolmogorov's and Smirnov's distance; more than the limit has a chance of 1e-6."""
    torch.manual_seed(11)
    numbers, distribution = drawn(name)
    assert numbers.is_musa
    ordered = numbers.cpu().double().sort()[0]
    expected = distribution(ordered)
    ranks = torch.arange(COUNT + 1, dtype=torch.float64) / COUNT
    distance = max((ranks[1:] - expected).max(), (expected - ranks[:-1]).max()).item()
    assert distance < math.sqrt(-math.log(1e-6 / 2) / 2 / COUNT), distance


def close(numbers, mean, variance):
    """The mean lies within five of its standard deviations."""
    assert abs(numbers.double().mean().item() - mean) < 5 * math.sqrt(variance / numbers.numel())


@pytest.mark.parametrize('dtype', [torch.float32, torch.float16, torch.bfloat16, torch.int64])
def test_of_whole_numbers(dtype):
    torch.manual_seed(12)
    close(torch.randint(-3, 8, (COUNT,), device='musa', dtype=dtype).cpu(), 2, 10)
    close(torch.randint_like(torch.empty(COUNT, device='musa', dtype=dtype), 5).cpu(), 2, 2)
    close(torch.empty(COUNT, device='musa', dtype=dtype).bernoulli_(0.3).cpu(), 0.3, 0.21)
    close(torch.empty(COUNT, device='musa', dtype=dtype).random_(0, 11).cpu(), 5, 10)
    close(torch.empty(COUNT, device='musa', dtype=torch.float32).geometric_(0.25).cpu(), 4, 12)
    assert sorted(torch.randperm(1000, device='musa').tolist()) == list(range(1000))


def test_of_given_chances():
    torch.manual_seed(13)
    chances = torch.tensor([0.1, 0.0, 0.6, 0.3], device='musa')
    counts = torch.multinomial(chances, COUNT, replacement=True).cpu().bincount(minlength=4) / COUNT
    assert (counts - chances.cpu()).abs().max() < 0.02 and counts[1] == 0
    assert sorted(torch.multinomial(chances, 3).tolist()) == [0, 2, 3]
    rates = torch.full((COUNT,), 4.0, device='musa')
    close(torch.poisson(rates).cpu(), 4, 4)
    close(torch.binomial(torch.full((COUNT,), 10.0, device='musa'), torch.full((COUNT,), 0.3, device='musa')).cpu(), 3, 2.1)
    close(torch.bernoulli(torch.full((COUNT,), 0.7, device='musa')).cpu(), 0.7, 0.21)


@pytest.mark.parametrize('drop', [torch.nn.functional.dropout, torch.nn.functional.alpha_dropout, torch.nn.functional.feature_alpha_dropout,
                                  torch.nn.functional.dropout2d])
def test_of_dropout(drop):
    torch.manual_seed(14)
    x = torch.ones(200, 100, 1, 1, device='musa', requires_grad=True)
    y = drop(x, 0.25, training=True)
    kept = y == y.max()
    close(kept.float().cpu(), 0.75, 0.1875)
    y.sum().backward()
    assert ((x.grad != 0) == kept).all() and drop(x, 0.25, training=False).equal(x)


def test_other_numbers_each_time():
    torch.manual_seed(15)
    first, second = torch.rand(100, device='musa'), torch.rand(100, device='musa')
    assert not torch.equal(first, second)
