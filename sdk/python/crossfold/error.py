"""The exception of the package."""


class Error(Exception):
    """A call that failed, with the message of the library: one line, "cannot <attempt> '<subject>': <finding>;
    <way out>".

    `kind` says what failed: "invalid argument", "bad data", "bad plugin", "input or output", "cancelled", "failed",
    "out of memory", "internal".
    """

    def __init__(self, message, kind="invalid argument"):
        super().__init__(message)
        self.kind = kind
