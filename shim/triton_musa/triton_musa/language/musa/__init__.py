"""`triton.language.extra.musa`, by the name that the vendor's Triton has it by."""
from . import libdevice

__all__ = ['libdevice']
