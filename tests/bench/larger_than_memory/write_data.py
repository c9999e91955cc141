#!/usr/bin/env python3
"""Writes the data of the measurements as a stream of Arrow IPC, column by column: numpy is enough.

    write_data.py CROSSFOLD FILE.arrows [--rows 40000000] [--columns 20] [--batch-rows 0] [--seed 1]

20 columns of float64 (x1, x2, ...), standard normal, and a categorical target "y" of the classes "a" and "b", whose
chances depend on x1 to x5 and on whether x6 > 0. With --batch-rows the file has record batches of that many rows, as
other programs write them; without, one. The same arguments give the same bytes. The program CROSSFOLD writes a file
of two rows; its messages are copied, and the numbers of rows and the places of buffers in them are replaced.
"""
import argparse
import pathlib
import struct
import subprocess
import tempfile

import numpy as np

BLOCK = 1 << 20  # rows that are in memory at a time, of one column
ALIGNMENT = 64


def template(crossfold, columns):
    """The bytes of a stream of two rows."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        names = [f"x{j + 1}" for j in range(columns)] + ["y"]
        rows = [["0.5"] * columns + ["a"], ["1.5"] * columns + ["b"]]
        (folder / "two.csv").write_text("\n".join(",".join(row) for row in [names] + rows) + "\n")
        subprocess.run([crossfold, "data", "convert", folder / "two.csv", folder / "two.arrows", "--target", "y"],
                       check=True, stdout=subprocess.DEVNULL)
        return (folder / "two.arrows").read_bytes()


def messages(stream):
    """(head, body length) of each message: the head with its marker and size."""
    at = 0
    while True:
        size = struct.unpack_from("<i", stream, at + 4)[0]
        if size == 0:
            return
        head = stream[at:at + 8 + size]
        body = number_at(head, field(head, root(head), 3), "<q")
        yield head, body, stream[at + len(head):at + len(head) + body]
        at += len(head) + body


# Places in the FlatBuffers table of a message; it begins after the marker and the size.
def root(head):
    return 8 + struct.unpack_from("<I", head, 8)[0]


def field(head, table, number):
    vtable = table - struct.unpack_from("<i", head, table)[0]
    if 4 + 2 * number >= struct.unpack_from("<H", head, vtable)[0]:
        return 0
    offset = struct.unpack_from("<H", head, vtable + 4 + 2 * number)[0]
    return table + offset if offset else 0


def number_at(head, place, form):
    return struct.unpack_from(form, head, place)[0] if place else 0


def follow(head, place):
    return place + struct.unpack_from("<I", head, place)[0]


def padded(n):
    return -(-n // ALIGNMENT) * ALIGNMENT


def batch_head(head, rows, columns):
    """The head of a batch of that many rows, and the size of its body."""
    head = bytearray(head)
    message = root(head)
    batch = follow(head, field(head, message, 2))
    struct.pack_into("<q", head, field(head, batch, 0), rows)
    nodes, buffers = (follow(head, field(head, batch, i)) + 4 for i in (1, 2))
    size = 0
    for c in range(columns + 1):
        struct.pack_into("<qq", head, nodes + 16 * c, rows, 0)
        struct.pack_into("<qq", head, buffers + 32 * c, size, 0)  # no validity bitmap
        n = rows * (8 if c < columns else 4)
        struct.pack_into("<qq", head, buffers + 32 * c + 16, size, n)
        size += padded(n)
    struct.pack_into("<q", head, field(head, message, 3), size)
    return bytes(head), size


def normal(seed, column, block, n):
    return np.random.Generator(np.random.Philox(key=seed, counter=[0, 0, column, block])).standard_normal(n)


def target(seed, block, n, columns):
    x = [normal(seed, c, block, n) for c in range(min(columns, 6))]
    score = sum(x[:5]) * 0.6 + (1.5 * (x[5] > 0) - 0.75 if columns > 5 else 0)
    draw = np.random.Generator(np.random.Philox(key=seed, counter=[0, 0, 1000, block])).random(n)
    return (draw < 1 / (1 + np.exp(-score))).astype(np.int32)


def write_batch(out, first, rows, columns, seed):
    for c in range(columns + 1):
        at, end, written = first, first + rows, 0
        while at < end:
            block, skip = divmod(at, BLOCK)
            n = min(BLOCK - skip, end - at)
            values = normal(seed, c, block, BLOCK) if c < columns else target(seed, block, BLOCK, columns)
            written += out.write(values[skip:skip + n].tobytes())
            at += n
        out.write(b"\0" * (padded(written) - written))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("crossfold")
    parser.add_argument("file")
    parser.add_argument("--rows", type=int, default=40_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--batch-rows", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    per_batch = args.batch_rows or args.rows
    with open(args.file, "wb") as out:
        for head, size, body in messages(template(args.crossfold, args.columns)):
            if number_at(head, field(head, root(head), 1), "<B") != 3:  # neither rows
                out.write(head + body)
                continue
            for first in range(0, args.rows, per_batch):
                rows = min(per_batch, args.rows - first)
                out.write(batch_head(head, rows, args.columns)[0])
                write_batch(out, first, rows, args.columns, args.seed)
        out.write(struct.pack("<ii", -1, 0))


if __name__ == "__main__":
    main()
