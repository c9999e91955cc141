# Whether the C host prints the numbers of the C++ host, bit for bit.
#   same_numbers.py COLUMNS_HOST FILE C_HOST PLUGIN_FOLDER
import subprocess
import sys


def summaries(lines):
    rows = [line.split() for line in lines if " mean " in line and " sd " in line]
    return [(row[0], row[1], float(row[3]), row[5] and float(row[5])) for row in rows]


columns_host, file, c_host, plugins = sys.argv[1:]
cpp = subprocess.run([columns_host, file, plugins], check=True, text=True, capture_output=True)
with open(file, encoding="utf-8") as rows:
    c = subprocess.run([c_host, plugins], check=True, text=True, capture_output=True, stdin=rows)
expected = summaries(cpp.stdout.splitlines())
found = summaries(c.stdout.splitlines())
assert len(expected) == 6, cpp.stdout
assert found == expected, f"{found} is not {expected}"
print("same numbers")
