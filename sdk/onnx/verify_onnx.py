"""Compares ONNX models that Crossfold wrote with its predictions.

    python3 verify_onnx.py [--evaluator own] MODEL.onnx ROWS.json [MODEL.onnx ROWS.json ...]

`crossfold model FILE --export onnx --verify DATA` runs it. ROWS.json (- = standard input) has the
columns of the rows and what Crossfold predicted for them: {"columns": {NAME: [...]}, "labels": [...],
"probabilities": [[...]], "values": [...]}; null = missing. The models are checked with onnx.checker and run by
onnxruntime or onnx.reference where one is installed; otherwise by the evaluator below, which has the
operators that Crossfold writes, each as the operator specification of ONNX defines it. It needs
numpy and onnx.
"""

import json
import sys

try:
    import numpy as np
    import onnx
    import onnx.checker
    import onnx.numpy_helper
except ImportError as problem:
    sys.exit(f"this Python lacks a module: {problem}; install python3-onnx and python3-numpy, or name "
             "another Python")

BOUND = 1e-12  # of the differences of probabilities; of values relative to those above 1


# ---- the operators ------------------------------------------------------------------------------

def gather(data, indices, axis=0):
    return np.take(data, indices, axis=axis)  # negative indices count from the end in both


def gather_elements(data, indices, axis=0):
    return np.take_along_axis(data, indices, axis=axis)


def scatter_nd(data, indices, updates):
    result = data.copy()
    if indices.size:
        result[tuple(np.moveaxis(indices, -1, 0))] = updates
    return result


def reduce_max(data, axes, keepdims=1):
    return data.max(axis=tuple(axes), keepdims=bool(keepdims))


def reduce_sum(data, axes, keepdims=1):
    return data.sum(axis=tuple(axes), keepdims=bool(keepdims))


def cum_sum(data, axis):
    return np.cumsum(data, axis=int(axis))


def arg_max(data, axis=0, keepdims=1):
    result = data.argmax(axis=axis)  # the first of equal ones, as select_last_index = 0
    return np.expand_dims(result, axis) if keepdims else result


def top_k(data, k, axis=-1, largest=1, sorted=1):
    order = np.argsort(-data if largest else data, axis=axis, kind="stable")
    places = np.take(order, np.arange(int(k[0])), axis=axis)
    return np.take_along_axis(data, places, axis=axis), places


