"""A learner for tests that needs nothing but Python: it speaks the protocol of docs/languages.md by
itself, and answers with sums from which a test can compute what it was given."""
import json
import mmap
import os
import signal
import struct
import sys
import time

FROM = os.fdopen(os.dup(0), "rb")
TO = os.fdopen(3, "wb")
FORMATS = {"f64": "d", "f32": "f", "i32": "i", "i64": "q", "bool": "B", "category": "i"}
TABLES, MODELS = {}, {}
ARENA = None
ENDS = False


def send(message, blob=b""):
    body = json.dumps(message).encode()
    TO.write(struct.pack("<I", len(body)) + body + blob)
    TO.flush()


class Failure(Exception):
    pass


def interrupted(*_):
    raise Failure("cancelled")


def map_file(path, size, access):
    with open(path, "r+b" if access == mmap.ACCESS_WRITE else "rb") as file:
        return mmap.mmap(file.fileno(), size, access=access)


def numbers(memory, form, at, n):
    return struct.unpack_from("<%d%s" % (n, form), memory, at)


def read_table(message):
    memory = map_file(message["path"], message["bytes"], mmap.ACCESS_READ)
    n = message["rows"]
    columns = []
    for column in message["columns"]:
        values = list(numbers(memory, FORMATS[column["type"]], column["at"], n))
        for i in range(n):
            missing = values[i] != values[i] or (column["type"] == "category" and values[i] < 0)
            if "validity" in column:
                missing = not memory[column["validity"] + i // 8] >> i % 8 & 1
            if missing:
                values[i] = -1000.0
        columns.append(values)
    return n, columns


def table_of(request):
    table = request["table"]
    return read_table(table) if isinstance(table, dict) else TABLES[table]


def buffer(request, key, form):
    place = request.get(key)
    return None if place is None else numbers(ARENA, form, place["at"], place["n"])


def rows_of(request):
    n, columns = table_of(request)
    rows = buffer(request, "rows", "i")
    return (range(n) if rows is None else rows), columns


def write(request, key, form, values):
    if key in request:
        struct.pack_into("<%d%s" % (len(values), form), ARENA, request[key]["at"], *values)


def row_sums(rows, columns):
    return [sum((j + 1) * c[i] for j, c in enumerate(columns)) for i in rows]


def misbehave(params, stage, sums):
    when = params["when_sum"]
    if params["stage"] != stage or (when is not None and all(abs(s - when) > 1e-9 for s in sums)):
        return
    action = params["action"]
    if action == "exit":
        print("the end of the probe", flush=True)
        os._exit(3)
    if action == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if action == "hang":
        time.sleep(3600)
    if action == "late":  # it finishes its work in spite of the interrupt
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.pause()
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if action == "late_end":  # it answers, and the interrupt ends it when it reads the next request
        global ENDS
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.pause()
        ENDS = True
    if action == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if action == "stubborn":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        time.sleep(3600)
    if action == "garbage":
        TO.write(struct.pack("<I", 7) + b"garbage")
        TO.flush()
    if action == "huge":
        TO.write(b"\xff\xff\xff\xff and more")
        TO.flush()
        time.sleep(3600)
    if action == "memory":
        held = []
        while True:
            held.append(bytearray(1 << 24))
    if action == "error":
        raise Failure("unsupported_data", "no such rows")
    if action == "print":
        print("x" * 200000, flush=True)
        print("y" * 200000, file=sys.stderr, flush=True)
    if action == "orphan":
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(4)


def fit(request):
    rows, columns = rows_of(request)
    misbehave(request["params"], "fit", row_sums(rows, columns))
    classes = request["classes"]
    target = buffer(request, "target", "i" if classes else "d")
    weights = buffer(request, "weights", "d") or [1.0] * len(target)
    send({"log": "debug", "message": "fit of %d rows" % len(target)})
    send({"progress": 0.5})
    total = sum(t * w for t, w in zip(target, weights)) * request["params"]["scale"]
    total += sum(len(str(v)) for v in request["params"]["extra"].values())
    MODELS[request["model"]] = {"total": total, "classes": classes, "params": request["params"],
                                "seed": request["seed"], "threads": request["threads"],
                                "features": len(columns)}
    return {}


def predict(request):
    model = MODELS[request["model"]]
    rows, columns = rows_of(request)
    sums = row_sums(rows, columns)
    misbehave(model["params"], "predict", sums)
    sums = [model["total"] + s for s in sums]
    classes = max(len(model["classes"]), 1)
    labels = [int(s) % classes for s in sums]
    write(request, "values", "d", sums)
    write(request, "labels", "i", labels)
    write(request, "probabilities", "d",
          [1.0 if c == label else 0.0 for label in labels for c in range(classes)])
    return {}


def save(request):
    return {}, json.dumps(MODELS[request["model"]]).encode()


def load(request):
    try:
        MODELS[request["model"]] = json.loads(FROM.read(request["blob"]))
    except ValueError:
        raise Failure("bad_blob", "the bytes are not a model of the probe")
    return {}


def importance(request):
    n = MODELS[request["model"]]["features"]
    write(request, "importance", "d", [float(j + 1) for j in range(n)])
    return {}


def table(request):
    TABLES[request["table"]] = read_table(request)
    return {}


def hello(_):
    return {"protocol": 1, "environment": {"probe": os.environ.get("PROBE_VERSION", "1.0")}}


OPERATIONS = {"hello": hello, "table": table, "fit": fit, "predict": predict, "save": save, "load": load,
              "importance": importance}


def main():
    global ARENA
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        head = FROM.read(4)
        if len(head) < 4 or ENDS:
            return
        request = json.loads(FROM.read(struct.unpack("<I", head)[0]))
        if "arena" in request:
            ARENA = map_file(request["arena"]["path"], request["arena"]["bytes"], mmap.ACCESS_WRITE)
        for key, known in (("tables", TABLES), ("models", MODELS)):
            for number in request.get("drop", {}).get(key, []):
                known.pop(number, None)
        try:
            signal.signal(signal.SIGINT, interrupted)
            result = OPERATIONS[request["op"]](request)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            if isinstance(result, tuple):
                send({"blob": len(result[1])}, result[1])
            else:
                send(result)
        except Failure as failure:
            send({"error": failure.args[0], "message": failure.args[-1]})
        except MemoryError:
            send({"error": "out_of_memory", "message": "out of memory"})


main()
