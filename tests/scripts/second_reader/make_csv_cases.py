#!/usr/bin/python3
"""Writes csv_cases.jsonl: small CSV files and what other programs read in them.

Usage: /usr/bin/python3 make_csv_cases.py > csv_cases.jsonl (needs pandas and R). Each line has `name`, `text` (or `hex`, for
texts that are not UTF-8), `options` of cf.read, and either `columns` ([name, entries] as the second reader `by` gives
them, null = missing), or `refused`, a part of our message; `note` is a part of a note that must be there (without it
there must be none). The second reader is told by its own options what a file means.
"""
import csv
import io
import json
import math
import subprocess
import tempfile

import pandas

WORDS = ["nan", "NaN", "-nan", "-NaN", "1.#QNAN", "1.#IND", "-1.#IND", "-1.#QNAN", "#N/A"]


def entry(value):
    if value is None or (isinstance(value, float) and math.isnan(value)) or value is pandas.NA:
        return None
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value.item() if hasattr(value, "item") else value


def by_pandas(data, **how):
    frame = pandas.read_csv(io.BytesIO(data), **{"skipinitialspace": True, "float_precision": "round_trip", **how})
    return [[str(name), [entry(v) for v in frame[name].tolist()]] for name in frame.columns]


R_SCRIPT = """
args <- commandArgs(TRUE)
data <- eval(parse(text = sub("FILE", "args[1]", args[2], fixed = TRUE)))
text <- function(v) if (is.numeric(v)) ifelse(is.na(v), "~", formatC(v, digits = 17, format = "g")) else
  ifelse(is.na(v), "~", paste0("=", as.character(v)))
cat(names(data), sep = "\\x1f"); cat("\\x1e")
for (name in seq_along(data)) { cat(text(data[[name]]), sep = "\\x1f"); cat("\\x1e") }
"""


def by_r(data, call):
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        file.write(data)
        file.flush()
        out = subprocess.run(["Rscript", "--vanilla", "-e", R_SCRIPT, file.name, call], capture_output=True, check=True,
                             text=True).stdout
    def one(text):
        if text == "~":
            return None
        return text[1:] if text.startswith("=") else float(text)
    names, *columns = [part.split("\x1f") for part in out.split("\x1e")[:-1]]
    return [[name, [one(text) for text in column]] for name, column in zip(names, columns)]


def case(name, text, options=None, note=None, refused=None, r=None, encoding="utf-8", **how):
    data = text.encode(encoding)
    made = {"name": name}
    if encoding == "utf-8":
        made["text"] = text
    else:
        made["hex"] = data.hex()
        how.setdefault("encoding", encoding)
    made["options"] = options or {}
    if refused:
        made["refused"] = refused
    elif r:
        made["by"], made["columns"] = "R", by_r(data, r)
    else:
        made["by"], made["columns"] = "pandas", by_pandas(data, **how)
    if note:
        made["note"] = note
    print(json.dumps(made, ensure_ascii=False))


def write_table(call):
    """What R writes."""
    return subprocess.run(["Rscript", "--vanilla", "-e", call], capture_output=True, check=True, text=True).stdout


def nan_words():
    for word in WORDS:
        case(f"{word} among numbers", f"x,y\n1.5,a\n{word},b\n3,a\n")
    case("nan among whole numbers", "x,y\n1,a\nnan,b\n3,a\n")
    case("NaN among bool", "x,y\ntrue,a\nNaN,b\nFalse,a\n")
    case("nan in quotes", 'x,y\n1.5,a\n"nan",b\n3,a\n')
    case("nan first", "x,y\nNaN,a\n1,b\n2.5,a\n")
    case("nothing but nan", "x,y\nnan,a\nNaN,b\n")
    case("nan after 150 rows", "x\n" + "".join(f"{i}\n" for i in range(150)) + "nan\n-NaN\n")
    case("nan with decimal commas", "x;y\n1,5;a\nnan;b\n", {"separator": ";", "decimal": ","}, sep=";", decimal=",")
    case("nan among names", "x,y\nanna,1\nNan,2\nbert,3\n", keep_default_na=False)
    for word in ["NAN", "Nan", "+nan", "NaN(ind)", "1.#QNAN0", "1.#SNAN"]:
        case(f"{word} among numbers", f"x,y\n1.5,a\n{word},b\n3,a\n", na_values=[word])


