import torch  # noqa: F401  # its libraries first

from ._C import squares  # noqa: F401
