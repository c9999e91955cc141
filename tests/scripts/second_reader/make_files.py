"""make_files.py WEKA_JARS NODE_MODULES > files.jsonl

Small files of the kinds that docs/reading.md describes, each with what another program reads of it, or with words of the
refusal where nobody can know its content. WEKA_JARS: a class path of Weka 3.6 (Debian's weka and cup); NODE_MODULES: a
folder with nodejs-polars. Run by /usr/bin/python3 with python3-sklearn.
"""
import bz2, calendar, codecs, gzip, io, json, lzma, pathlib, random, subprocess, sys, tempfile, zipfile
from sklearn.datasets import load_svmlight_file

here = pathlib.Path(__file__).parent
scratch = pathlib.Path(tempfile.mkdtemp())
files = []


def add(reader, ending, data, **rest):
    entry = {"reader": reader, "ending": ending}
    entry.update({"hex": data.hex()} if ending.startswith("arrow") else {"text": data.decode("latin1")}, **rest)
    files.append(entry)


# ---- ARFF, read by Weka
HEADER = "@relation r\n@attribute n numeric\n@attribute c {red, 'dark blue', green}\n@attribute s string\n@data\n"
BY_HAND = [
    HEADER + "1,red,'a\\tb'\n2,'dark blue',\"c\\nd\"\n3,green,'e\\rf'\n",
    HEADER + "1,red,'it\\'s'\n2,red,\"say \\\"so\\\"\"\n3,red,'back\\\\slash'\n4,red,'5\\%'\n",
    HEADER + "1,red,'\\101\\102'\n2,red,'\\47'\n3,red,'\\7x'\n4,red,'\\1234'\n",
    HEADER + "1,red,x\\ty\n2,red,C:\\new\n",
    HEADER + "1 red a\n2 'dark blue' b\n3\tgreen\tc\n",
    HEADER + "1,\tred ,  a\n2   'dark blue',b\n 3,green c\n",
    HEADER + "1,red,a,\n2,red,b ,\n",
    HEADER + "1,red,a % comment\n\n% whole\n2,red,b%c\n",
    HEADER + "?,?,?\n1,red,'?'\n2,'dark blue',\"?\"\n",
    HEADER + "1,red,a,{2.5}\n2,red,b\n3,red,c {0}\n4 green d {1e-1}\n",
    HEADER + "{0 1,1 green,2 a}\n{2 'b c'}\n{ 0 ? , 1 'dark blue' , 2 \"d\" }\n",
    HEADER + "{0 1, 2 a}, {3}\n{2 b} {0.5}\n{1 green,2 c}\n",
    HEADER + "{0 1, 2 a,}\n{2 b}\n1,red,c\n",
    HEADER.replace("\n", "\r\n") + "1,red,a\r\n2,green,b\r\n",
    HEADER.replace("\n", "\r") + "1,red,a\r2,green,b\r",
    HEADER.replace("@relation r", "@RELATION 'two words'").replace("@attribute", "@AtTribute").replace("@data", "@DATA")
    + "1,red,a\n",
    HEADER.replace("numeric", "NUMERIC [0,9]").replace("string", "STRING") + "1,red,a\n",
    HEADER.replace("numeric", "integer [0, 9] % c") + "7,red,a\n",
    HEADER.replace("numeric", "real [-1.5,1e9]") + "7,red,a\n-2.5,red,b\n",
    HEADER.replace(", 'dark blue', ", " 'dark blue'\t") + "1,green,a\n2,red,b\n",
    HEADER.replace("green}", "green,}") + "1,green,a\n",
    HEADER.replace(" c {", " c{") + "1,green,a\n",
    HEADER.replace("attribute n", "attribute 'a \\'b\\' c'").replace("attribute s", 'attribute "\\"s\\" %"') + "1,red,a\n",
    HEADER.replace("attribute n", "attribute\t'%n,{}'\t") + "1,red,a\n",
    HEADER.replace("'dark blue'", "'dark\\tblue', 'dark\\nblue', 'darktblue', '\\\\'")
    + "1,'dark\\nblue',a\n2,darktblue,b\n3,'dark\\tblue',c\n4,\"\\\\\",d\n",
    HEADER + "1e3,red,''\n-0,red,' '\n+2.5e-3,red,'  x '\n.5,red,\"'\"\n",
    HEADER + "'1','red',1\n\"2\",\"green\",2\n",
    "%\n% comment\n\n\n" + HEADER + "\n\n1,red,a\n\n",
    HEADER.replace("@data", "  @data  % rows") + "  1,red,a  \n\t2,red,b\n",
    "@relation r\n@attribute d date \"yyyy-MM-dd\"\n@attribute n numeric\n@data\n2020-02-29,1\n1969-12-31,2\n?,3\n",
    "@relation r\n@attribute d DATE\n@attribute n numeric\n@data\n2001-04-03T12:12:12,1\n'1900-01-01T00:00:00',2\n",
    "@relation r\n@attribute d date 'dd.MM.yyyy HH:mm'\n@attribute n numeric\n@data\n'3.4.2001 7:05',1\n\"13.12.1950 23:59\",2\n",
    "@relation r\n@attribute d date yyyyMMdd\n@attribute n numeric\n@data\n20010403,1\n19000301,2\n",
    "@relation r\n@attribute d date \"yyyy-MM-dd'T'HH:mm:ss.SSS\"\n@attribute n numeric\n@data\n2001-04-03T12:12:12.125,1\n"
    "1969-12-31T23:59:59.875,2\n",
    "@relation r\n@attribute d date \"MM/yyyy\"\n@attribute n numeric\n@data\n{0 4/2001, 1 2}\n{0 12/1969}\n",
    "@relation r\n@attribute b relational\n@attribute f numeric\n@attribute g {p,q}\n@end b\n@attribute n numeric\n@data\n"
    "'1,p\\n2,q',1\n\"3,'q'\",2\n?,3\n",
    "@relation r\n@attribute n numeric\n@attribute b relational\n  @attribute f string\n@end b\n@data\n1,'x\\ny'\n2,'z'\n",
]


