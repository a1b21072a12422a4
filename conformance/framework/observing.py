"""What cases in Python use to print what they see: the counterpart of observe.h."""

import re


def neutral(text):
    """`text` without the names that differ between CUDA and MUSA, so that both sides print the same."""
    text = re.sub(r"nccl|mccl", "xccl", str(text), flags=re.IGNORECASE)
    return re.sub(r"\b(cuda|musa)|(?<=_)(cuda|musa)|(?<=[a-z])(Cuda|Musa|CUDA|MUSA)", "gpu", text, flags=re.IGNORECASE)


class Case:
    """One case; prints `observe <case>.<key>=<value>`."""

    def __init__(self, name):
        self._name = name

    def observe(self, key, value):
        """`value` as text, in one line; nothing that depends on time, addresses or the machine."""
        line = " ".join(neutral(value).split())
        print(f"observe {self._name}.{key}={line}", flush=True)

    def outcome(self, key, call, message=True):
        """What `call` gives, or the class of the exception it raises and the first sentence of its message."""
        try:
            value = call()
        except Exception as error:  # whatever comes is what is asked for
            self.observe(key, _class(error))
            if message:
                self.observe(f"{key}.message", re.split(r"\n|(?<=[.!]) ", str(error), maxsplit=1)[0])
            return
        self.observe(key, "ok" if value is None else value)


def _class(error):
    """The exception's class, by the name that users catch."""
    kind = type(error)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