def infinities():
    way_out = 'give infinite = "missing"'
    for word in ["inf", "Inf", "-inf", "Infinity", "-INFINITY", "+inf"]:
        text = f"x,y\n1.5,a\n{word},b\n3,a\n"
        case(f"{word} refused", text, refused="column 'x', row 2: the entry is infinite; " + way_out)
        case(f"{word} kept", text, {"infinite": "keep"})
    for word in ["inf", "-Inf", "1.#INF", "-1.#INF00", "\u221e"]:
        case(f"{word} missing", f"x,y\n1.5,a\n{word},b\n3,a\n", {"infinite": "missing"}, na_values=[word])
    case("inf among whole numbers", "x\n1\ninf\n3\n", {"infinite": "keep"})
    case("infinity among words", "x\ninfinity\neternity\n", keep_default_na=False)


def nearly_numbers():
    rows = [f"{i}.5" for i in range(30)]
    for word in ["-", "n/a", "unknown", "1,234", "12%", "NULL", "none", "Total", "3..5", "1 2", "0x1F", "#DIV/0!"]:
        cell = f'"{word}"' if "," in word else word
        text = "x,y\n" + "".join(f"{one},{'ab'[i % 2]}\n" for i, one in enumerate(rows)) + f"{cell},a\n"
        case(f"{word} in a column of numbers", text, note="'x' is read as categories, but", keep_default_na=False,
             dtype=str)
    case("a word named in missing", "x\n1\n-\n3\n", {"missing": ["", "-"]}, na_values=["-"])
    case("words in half of the rows", "x\n1\nlow\n3\nhigh\n", dtype=str)
    case("a type that was asked for", "x,y\n" + "".join(f"{i},a\n" for i in range(30)) + "n/a,b\n",
         {"types": {"x": "categorical"}}, dtype=str, keep_default_na=False)


def names_of_rows():
    frame = 'd <- data.frame(a = c(5.25, 1, 3), b = c("u", "v", "w"))'
    left_out = "column 1 has no name and a different entry in every row"
    case("write.csv of R", write_table(f"{frame}; write.csv(d)"), note=left_out, r="read.csv(FILE, row.names = 1)")
    case("write.table of R", write_table(f"{frame}; write.table(d)"), {"separator": "space"}, note=left_out,
         r="read.table(FILE)")
    case("write.table of R with commas", write_table(f"{frame}; write.table(d, sep = ',')"), note=left_out,
         r="read.csv(FILE)")
    case("write.table of R without quotes", write_table(f"{frame}; write.table(d, sep = ',', quote = FALSE)"),
         note=left_out, r="read.csv(FILE)")
    case("names of rows", write_table(f"{frame}; rownames(d) <- c('p', 'q', 'r'); write.csv(d)"), note=left_out,
         r="read.csv(FILE, row.names = 1)")
    frame = pandas.DataFrame({"a": [5.25, 1, 3], "b": ["u", "v", "w"]})
    case("to_csv of pandas", frame.to_csv(), note=left_out, index_col=0)
    case("to_csv of pandas with a time", frame.set_axis(["1:00", "2:00", "3:00"]).to_csv(), note=left_out, index_col=0)
    case("to_csv with tabs", frame.to_csv(sep="\t"), {"separator": "tab"}, note=left_out, sep="\t", index_col=0)
    case("names of rows that repeat", ",a\nu,1\nu,2\nv,3\n", note="column 1 has no name and is called 'c1'", header=0,
         names=["c1", "a"])
    case("an index that was asked for", ",a\n1,5\n2,6\n", {"types": {"c1": "i64"}}, header=0, names=["c1", "a"])
    case("a nameless column inside", "a,,b\n1,x,2\n3,x,4\n", note="column 2 has no name and is called 'c2'", header=0,
         names=["a", "c2", "b"])
    case("a number with a comma in each row", "price,sold\n1,50,3\n2,75,4\n1,20,5\n",
         refused="line 2 has 3 fields, the header has 2")
    case("one long row", "a,b\n1,2\n3,4,5\n", refused="line 3 has 3 fields, the header has 2")


