import argparse

import torch

from squares import squares

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
device = torch.device(parser.parse_args().device)
x = torch.arange(1000, dtype=torch.float32).to(device)
y = squares(x)
torch.cuda.synchronize()
print((y != x * x).sum().item(), "wrong")
