// Prints what differs between a CSV file and what apache-arrow reads of an Arrow file that was
// made of it: node compare_csv.mjs PACKAGES FILE.csv FILE.arrow. Nothing = they have the same cells.
// The CSV file has no quoted cells.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [packages, csvPath, arrowPath] = process.argv.slice(2);
const arrow = createRequire(join(packages, "node_modules/"))("apache-arrow");

const lines = readFileSync(csvPath, "utf8").trim().split(/\r?\n/).map((line) => line.split(","));
const names = lines.shift();
const table = arrow.tableFromIPC(readFileSync(arrowPath));
const same = (cell, value) => {
  if (["", "?", "NA"].includes(cell)) return value === null || Number.isNaN(value);
  if (typeof value === "number") return Number(cell) === value;
  if (typeof value === "bigint") return BigInt(cell) === value;
  if (typeof value === "boolean") return cell.toLowerCase() === String(value);
  return cell === String(value);
};
if (table.numRows !== lines.length) console.log(`${table.numRows} rows, not ${lines.length}`);
if (table.schema.fields.map((field) => field.name).join() !== names.join()) console.log("other names");
names.forEach((name, i) => {
  const column = table.getChild(name);
  lines.forEach((cells, row) => {
    if (!same(cells[i], column.get(row))) console.log(`${name}, row ${row + 1}: ${cells[i]}, ${column.get(row)}`);
  });
});