def ends_of_lines():
    left_out = "column 3 has no name and no entries: it is left out"
    case("a separator at the end of all lines", "a,b,\n1,x,\n2,y,\n", note=left_out, usecols=["a", "b"])
    case("a separator at the end of rows", "a,b\n1,x,\n2,y,\n", note=left_out, index_col=False)
    case("semicolons at the end of lines", "a;b;\n1;x;\n2;y;\n", {"separator": ";"}, note=left_out, sep=";",
         usecols=["a", "b"])
    filled = {"ragged": "fill"}
    case("a short row", "a,b,c\n1,2,3\n4,5\n7,8,9\n", filled, note="1 row is shorter than the header",
         r="read.csv(FILE, fill = TRUE)")
    case("short rows", "a,b,c\n1\n4,5\n7,8,9\n", filled, note="2 rows are shorter than the header")
    case("short rows of words", "a,b\nu\nv,w\n", filled, note="1 row is shorter")
    case("a row with surplus separators", "a,b\n1,2,,\n3,4\n", filled, index_col=False)
    case("a short row is refused", "a,b,c\n1,2,3\n4,5\n", refused='give ragged = "fill"')
    case("a long row is not filled", "a,b\n1,2\n3,4,5\n", filled, refused="line 3 has 3 fields, the header has 2")
    case("a blank line inside", "a,b\n1,x\n\n2,y\n")
    case("blank lines with CRLF", "a,b\r\n1,x\r\n\r\n\r\n2,y\r\n\r\n")
    case("a line of blanks", "a,b\n1,x\n   \n2,y\n")
    case("a blank line before the header", "\na,b\n1,x\n2,y\n")
    case("a blank line within quotes", 'a,b\n1,"x\n\ny"\n\n2,z\n')
    case("blank lines and short rows", "a,b\n1,x\n\n2\n", filled, note="1 row is shorter")
    case("no line feed at the end", "a,b\n1,x\n2,y")
    case("CRLF", "a,b\r\n1,x\r\n2,y\r\n")
    case("CR", "a,b\r1,x\r2,y\r")


def names():
    twice = {"duplicate_names": "number"}
    case("duplicate names", "x,y,x\n1,2,3\n4,5,6\n", twice, note="another column is called 'x'", header=0,
         names=["x", "y", "x.2"])
    case("three of a name", "x,x,x\n1,2,3\n4,5,6\n", twice, note="it gets the name 'x.3'", header=0,
         names=["x", "x.2", "x.3"])
    case("a number that is taken", "x,x.2,x\n1,2,3\n4,5,6\n", twice, note="it gets the name 'x.3'", header=0,
         names=["x", "x.2", "x.3"])
    case("duplicate names are refused", "x,x\n1,2\n", refused='give duplicate_names = "number"')
    case("names in quotes", '"a b","c,d"\n1,2\n3,4\n')
    case("names with blanks around", " a , b \n1,2\n", header=0, names=["a", "b"])
    case("names in other letters", "größe,städte\n1,Köln\n2,Ulm\n")
    case("no header", "1,x\n2,y\n", {"header": False}, header=None, names=["c1", "c2"])
    case("names for a file without header", "1,x\n2,y\n", {"header": False, "names": ["n", "s"]}, header=None,
         names=["n", "s"])
    case("a byte order mark", "\ufeffa,b\n1,x\n2,y\n")
    case("a byte order mark and quotes", '\ufeff"a","b"\n1,x\n2,y\n')


