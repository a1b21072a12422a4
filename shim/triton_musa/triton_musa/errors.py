"""What the backend says of kernels that it cannot compile."""


class Unsupported(Exception):
    """A kernel needs what musa lacks; the message is one sentence, the place is put before it."""

    def __init__(self, message, place=None):
        super().__init__(message)
        self.message, self.place = message, place

    def __str__(self):
        return f'{self.place}: {self.message}' if self.place else self.message


class CompilationFailed(Exception):
    """The C++ that was made of a kernel did not compile, which is a fault of the backend's."""
