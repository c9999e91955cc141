"""The host's side of the protocol of docs/languages.md, as small as tests of a learner's side need it."""
import array
import json
import os
import signal
import socket
import struct
import subprocess
import tempfile
import time


class LearnerError(Exception):
    """A reply with an error: `status` and `message`."""

    def __init__(self, reply):
        super().__init__(f"{reply['error']}: {reply['message']}")
        self.status, self.message = reply["error"], reply["message"]


def column(name, kind, values, **more):
    """A column of the table; None in `values` is missing, with a bitmap except in categories."""
    return {"name": name, "type": kind, "values": values, **more}


_CODES = {"f64": "d", "f32": "f", "i32": "i", "i64": "q", "bool": "B", "category": "i"}


class MemoryFile:
    def __init__(self, size):
        self.fd = os.memfd_create("test")
        self.size = size
        os.ftruncate(self.fd, size)
        self.used = 0

    def put(self, data):
        """Writes the bytes at the next multiple of 64, and returns this."""
        at = self.used
        os.pwrite(self.fd, data, at)
        self.used = (at + len(data) + 63) // 64 * 64
        return at

    def describe(self):
        return {"path": f"/proc/{os.getpid()}/fd/{self.fd}", "bytes": self.size}


def _packed(code, values):
    return array.array(code, values).tobytes()


class Host:
    """A child process with the learner. `command` runs in `folder`."""

    def __init__(self, command, folder=None, env=None):
        ours, theirs = socket.socketpair()
        from_child, to_host = os.pipe()
        self.stderr = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=theirs, stdout=self.stderr, stderr=self.stderr, pass_fds=[3],
            preexec_fn=lambda: os.dup2(to_host, 3), env={**os.environ, **(env or {})})
        theirs.close()
        os.close(to_host)
        self.socket, self.pipe = ours, os.fdopen(from_child, "rb")
        self.arena = MemoryFile(1 << 22)
        self.files, self.logs, self.progress = [], [], []
        self.is_arena_known = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            self.pipe.close()
            self.stderr.close()
            for file in [self.arena, *self.files]:
                os.close(file.fd)

    def said(self):
        """What the learner printed."""
        self.stderr.seek(0)
        return self.stderr.read().decode()

    def send(self, request, blob=b""):
        if not self.is_arena_known:
            request = {**request, "arena": self.arena.describe()}
            self.is_arena_known = True
        text = json.dumps(request, ensure_ascii=False).encode()
        self.socket.sendall(struct.pack("<I", len(text)) + text + blob)

    def receive(self):
        """The next message, with its blob."""
        head = self.pipe.read(4)
        if len(head) < 4:
            raise EOFError(f"the learner ended: {self.said()}")
        message = json.loads(self.pipe.read(struct.unpack("<I", head)[0]))
        if "blob" in message:
            message["blob"] = self.pipe.read(message["blob"])
        return message

    def call(self, request, blob=b""):
        self.send(request, blob)
        return self.reply()

    def reply(self):
        while True:
            message = self.receive()
            if "log" in message:
                self.logs.append((message["log"], message["message"]))
            elif "progress" in message:
                self.progress.append(message["progress"])
            elif "error" in message:
                raise LearnerError(message)
            else:
                return message

    def hello(self):
        return self.call({"op": "hello", "protocol": 1})

    def describe_table(self, columns):
        rows = len(columns[0]["values"]) if columns else 0
        memory = MemoryFile(sum(rows * 10 + 200 for _ in columns) + 64)
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
        return {**memory.describe(), "rows": rows, "columns": described}

    def table(self, number, columns):
        self.call({"op": "table", "table": number, **self.describe_table(columns)})

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
        """`validation`: table, target and rows."""
        self.arena.used = 0
        task = "regression" if classes is None else "binary" if len(classes) == 2 else "multiclass"
        request = {"op": "fit", "model": model, "component": "org.example.test",
                   "params": params or {}, "task": task, "table": table, "seed": seed,
                   "seed_words": [1, seed], "threads": threads, **more,
                   **self._examples(task, rows, target, weights)}
        if classes is not None:
            request["classes"] = classes
        if validation is not None:
            request["validation"] = {"table": validation["table"], **self._examples(
                task, validation["rows"], validation["target"], None)}
        return request

    def fit(self, *arguments, **named):
        return self.call(self.fit_request(*arguments, **named))

    def predict(self, model, table, rows=None, n=None, labels=0, values=0, probabilities=0, **more):
        """`n` rows without `rows`. labels, values = 1, probabilities = number of classes: what to get."""
        self.arena.used = 0
        request = {"op": "predict", "model": model, "table": table, **more}
        if rows is not None:
            request["rows"] = self.buffer("i", rows)
            n = len(rows)
        wanted = {"labels": ("i", labels * n), "values": ("d", values * n),
                  "probabilities": ("d", probabilities * n)}
        wanted = {name: w for name, w in wanted.items() if w[1] > 0 or n == 0}
        for name, (code, size) in wanted.items():
            request[name] = self.buffer(code, [7] * size)
        self.call(request)
        return {name: self.numbers(code, request[name]) for name, (code, _) in wanted.items()}

    def numbers(self, code, buffer):
        size = array.array(code).itemsize * buffer["n"]
        return array.array(code, os.pread(self.arena.fd, size, buffer["at"])).tolist()

    def importance(self, model, n):
        self.arena.used = 0
        buffer = self.buffer("d", [7] * n)
        self.call({"op": "importance", "model": model, "importance": buffer})
        return self.numbers("d", buffer)

    def save(self, model):
        return self.call({"op": "save", "model": model})["blob"]

    def load(self, model, blob, columns, classes=None, params=None):
        request = {"op": "load", "model": model, "component": "org.example.test",
                   "params": params or {}, "task": "regression" if classes is None else "multiclass",
                   "columns": [c["name"] for c in columns], "blob": len(blob)}
        if classes is not None:
            request["classes"] = classes
        return self.call(request, blob)

    def cancel(self, request):
        """Sends the request, waits for the first log line, and cancels it."""
        self.send(request)
        message = self.receive()
        assert "log" in message, message
        os.kill(self.process.pid, signal.SIGINT)
        started = time.monotonic()
        try:
            self.reply()
        finally:
            self.seconds_to_cancel = time.monotonic() - started