def separators():
    case("sep=;", "sep=;\na;b\n1;x\n2;y\n", sep=";", skiprows=1)
    case("a byte order mark and sep=;", "\ufeffsep=;\na;b\n1;x\n2;y\n", sep=";", skiprows=1)
    for word, sign in [("tab", "\t"), ("bar", "|"), ("colon", ":"), ("auto", ";"), ("auto", "\t")]:
        text = sign.join("ab") + "\n1" + sign + "x\n2" + sign + "y\n"
        case(f"separator {word} for {sign!r}", text, {"separator": word}, sep=sign)
    case("runs of blanks", "a  b\n 1   x\n2 y  \n", {"separator": "space"}, r="read.table(FILE, header = TRUE)")
    case("decimal commas", "a;b\n1,5;x\n-0,25;y\n", {"separator": ";", "decimal": ","}, sep=";", decimal=",")
    case("thousands", 'a;b\n"1,234.5";x\n2;y\n', {"separator": ";", "thousands": ","}, sep=";", thousands=",")
    case("thousands of Germany", "a;b\n1.234,5;x\n2;y\n", {"separator": ";", "decimal": ",", "thousands": "."}, sep=";",
         decimal=",", thousands=".")
    case("comments", "# made by hand\na,b\n1,x\n# no\n2,y\n", {"comment": "#"}, comment="#")
    case("lines above the header", "Report\n2020\na,b\n1,x\n", {"skip_lines": 2}, skiprows=2)
    case("separators in quotes", 'a,b\n"1,5",x\n"2",y\n', note="numbers such as '1,5'", dtype=str)
    case("line ends in quotes", 'a,b\n1,"x\ny"\n2,"z\r\nw"\n')
    case("doubled quotes", 'a,b\n1,"say ""no"""\n2,""""\n')
    case("other quotes", "a,b\n1,'x,y'\n2,'z'\n", {"quote": "'"}, quotechar="'")
    case("no quotes", 'a,b\n1,5" pipe\n2,6" pipe\n', {"quote": False}, quoting=csv.QUOTE_NONE)
    case("latin1", "a,b\n1,Müller\n2,Weiß\n", {"encoding": "latin1"}, encoding="latin1")
    case("utf-16", "a,b\n1,Müller\n2,Weiß\n", encoding="utf-16")


def numbers():
    case("forms of numbers", "x\n+1\n-2.50\n.5\n5.\n1e3\n-1E-3\n007\n")
    case("whole numbers", "x\n1\n-9223372036854775808\n9223372036854775807\n")
    case("digits of doubles", "x\n0.1\n1.7976931348623157e308\n2.2250738585072014e-308\n3.141592653589793238462643\n")
    case("integers that f64 rounds", "x\n9007199254740993\n3.8e32\n", note="'x' has 1 integer beyond 2^53")
    case("an integer of 20 digits", "x\n12345678901234567891\n0.5\n", note="'x' has 1 integer beyond 2^53")
    case("powers of two", "x\n18014398509481984\n0.5\n")
    case("bool", "x\ntrue\nFALSE\nTrue\n")
    case("numbers in quotes", 'x,y\n"1",a\n"2.5",b\n')
    case("missing entries", "x,y\n1,a\n,NA\nNA,\n4,b\n")
    case("an empty column", "x,y\n,1\n,2\n")
    case("hexadecimal digits", "x\n0x10\n0x11\n", dtype=str)
    case("dates", "x\n2024-01-31\n2024-02-01\n")


for group in (nan_words, infinities, nearly_numbers, names_of_rows, ends_of_lines, names, separators, numbers):
    group()
