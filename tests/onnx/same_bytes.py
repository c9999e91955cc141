"""Models are written as the packaged definitions of ONNX write them, byte for byte.

    python3 same_bytes.py MODEL.onnx ...
"""

import sys

import onnx

different = []
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        written = file.read()
    if onnx.load_from_string(written).SerializeToString(deterministic=True) != written:
        different.append(path)
print(f"{len(sys.argv) - 1 - len(different)} of {len(sys.argv) - 1} models have the bytes of protobuf")
sys.exit("different: " + ", ".join(different) if different else 0)