def softmax(data, axis=-1):
    powers = np.exp(data - data.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def expand(data, shape):
    return np.broadcast_to(data, np.broadcast_shapes(data.shape, tuple(shape))).copy()


def concat(*parts, axis):
    return np.concatenate(parts, axis=axis)


def squeeze(data, axes):
    return np.squeeze(data, axis=tuple(axes))


def unsqueeze(data, axes):
    return np.expand_dims(data, tuple(axes))


def cast(data, to):
    return data.astype({6: np.int32, 7: np.int64, 9: np.bool_, 11: np.float64}[to])


def label_encoder(data, keys_strings, values_int64s, default_int64):
    codes = {key.decode(): value for key, value in zip(keys_strings, values_int64s)}
    return np.array([codes.get(x, default_int64) for x in data.flat], np.int64).reshape(data.shape)


OPERATORS = {
    "Abs": np.abs, "Add": np.add, "ArgMax": arg_max, "Cast": cast, "Concat": concat,
    "CumSum": cum_sum, "Div": np.divide, "Equal": np.equal, "Exp": np.exp, "Expand": expand,
    "Gather": gather, "GatherElements": gather_elements, "Greater": np.greater,
    "GreaterOrEqual": np.greater_equal, "Identity": lambda x: x, "IsNaN": np.isnan,
    "LabelEncoder": label_encoder, "Less": np.less, "LessOrEqual": np.less_equal, "Log": np.log,
    "MatMul": np.matmul, "Max": np.maximum, "Min": np.minimum, "Mul": np.multiply,
    "Neg": np.negative, "NonZero": lambda x: np.array(np.nonzero(x), np.int64), "Pow": np.power,
    "ReduceMax": reduce_max, "ReduceSum": reduce_sum,
    "Relu": lambda x: np.maximum(x, 0), "ScatterND": scatter_nd,
    "Shape": lambda x: np.array(x.shape, np.int64), "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "Softmax": softmax, "Sqrt": np.sqrt, "Squeeze": squeeze, "Sub": np.subtract, "Tanh": np.tanh,
    "TopK": top_k, "Unsqueeze": unsqueeze, "Where": np.where,
}


def tensor(proto):
    if proto.data_type == onnx.TensorProto.STRING:
        entries = [text.decode() for text in proto.string_data]
        return np.array(entries, object).reshape(tuple(proto.dims))
    return onnx.numpy_helper.to_array(proto)


def run_own(model, inputs):
    values = dict(inputs)
    values.update((t.name, tensor(t)) for t in model.graph.initializer)
    with np.errstate(all="ignore"):
        for node in model.graph.node:
            attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            results = OPERATORS[node.op_type](*[values[name] for name in node.input], **attributes)
            results = results if isinstance(results, tuple) else (results,)
            values.update(zip(node.output, results))
    return {output.name: values[output.name] for output in model.graph.output}


# ---- the evaluators -----------------------------------------------------------------------------

def choose_evaluator(wanted):
    """Returns a name and a function (model, inputs) -> {output: array}."""
    if wanted != "own":
        try:
            import onnxruntime

            def run(model, inputs):
                session = onnxruntime.InferenceSession(
                    model.SerializeToString(), providers=["CPUExecutionProvider"])
                names = [output.name for output in session.get_outputs()]
                return dict(zip(names, session.run(names, inputs)))
            return "onnxruntime " + onnxruntime.__version__, run
        except ImportError:
            pass
        try:
            import onnx.reference

            def run(model, inputs):
                evaluator = onnx.reference.ReferenceEvaluator(model)
                return dict(zip(evaluator.output_names, evaluator.run(None, inputs)))
            return "onnx.reference " + onnx.__version__, run
        except ImportError:
            pass
    return "the operators of verify_onnx.py, on numpy " + np.__version__, run_own


def inputs_of(model, columns):
    inputs = {}
    for value in model.graph.input:
        column = columns[value.name]
        if value.type.tensor_type.elem_type == onnx.TensorProto.STRING:
            # Any string that is not a level counts as missing.
            entries = np.array(["" if x is None else x for x in column], object)
        else:
            entries = np.array([np.nan if x is None else x for x in column], np.float64)
        inputs[value.name] = entries.reshape(-1, 1)
    return inputs


def named(outputs, name):
    """The output of that name; a feature may have taken it, which adds underscores."""
    return next((outputs[o] for o in outputs if o.rstrip("_") == name), None)


def compare(outputs, rows):
    """Returns what was compared, as text, and the problems."""
    found, problems = [], []
    if rows.get("labels"):
        expected = np.array(rows["labels"], object)
        labels = named(outputs, "label")
        n_equal = int(np.sum(labels.ravel() == expected))
        found.append(f"{n_equal} of {len(expected)} labels are equal")
        if n_equal < len(expected):
            problems.append(f"{len(expected) - n_equal} of {len(expected)} labels differ")
    for name, expected in (("probabilities", rows.get("probabilities")),
                           ("value", rows.get("values"))):
        if not expected:
            continue
        expected = np.array(expected, np.float64)
        difference = np.abs(named(outputs, name).reshape(expected.shape) - expected)
        if name == "value":
            difference /= np.maximum(1, np.abs(expected))
        largest = float(difference.max())
        what = "probabilities" if name == "probabilities" else "values"
        found.append(f"{what} differ by at most {largest:.2g}")
        if not largest <= BOUND:
            problems.append(f"{what} differ by {largest:.2g}, more than {BOUND:g}")
    return "; ".join(found), problems


def main(arguments):
    wanted = ""
    if arguments[:1] == ["--evaluator"]:
        wanted, arguments = arguments[1], arguments[2:]
    evaluator, run = choose_evaluator(wanted)
    print(f"checked by onnx.checker {onnx.__version__}, run by {evaluator}")
    failed = False
    for path, rows_path in zip(arguments[::2], arguments[1::2]):
        model = onnx.load(path)
        onnx.checker.check_model(model, full_check=True)
        if rows_path == "-":
            rows = json.load(sys.stdin)
        else:
            with open(rows_path, encoding="utf-8") as file:
                rows = json.load(file)
        found, problems = compare(run(model, inputs_of(model, rows["columns"])), rows)
        print(f"{path}: {found}")
        for problem in problems:
            print(f"{path}: {problem}", file=sys.stderr)
        failed = failed or bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
