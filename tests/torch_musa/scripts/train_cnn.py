"""A ResNet-like network on one device, or with --device cpu; the losses are written to --out."""
import argparse
import json
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, count):
        self.images = torch.randn(count, 3, 16, 16, generator=torch.Generator().manual_seed(0))
        self.labels = (self.images.mean((1, 2, 3)) > 0).long()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


class Block(nn.Module):
    def __init__(self, inside, outside, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside)
        self.conv2, self.bn2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False), nn.BatchNorm2d(outside)
        self.down = nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)), inplace=True)
        return F.relu(self.bn2(self.conv2(y)) + self.down(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 1, 1), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(2))
        self.layers, self.head = nn.Sequential(Block(8, 8, 1), Block(8, 16, 2)), nn.Linear(16, 2)

    def forward(self, x):
        return self.head(torch.flatten(F.adaptive_avg_pool2d(self.layers(self.stem(x)), 1), 1))


def checkpoint(net, optimizer, scaler, device):
    """The same network once more, from a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'state.pt')
        torch.save({'net': net.state_dict(), 'optimizer': optimizer.state_dict(), 'scaler': scaler.state_dict()}, path)
        state = torch.load(path, map_location=device, weights_only=True)
        assert all(value.device.type == 'cpu' for value in torch.load(path, map_location='cpu', weights_only=True)['net'].values())
    again = Net().to(device, memory_format=torch.channels_last)
    again.load_state_dict(state['net'])
    optimizer.load_state_dict(state['optimizer'])
    scaler.load_state_dict(state['scaler'])
    return again


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--device', default='cuda')
    parser.add_argument('--amp', action='store_true')
    parser.add_argument('--out', required=True)
    arguments = parser.parse_args()
    device = torch.device(arguments.device)
    torch.manual_seed(7)
    torch.cuda.manual_seed_all(7)
    torch.backends.cudnn.benchmark = True
    net = Net().to(device, memory_format=torch.channels_last)
    loader = DataLoader(Images(96), 32, shuffle=True, num_workers=2, pin_memory=device.type == 'cuda', persistent_workers=True,
                        generator=torch.Generator().manual_seed(1))
    groups = [{'params': [one for one in net.parameters() if one.dim() > 1], 'weight_decay': 1e-4},
              {'params': [one for one in net.parameters() if one.dim() == 1]}]
    optimizer = torch.optim.SGD(groups, lr=0.05, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=6)
    scaler, criterion = GradScaler(enabled=arguments.amp), nn.CrossEntropyLoss(label_smoothing=0.05).to(device)
    averaged, losses = torch.optim.swa_utils.AveragedModel(net), []
    for _ in range(2):
        for images, labels in loader:
            images = images.to(device, non_blocking=True, memory_format=torch.channels_last)
            labels = labels.to(device, non_blocking=True)
            optimizer.zero_grad(set_to_none=True)
            with autocast(enabled=arguments.amp):
                loss = criterion(net(images), labels)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            scaler.step(optimizer)
            scaler.update()
            scheduler.step()
            averaged.update_parameters(net)
            losses.append(loss.item())
    again = checkpoint(net, optimizer, scaler, device)
    net.eval(), again.eval()
    with torch.inference_mode():
        images = Images(8).images.to(device)
        assert torch.equal(net(images), again(images))
    if device.type == 'cuda':
        torch.cuda.synchronize()
        assert next(net.parameters()).is_cuda and torch.cuda.max_memory_allocated() > 0
    with open(arguments.out, 'w') as file:
        json.dump(losses, file)


if __name__ == '__main__':
    main()
