"""Starts a learner as the plugin `exec` does, and talks to it as docs/languages.md says."""

import fcntl
import json
import mmap
import os
import signal
import struct
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
MODULE = os.path.join(ROOT, "sdk", "languages", "python")
VARIABLES = {"PYTHONPATH": MODULE, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1",
             "OPENBLAS_NUM_THREADS": "1"}
os.environ.update(VARIABLES)  # before NumPy is loaded, as results are compared: more threads change the last bits

import numpy as np

_SIZE = 64  # buffers begin at its multiples


class Category:
    """Codes from 0, -1 = missing, of levels."""

    def __init__(self, codes, levels, ordered=False):
        self.codes = np.asarray(codes, np.int32)
        self.levels = list(levels)
        self.ordered = ordered


class Reply(Exception):
    """An error reply."""

    def __init__(self, reply):
        super().__init__(f"{reply['error']}: {reply['message']}")
        self.status = reply["error"]
        self.message = reply["message"]


class FakeHost:
    """One process. Memory files stay open until close()."""

    def __init__(self, folder, command=(sys.executable, "learner.py")):
        self.logs, self.progress = [], []
        self._files = []
        self._tables = 0
        self._arena = os.memfd_create("arena")
        self._files.append(self._arena)
        self._arena_bytes = self._used = 0
        self._new_arena = False
        self._start(folder, command)

    def _start(self, folder, command):
        child_in, self._to = os.pipe()
        self._from, child_out = os.pipe()
        self._errors = tempfile.TemporaryFile()
        here = os.getcwd()
        os.chdir(folder)
        try:
            self.pid = os.posix_spawnp(
                command[0], command, {**os.environ, **VARIABLES},
                file_actions=[(os.POSIX_SPAWN_DUP2, child_in, 0), (os.POSIX_SPAWN_DUP2, self._errors.fileno(), 1),
                              (os.POSIX_SPAWN_DUP2, self._errors.fileno(), 2),
                              (os.POSIX_SPAWN_DUP2, child_out, 3)])
        finally:
            os.chdir(here)
            os.close(child_in)
            os.close(child_out)

    def errors(self):
        """What it wrote to standard output and standard error."""
        self._errors.seek(0)
        return self._errors.read().decode()

    def close(self):
        """Ends it by closing its standard input; returns the exit status."""
        os.close(self._to)
        _, status = os.waitpid(self.pid, 0)
        for file in (*self._files, self._from):
            os.close(file)
        self._errors.close()
        return os.waitstatus_to_exitcode(status)

    def interrupt(self):
        os.kill(self.pid, signal.SIGINT)

    # ---- messages

    def send(self, message, blob=b""):
        if self._new_arena:
            message = {**message, "arena": {"path": self._path(self._arena), "bytes": self._arena_bytes}}
            self._new_arena = False
        body = json.dumps(message).encode()
        data = struct.pack("<I", len(body)) + body + blob
        while data:
            data = data[os.write(self._to, data):]

    def receive(self):
        """A message and its bytes."""
        message = json.loads(self._read(struct.unpack("<I", self._read(4))[0]))
        return message, self._read(message.get("blob", 0))

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
            message, blob = self.receive()
            if "log" in message:
                self.logs.append((message["log"], message["message"]))
            elif "progress" in message:
                self.progress.append(message["progress"])
            elif "error" in message:
                raise Reply(message)
            else:
                return message, blob

    def ask(self, message, blob=b""):
        self.send(message, blob)
        return self.reply()

    # ---- arrays

    @staticmethod
    def _path(file):
        return f"/proc/{os.getpid()}/fd/{file}"

    def _buffer(self, n, dtype):
        """Room in the arena, which grows."""
        at = self._used
        self._used += -(-n * np.dtype(dtype).itemsize // _SIZE) * _SIZE
        if self._used > self._arena_bytes:
            self._arena_bytes = self._used * 2 + 4096
            os.ftruncate(self._arena, self._arena_bytes)
            self._new_arena = True
        return {"at": at, "n": n}

    def _put(self, array, dtype):
        array = np.ascontiguousarray(array, dtype)
        buffer = self._buffer(len(array), dtype)
        os.pwrite(self._arena, array.tobytes(), buffer["at"])
        return buffer

    def _get(self, buffer, dtype):
        with mmap.mmap(self._arena, self._arena_bytes, access=mmap.ACCESS_READ) as memory:
            return np.frombuffer(memory[:], dtype, buffer["n"], buffer["at"])

    # ---- requests

    def hello(self):
        return self.ask({"op": "hello", "protocol": 1})[0]

    def keys_of_table(self, columns, missing=None):
        """columns: {name: array or Category}; missing: {name: mask}."""
        data, described, n_rows = bytearray(), [], 0

        def append(array):
            data.extend(b"\0" * (-len(data) % _SIZE))
            at = len(data)
            data.extend(array.tobytes())
            return at

        for name, column in columns.items():
            entries = column.codes if isinstance(column, Category) else np.ascontiguousarray(column)
            n_rows = len(entries)
            kind = {"float64": "f64", "float32": "f32", "int32": "i32", "int64": "i64", "bool": "bool"}[
                entries.dtype.name]
            keys = {"name": name, "type": kind, "at": append(entries)}
            if isinstance(column, Category):
                keys.update(type="category", levels=column.levels, ordered=column.ordered)
            if missing and name in missing:
                keys["validity"] = append(np.packbits(~missing[name], bitorder="little"))
            described.append(keys)
        file = os.memfd_create("table", os.MFD_ALLOW_SEALING)
        os.write(file, data)
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)
        self._files.append(file)
        return {"path": self._path(file), "bytes": len(data), "rows": n_rows, "columns": described}

    def table(self, columns, missing=None):
        """The number of a new table."""
        self._tables += 1
        self.ask({"op": "table", "table": self._tables, **self.keys_of_table(columns, missing)})
        return self._tables

    def _rows(self, rows, target, weights, task):
        keys = {"target": self._put(target, "<f8" if task == "regression" else "<i4")}
        if rows is not None:
            keys["rows"] = self._put(rows, "<i4")
        if weights is not None:
            keys["weights"] = self._put(weights, "<f8")
        return keys

    def fit_request(self, model, table, target, rows=None, classes=(), params=None, weights=None, seed=1,
                    validation=None, **more):
        """target: numbers of classes, or values if there are no classes. validation: (table, target, rows)."""
        self._used = 0
        task = "regression" if not classes else "binary" if len(classes) == 2 else "multiclass"
        message = {"op": "fit", "model": model, "component": "x", "params": params or {}, "task": task,
                   "classes": list(classes), "table": table, "seed": seed, "seed_words": [0, seed], "threads": 1,
                   **self._rows(rows, target, weights, task), **more}
        if validation:
            other, labels, other_rows = validation
            message["validation"] = {"table": other, **self._rows(other_rows, labels, None, task)}
        return message

    def fit(self, *args, **keys):
        self.ask(self.fit_request(*args, **keys))

    def predict(self, model, table, n_rows, rows=None, n_classes=0, probabilities=False):
        """Values, labels, or labels and probabilities."""
        self._used = 0
        message = {"op": "predict", "model": model, "table": table}
        if rows is not None:
            message["rows"] = self._put(rows, "<i4")
        if not n_classes:
            message["values"] = self._buffer(n_rows, "<f8")
        else:
            message["labels"] = self._buffer(n_rows, "<i4")
        if probabilities:
            message["probabilities"] = self._buffer(n_rows * n_classes, "<f8")
        self.ask(message)
        if not n_classes:
            return self._get(message["values"], "<f8")
        labels = self._get(message["labels"], "<i4")
        if not probabilities:
            return labels
        return labels, self._get(message["probabilities"], "<f8").reshape(n_rows, n_classes)

    def importance(self, model, n_features):
        self._used = 0
        buffer = self._buffer(n_features, "<f8")
        self.ask({"op": "importance", "model": model, "importance": buffer})
        return self._get(buffer, "<f8")

    def save(self, model):
        return self.ask({"op": "save", "model": model})[1]

    def load(self, model, blob, columns, classes=(), params=None):
        task = "regression" if not classes else "binary" if len(classes) == 2 else "multiclass"
        self.ask({"op": "load", "model": model, "component": "x", "params": params or {}, "task": task,
                  "classes": list(classes), "columns": columns, "blob": len(blob)}, blob)
