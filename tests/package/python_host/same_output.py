# Whether host.py prints the lines of the C++ host.
#   same_output.py COLUMNS_HOST FILE LIBRARY PLUGIN_FOLDER
import os
import subprocess
import sys


def summaries(command):
    done = subprocess.run(command, check=True, text=True, capture_output=True)
    return [line for line in done.stdout.splitlines() if " mean " in line and " sd " in line]


columns_host, file, library, plugins = sys.argv[1:]
host = os.path.join(os.path.dirname(os.path.abspath(__file__)), "host.py")
cpp = summaries([columns_host, file, plugins])
python = summaries([sys.executable, "-B", host, library, plugins, file])
assert cpp == python, f"{cpp} is not {python}"
print(f"{len(cpp)} equal lines")
