"""Installs Triton's backend for MUSA devices: pip install --no-build-isolation ."""
from setuptools import find_packages, setup

setup(
    name='triton_musa',
    version='0.1.0',
    description="Triton's backend for emulated MUSA devices",
    license='Apache-2.0',
    packages=find_packages(include=['triton_musa', 'triton_musa.*']),
    package_data={'triton_musa': ['include/*.h']},
    entry_points={'triton.backends': ['mtgpu = triton_musa']},
    python_requires='>=3.10',
)
