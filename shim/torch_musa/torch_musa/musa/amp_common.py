"""torch.musa.amp.common, as torch.cuda.amp.common."""


def amp_definitely_not_available():
    """No device, so neither autocast nor GradScaler does anything."""
    from torch_musa import _C
    return _C.device_count() == 0
