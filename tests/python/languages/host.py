"""The host's side of the protocol of docs/languages.md, with the standard library alone: starts a learner as the plugin
`exec` does, and talks to it."""
import array
import fcntl
import json
import os
import signal
import struct
import tempfile
import time

_CODES = {"f64": "d", "f32": "f", "i32": "i", "i64": "q", "bool": "B", "category": "i"}


class Reply(Exception):
    """A reply with an error: `status` and `message`."""

    def __init__(self, reply):
        super().__init__(f"{reply['error']}: {reply['message']}")
        self.status, self.message = reply["error"], reply["message"]


def column(name, kind, values, **more):
    """A column of the table; None in `values` is missing, with a bitmap except in categories."""
    return {"name": name, "type": kind, "values": values, **more}


def _task(classes):
    return "regression" if not classes else "binary" if len(classes) == 2 else "multiclass"


def _packed(code, values):
    return array.array(code, values).tobytes()


class MemoryFile:
    def __init__(self):
        self.fd = os.memfd_create("test", os.MFD_ALLOW_SEALING)
        self.size = self.used = 0

    def put(self, data):
        """Writes the bytes at the next multiple of 64, and returns this. The file grows."""
        at = self.used
        self.used = (at + len(data) + 63) // 64 * 64
        if self.used > self.size:
            self.size = self.used * 2 + 4096
            os.ftruncate(self.fd, self.size)
        os.pwrite(self.fd, data, at)
        return at

    def seal(self):
        fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)

    def describe(self):
        return {"path": f"/proc/{os.getpid()}/fd/{self.fd}", "bytes": self.size}