def random_arff(random):
    """A file whose values, quotes, separators and case are drawn; Weka can read it."""
    def case(word):
        return random.choice([word, word.upper(), word.title()])

    def quoted(text):
        quote = random.choice("'\"")
        escapes = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "%": random.choice(["%", "\\%"]),
                   "'": "\\'", '"': '\\"'}
        return quote + "".join(escapes.get(c, c) for c in text) + quote

    def word(text):
        plain = text and text != "?" and all(c.isalnum() for c in text)
        return text if plain and random.random() < .7 else quoted(text)

    def blank():
        return random.choice(["", " ", "  ", "\t"])

    def text():
        return "".join(random.choice("abXZ09 ,;{}%?'\"\\\t\n") for _ in range(random.randrange(1, 8)))
    kinds = [random.choice(["number", "list", "string"]) for _ in range(random.randrange(1, 5))]
    lists = [sorted({text() for _ in range(random.randrange(1, 5))}) for _ in kinds]
    lines = [case("@relation") + " " + word("a b")]
    for j, kind in enumerate(kinds):
        name = case("@attribute") + random.choice(" \t") + word(f"a{j}" + random.choice(["", " x", "'"])) + " "
        if kind == "number":
            lines.append(name + case(random.choice(["numeric", "real", "integer"])) + random.choice(["", " [0, 9]"]))
        elif kind == "string":
            lines.append(name + case("string"))
        else:
            between = random.choice([",", ", ", " ", " ,\t"])
            lines.append(name + "{" + blank() + between.join(word(v) for v in lists[j]) + blank() + "}")
        lines.append(random.choice(["", "", "% comment 'x"]))
    lines.append(case("@data"))
    for _ in range(random.randrange(1, 6)):
        values = []
        for j, kind in enumerate(kinds):
            value = {"number": repr(random.choice([0, 1, -2.5, 1e10, 0.125, 3])), "string": word(text()),
                     "list": word(random.choice(lists[j]))}[kind]
            values.append("?" if random.random() < .15 else value)
        weight = random.choice(["", "", "", " {2}", ",{0.5}"])
        sparse = random.random() < .25
        if sparse:
            pairs = [f"{j} {v}" for j, v in enumerate(values) if kinds[j] == "string" or random.random() < .5]
            line = "{" + blank() + (blank() + "," + blank()).join(pairs) + blank() + "}"
        else:
            between = random.choice([",", " , ", "\t", " "])
            line = between.join(values) + random.choice(["", "", ","])
        if not (line.endswith(",") and weight.startswith(",")):
            line += weight
        lines += [blank() + line + random.choice(["", "", " % end"]), random.choice(["", "", "% x"])][:random.choice([1, 2])]
    end = random.choice(["\n", "\n", "\r\n"])
    return end.join("\n".join(lines).split("\n")) + end


random.seed(43)
texts = BY_HAND + [random_arff(random) for _ in range(20)]
paths = []
for i, text in enumerate(texts):
    paths.append(scratch / f"{i}.arff")
    paths[-1].write_bytes(text.encode())
answers = subprocess.run(["java", "-Duser.timezone=UTC", "-Dfile.encoding=UTF-8", "-cp", sys.argv[1],
                          str(here / "WekaValues.java"), *map(str, paths)], stdout=subprocess.PIPE, check=True).stdout
