"""The device code in programs that mcc made."""
import pathlib
import subprocess
import tempfile


def images_of(program):
    """The ELF images of a program's device code, as one text of bytes."""
    # objcopy removes what it was to write when it fails: /dev/stdout, too, where it may.
    with tempfile.TemporaryDirectory() as folder:
        images = pathlib.Path(folder) / 'images'
        subprocess.run(['objcopy', '-O', 'binary', '--only-section=.hip_fatbin', program, images], check=True)
        return images.read_bytes()