class Host:
    """A child process with the learner. `command` runs in `folder`. Memory files stay open until close()."""

    def __init__(self, command, folder=".", env=None):
        self.arena, self.known_bytes = MemoryFile(), 0
        self.files, self.logs, self.progress = [self.arena], [], []
        child_in, self._to = os.pipe()
        self._from, child_out = os.pipe()
        self._errors = tempfile.TemporaryFile()
        here = os.getcwd()
        os.chdir(folder)
        try:
            self.pid = os.posix_spawnp(
                command[0], command, {**os.environ, **(env or {})},
                file_actions=[(os.POSIX_SPAWN_DUP2, child_in, 0), (os.POSIX_SPAWN_DUP2, self._errors.fileno(), 1),
                              (os.POSIX_SPAWN_DUP2, self._errors.fileno(), 2),
                              (os.POSIX_SPAWN_DUP2, child_out, 3)])
        finally:
            os.chdir(here)
            os.close(child_in)
            os.close(child_out)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.exit_status = self.close()

    def errors(self):
        """What it wrote to standard output and standard error."""
        self._errors.seek(0)
        return self._errors.read().decode()

    def close(self):
        """Ends it by closing its standard input; returns the exit status."""
        os.close(self._to)
        _, status = os.waitpid(self.pid, 0)
        os.close(self._from)
        for file in self.files:
            os.close(file.fd)
        self._errors.close()
        return os.waitstatus_to_exitcode(status)

    def interrupt(self):
        os.kill(self.pid, signal.SIGINT)

    # ---- messages

    def write(self, text, blob=b""):
        data = struct.pack("<I", len(text)) + text + blob
        while data:
            data = data[os.write(self._to, data):]

    def send(self, message, blob=b""):
        if self.arena.size > self.known_bytes:
            message = {**message, "arena": self.arena.describe()}
            self.known_bytes = self.arena.size
        self.write(json.dumps(message, ensure_ascii=False).encode(), blob)

    def receive(self):
        """The next message, with its bytes as `blob`."""
        message = json.loads(self._read(struct.unpack("<I", self._read(4))[0]))
        if "blob" in message:
            message["blob"] = self._read(message["blob"])
        return message

    def _read(self, n):
        data = b""
        while len(data) < n:
            part = os.read(self._from, n - len(data))
            if not part:
                raise EOFError("the learner ended; its standard error: " + self.errors())
            data += part
        return data

    def reply(self):
        """The reply to what was sent, after the messages before it."""
        while True:
            message = self.receive()
            if "log" in message:
                self.logs.append((message["log"], message["message"]))
            elif "progress" in message:
                self.progress.append(message["progress"])
            elif "error" in message:
                raise Reply(message)
            else:
                return message

    def ask(self, message, blob=b""):
        self.send(message, blob)
        return self.reply()

    def cancel(self, request):
        """Sends the request, waits for the first log line, and cancels it."""
        self.send(request)
        message = self.receive()
        assert "log" in message, message
        self.interrupt()
        started = time.monotonic()
        try:
            self.reply()
        finally:
            self.seconds_to_cancel = time.monotonic() - started

    # ---- requests

    def hello(self):
        return self.ask({"op": "hello", "protocol": 1})

    def describe_table(self, columns):
        rows = len(columns[0]["values"]) if columns else 0
        memory = MemoryFile()
        self.files.append(memory)
        described = []
        for c in columns:
            values = c["values"]
            filler = -1 if c["type"] == "category" else 0
            entries = [filler if v is None else v for v in values]
            d = {k: v for k, v in c.items() if k != "values"}
            d["at"] = memory.put(_packed(_CODES[c["type"]], entries))
            if c["type"] != "category" and None in values:
                bits = bytearray((rows + 7) // 8)
                for i, v in enumerate(values):
                    bits[i // 8] |= (v is not None) << i % 8
                d["validity"] = memory.put(bytes(bits))
            described.append(d)
        memory.seal()
        return {**memory.describe(), "rows": rows, "columns": described}

    def table(self, number, columns):
        self.ask({"op": "table", "table": number, **self.describe_table(columns)})

    def buffer(self, code, values):
        return {"at": self.arena.put(_packed(code, values)), "n": len(values)}

    def _examples(self, task, rows, target, weights):
        data = {"target": self.buffer("d" if task == "regression" else "i", target)}
        if rows is not None:
            data["rows"] = self.buffer("i", rows)
        if weights is not None:
            data["weights"] = self.buffer("d", weights)
        return data

    def fit_request(self, model, table, target, classes=None, params=None, rows=None, weights=None,
                    seed=1, validation=None, threads=1, **more):
        """target: numbers of classes, or values if there are no classes. `validation`: table, target and rows."""
        self.arena.used = 0
        task = _task(classes)
        request = {"op": "fit", "model": model, "component": "org.example.test", "params": params or {}, "task": task,
                   "classes": list(classes or ()), "table": table, "seed": seed, "seed_words": [0, seed],
                   "threads": threads, **more, **self._examples(task, rows, target, weights)}
        if validation is not None:
            request["validation"] = {"table": validation["table"], **self._examples(
                task, validation["rows"], validation["target"], None)}
        return request

    def fit(self, *arguments, **named):
        return self.ask(self.fit_request(*arguments, **named))

    def predict(self, model, table, rows=None, n=None, **entries):
        """`n` rows without `rows`. What to get, with the entries of a row: labels=1, values=1, probabilities=number of
        classes."""
        self.arena.used = 0
        request = {"op": "predict", "model": model, "table": table}
        if rows is not None:
            request["rows"] = self.buffer("i", rows)
            n = len(rows)
        codes = {name: "i" if name == "labels" else "d" for name in entries}
        for name, code in codes.items():
            request[name] = self.buffer(code, [7] * (entries[name] * n))
        self.ask(request)
        return {name: self.numbers(code, request[name]) for name, code in codes.items()}

    def numbers(self, code, buffer):
        size = array.array(code).itemsize * buffer["n"]
        return array.array(code, os.pread(self.arena.fd, size, buffer["at"])).tolist()

    def importance(self, model, n):
        self.arena.used = 0
        buffer = self.buffer("d", [7] * n)
        self.ask({"op": "importance", "model": model, "importance": buffer})
        return self.numbers("d", buffer)

    def save(self, model):
        return self.ask({"op": "save", "model": model})["blob"]

    def load(self, model, blob, columns, classes=None, params=None):
        return self.ask({"op": "load", "model": model, "component": "org.example.test", "params": params or {},
                         "task": _task(classes), "classes": list(classes or ()),
                         "columns": [c["name"] for c in columns], "blob": len(blob)}, blob)