for text, answer in zip(texts, answers.decode().splitlines()):
    truth = json.loads(answer)
    if "error" in truth:
        sys.exit(f"Weka refuses {text!r}: {truth['error']}")
    if any(w != 1 for w in truth["weights"]):
        truth["columns"]["weight"] = truth["weights"]
    rest = {"types": {"b": "ignore"}} if "relational" in text else {}
    if " date" in text.lower():  # milliseconds in Weka
        unit = 1000 if "HH" in text or "DATE" in text else 86400000
        truth["columns"]["d"] = [v and v / unit for v in truth["columns"]["d"]]
    add("Weka 3.6.14", "arff", text.encode(), columns=truth["columns"], **rest)
# As they are written, when asked.
add("Python", "arff", next(t for t in BY_HAND if "2020-02-29" in t).encode(), types={"d": "categorical"},
    columns={"d": ["2020-02-29", "1969-12-31", None], "n": [1, 2, 3]})
# liac-arff and Weka 3.8 write these; Weka 3.6 reads "u00e4".
add("Python", "arff", HEADER.encode() + b"1,red,'\\u00e4\\u20ac'\n2,red,'\\ud83d\\ude00'\n",
    columns={"n": [1, 2], "c": ["red", "red"], "s": ["\u00e4\u20ac", "\U0001f600"]})

# ---- Arrow, written by polars
SCRIPT = """
const pl = require(process.argv[2] + '/nodejs-polars'), fs = require('fs'), folder = process.argv[3];
const s = ['a', null, '', 'exactly12byt', 'thirteen byte', 'a string that is far longer than a view', 'ä€😀', null,
           'thirteen byte', 'another string that is far longer'];
const frame = (s) => pl.DataFrame({s, n: s.map((_, i) => i / 2)});
const long = Array.from({length: 60}, (_, i) => i % 7 ? `a long string with the number ${i}` : `${i}`);
const views = frame(s), coded = views.withColumn(pl.col('s').cast(pl.Categorical));
const files = {
  views: [views, 'uncompressed'], lz4: [frame(long), 'lz4'], zstd: [frame(long), 'zstd'],
  coded: [coded, 'uncompressed'], coded_zstd: [coded, 'zstd'], short: [frame(['a', 'b', null]), 'uncompressed'],
  none: [frame([null, 'x', null]), 'uncompressed'], some: [views.filter(pl.col('n').gt(1)), 'uncompressed'],
  two: [frame(s).withColumn(pl.col('s').alias('t')), 'uncompressed'],
  batches: [pl.concat([frame(s), frame(['p', null, 'q'.repeat(20)])], {rechunk: false, how: 'vertical'}), 'uncompressed'],
};
for (const [name, [data, compression]] of Object.entries(files)) {
  data.writeIPC(`${folder}/${name}.arrow`, {compression});
  const read = pl.readIPC(fs.readFileSync(`${folder}/${name}.arrow`)), columns = {};
  for (const c of read.columns) columns[c] = read.getColumn(c).cast(c == 'n' ? pl.Float64 : pl.Utf8).toArray();
  fs.writeFileSync(`${folder}/${name}.json`, JSON.stringify(columns));
}
"""
(scratch / "write.cjs").write_text(SCRIPT)
subprocess.run(["node", str(scratch / "write.cjs"), sys.argv[2], str(scratch)], check=True)
for path in sorted(scratch.glob("*.arrow")):
    add("polars 0.26.1", "arrow", path.read_bytes(), columns=json.loads(path.with_suffix(".json").read_text()))

# ---- encodings, by Python's codecs
TEXTS = {
    "gb18030": "\u540d\u5b57,\u503c\n\u4e2d\u6587,1\n\u5317\u4eac\u5e02,2\n\U0001f600\u3401,3\n",
    "gbk": "\u540d\u5b57,\u503c\n\u4e2d\u6587,1\n\u4e02\u5317\u4eac\u5e02,2\n",
    "big5": "\u540d\u5b57,\u503c\n\u4e2d\u6587,1\n\u529f\u80fd\u4e00,2\n",
    "shift-jis": "\u540d\u524d,\u5024\n\u6771\u4eac,1\n\u30a2\u30a4\u30fc,2\n\uff71\uff72,3\n",
    "euc-jp": "\u540d\u524d,\u5024\n\u6771\u4eac,1\n\u30a2\u30a4\u30fc,2\n",
    "euc-kr": "\uc774\ub984,\uac12\n\uc11c\uc6b8,1\n\ub625,2\n",
    "windows-1252": "name,wert\nM\u00fcller,1\n\u20ac 5,2\nStra\u00dfe,3\n",
    "windows-1251": "\u0438\u043c\u044f,\u0447\nЖуков,1\n\u0451,2\n",
    "windows-1250": "jm\u00e9no,x\n\u017di\u017eka,1\nŁódź,2\n",
    "latin1": "name,wert\nM\u00fcller,1\n\u00e9t\u00e9,2\n",
    "utf-16le": "name,wert\nM\u00fcller,1\n\u4e2d\u6587,2\n",
    "utf-16be": "name,wert\nM\u00fcller,1\n\u4e2d\u6587,2\n",
}
CODECS = {"shift-jis": "cp932", "euc-kr": "cp949"}


