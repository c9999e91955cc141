// Writes the Arrow files of this folder with the package apache-arrow: node write_files.mjs PACKAGES FOLDER.
// PACKAGES is where `npm install apache-arrow` was run.
// README.md says what is in them. LZ4 and ZSTD frames are made by the programs lz4 and zstd.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [packages, folder] = process.argv.slice(2);
const require = createRequire(join(packages, "node_modules/"));
const arrow = require("apache-arrow");

const column = (values, type) => arrow.vectorFromArray(values, type);

const types = () => ({
  f64: column([0.1, null, -1.5e300, Number.NaN], new arrow.Float64()),
  f32: column([0.5, 1e-30, null, 7], new arrow.Float32()),
  i8: column([-128, null, 127, 0], new arrow.Int8()),
  i16: column([-32768, null, 32767, 0], new arrow.Int16()),
  i32: column([-2147483648, null, 2147483647, 0], new arrow.Int32()),
  i64: column([-(2n ** 63n), null, 2n ** 63n - 1n, 0n], new arrow.Int64()),
  u8: column([255, null, 1, 0], new arrow.Uint8()),
  u16: column([65535, null, 1, 0], new arrow.Uint16()),
  u32: column([4294967295, null, 1, 0], new arrow.Uint32()),
  u64: column([2n ** 63n - 1n, null, 1n, 0n], new arrow.Uint64()),
  bool: column([true, null, false, true], new arrow.Bool()),
  text: column(["b", null, "", "ä \"x\""], new arrow.Utf8()),
  large_text: column(["b", null, "a", "b"], new arrow.LargeUtf8()),
  category: column(["red", null, "blue", "red"], new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 1)),
  small_category: column(["red", null, "blue", "red"], new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8(), 2)),
  day: column([new Date(0), null, new Date(86400000 * 3), new Date(-86400000)], new arrow.DateDay()),
  date_ms: column([new Date(0), null, new Date(86400000), new Date(-86400000)], new arrow.DateMillisecond()),
  time_s: column([1, null, 86399, 0], new arrow.TimeSecond()),
  time_us: column([1n, null, 86399000000n, 0n], new arrow.TimeMicrosecond()),
  stamp_s: column([1000, null, 2000, -1000], new arrow.TimestampSecond()),
  stamp_ms: column([1, null, 2, -1], new arrow.TimestampMillisecond("UTC")),
  nothing: column([null, null, null, null], new arrow.Null()),
});

const write = (name, table, form = "file") =>
  writeFileSync(join(folder, name), arrow.tableToIPC(table, form));

// All types with nulls, one batch, in both formats.
write("types.arrow", new arrow.Table(types()));
write("types.arrows", new arrow.Table(types()), "stream");

// Three batches, one without rows.
const batch = (x, y) => new arrow.Table({ x: column(x, new arrow.Float64()), y: column(y, new arrow.Utf8()) });
write("batches.arrow", batch([1, 2], ["a", "b"]).concat(batch([], []), batch([3, null], [null, "a"])));

// A schema and no batch.
const empty = new arrow.Table(new arrow.Schema([
  new arrow.Field("x", new arrow.Float64(), true), new arrow.Field("y", new arrow.Utf8(), true)]));
write("no_batch.arrow", empty);

// Nested columns beside one that can be read.
const nested = new arrow.Table({
  x: column([1, 2], new arrow.Float64()),
  tags: column([["a"], ["b", "c"]], new arrow.List(new arrow.Field("item", new arrow.Utf8(), true))),
  place: column([{ lat: 1, lon: 2 }, { lat: 3, lon: 4 }]),
  raw: column([new Uint8Array([1]), new Uint8Array([2, 3])], new arrow.Binary()),
  z: column([3, 4], new arrow.Int32()),
});
write("nested.arrow", nested);

// A dictionary that grows in a stream: a delta.
const builder = arrow.makeBuilder({ type: new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 3), nullValues: [null] });
const grown = [];
for (const values of [["u", "v"], ["w", null, "u"]]) {
  for (const value of values) builder.append(value);
  grown.push(builder.flush());
}
builder.finish();
const field = new arrow.Field("c", builder.type, true);
const schema = new arrow.Schema([field]);
const growing = grown.map((data) => new arrow.RecordBatch(schema,
  arrow.makeData({ type: new arrow.Struct([field]), length: data.length, nullCount: 0, children: [data] })));
const writer = new arrow.RecordBatchStreamWriter();
for (const part of growing) writer.write(part);
writer.finish();
writeFileSync(join(folder, "delta.arrows"), await writer.toUint8Array());

// Compressed buffers. Each begins with its size before compression; apache-arrow 21.2 writes the
// size after it, which this corrects.
const sizes = [];
const codec = (program) => ({
  encode: (data) => {
    sizes.push(data.length);
    return execFileSync(program, ["-c", "-q"], { input: data });
  },
  decode: (data) => execFileSync(program, ["-d", "-c", "-q"], { input: data }),
});
class Writer extends arrow.RecordBatchFileWriter {
  _compressBodyBuffers(buffers) {
    sizes.length = 0;
    const made = super._compressBodyBuffers(buffers);
    for (let i = 0, n = 0; i < made.buffers.length; i += 2) {
      if (made.buffers[i].length === 0) continue;
      const prefix = new DataView(made.buffers[i].buffer, made.buffers[i].byteOffset, 8);
      if (prefix.getBigInt64(0, true) !== -1n) prefix.setBigInt64(0, BigInt(sizes[n]), true);
      n += 1;
    }
    return made;
  }
}
for (const [type, program] of [[arrow.CompressionType.LZ4_FRAME, "lz4"], [arrow.CompressionType.ZSTD, "zstd"]]) {
  arrow.compressionRegistry.set(type, codec(program));
  const long = new arrow.Table({
    x: column(Array.from({ length: 3000 }, (_, i) => (i % 10 === 3 ? null : i / 4)), new arrow.Float64()),
    y: column(Array.from({ length: 3000 }, (_, i) => (i % 2 ? "odd" : "even")), new arrow.Utf8()),
  });
  const compressed = new Writer({ compressionType: type });
  compressed.writeAll(long.batches);
  writeFileSync(join(folder, program + ".arrow"), await compressed.toUint8Array());
}
