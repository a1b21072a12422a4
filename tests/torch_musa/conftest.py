"""Four emulated devices; PyTorch with torch_musa as scripts/torch_tests has made it."""
import os

os.environ.setdefault('MUSASHIM_DEVICES', '4')