def columns_of(text):
    rows = [line.split(",") for line in text.splitlines()]
    numbers = [float(v) if v else None for v in next(zip(*[r[1:] for r in rows[1:]]))]
    return {rows[0][0]: [r[0] for r in rows[1:]], rows[0][1]: numbers}


for encoding, text in TEXTS.items():
    data = text.encode(CODECS.get(encoding, encoding))
    add("Python", "csv", data, encoding=encoding, columns=columns_of(data.decode(CODECS.get(encoding, encoding))))
    # Nothing but a name that fits is said of the bytes alone.
    single = encoding in ("windows-1252", "latin1", "windows-1250")
    if encoding != "windows-1251":
        name = "windows-1252" if single else encoding if encoding != "gbk" else "gb18030"
        add("Python", "csv", data, refused=f'"{name}"', unsaid=None if single else "windows")
arff = "@attribute \u540d {\u4e2d, \u6587}\n@data\n\u6587\n"
add("Python", "arff", arff.encode("gb18030"), encoding="gb18030", columns={"\u540d": ["\u6587"]})
add("Python", "arff", arff.encode("gb18030"), refused='"gb18030"', unsaid="windows")

# ---- packed files, and bytes that are no text
table = "x,y\n1,2\n3,4\n".encode()
archive = io.BytesIO()
with zipfile.ZipFile(archive, "w") as z:
    z.writestr(zipfile.ZipInfo("a.csv"), table)
add("Python", "csv", gzip.compress(table, mtime=0), columns=columns_of("x,y\n1,2\n3,4\n") | {"x": [1, 3]})
for name, data in {"bzip2 -dk": bz2.compress(table), "xz -dk": lzma.compress(table), "unzip": archive.getvalue(),
                   # zstd 1.5.4 and lz4 1.9.4: their frames begin so.
                   "zstd -d": b"\x28\xb5\x2f\xfd\x24\x0c" + table, "lz4 -d": b"\x04\x22\x4d\x18\x64\x40" + table}.items():
    add("Python", "csv", data, refused=name, unsaid="utf-16")
    add("Python", "svm" if name.startswith("b") else "arff", data, refused=name, unsaid="utf-16")
add("Python", "csv", b"x,y\n1,2\n3,\0\n", refused="tr -d", unsaid="utf-16")
add("Python", "csv", b"\0,y\n1,2\n3,4\n5,6\n", refused="tr -d", unsaid="utf-16")

# ---- SVMlight, read by scikit-learn
for text in ["1 qid:1 1:0.5 3:-2 # a\n-1 qid:1 2:1\n1 qid:2 1:1e3 # b\n", "# head\n3 qid:7 1:1\n2 qid:7 2:1\n\n1 qid:-9 3:1\n",
             "0 qid:1000000000000 1:1\n1 qid:5 1:2\n", "+1 1:0.5\n-1 2:2 # c\n", "2 qid:0 1:1\r\n1 qid:1 2:1\r\n"]:
    x, y, query = load_svmlight_file(io.BytesIO(text.encode()), query_id=True)
    columns = {f"f{j + 1}": list(c) for j, c in enumerate(x.toarray().T)} | {"target": list(y)}
    if len(query):
        columns["qid"] = [int(q) for q in query]
    add("scikit-learn 1.2.1", "svm", text.encode(), task="regression", columns=columns,
        groups="qid" if len(query) else None)
add("Python", "svm", b"1 qid:1 1:1\n1 1:1\n", refused="has no query")

# ---- blank lines of one column: pandas and R skip them, spreadsheets mean a missing entry
for text in [b"x\n1\n\n2\n", b"x\r\n1\r\n\r\n2\r\n", b"x\n1\n  \n2\n"]:
    add("Python", "csv", text, refused='line 3 is blank; take it out, or write ""')
add("pandas 1.5.3", "csv", b"x\n1\n2\n\n\n", columns={"x": [1, 2]})
add("pandas 1.5.3", "csv", b'x\n1\n""\n2\n', columns={"x": [1, None, 2]})

for entry in files:
    print(json.dumps({k: v for k, v in entry.items() if v is not None}, ensure_ascii=True))
