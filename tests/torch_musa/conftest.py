"""Four emulated devices; PyTorch with torch_musa as scripts/torch_tests has made it."""
import os

os.environ.setdefault('MUSASHIM_DEVICES', '4')


def pytest_configure(config):
    config.addinivalue_line('markers', 'core: of the few that CI runs (scripts/torch_tests --core)')
