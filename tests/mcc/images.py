"""The device code in programs that mcc made."""
import subprocess


def images_of(program):
    """The ELF images of a program's device code, as one text of bytes."""
    return subprocess.run(['objcopy', '-O', 'binary', '--only-section=.hip_fatbin', program, '/dev/stdout'],
                          capture_output=True, check=True).stdout
