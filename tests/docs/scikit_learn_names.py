"""The names in docs/coming_from/scikit_learn.md exist in the scikit-learn that is installed:
python3 scikit_learn_names.py PAGE. Lines with a dagger name what came after Debian's 1.2.1."""
import importlib
import re
import sys

missing, looked_up = [], 0
for number, line in enumerate(open(sys.argv[1], encoding="utf-8"), 1):
    if not line.startswith("|") or "†" in line or "(experimental)" in line:
        continue
    first = line.split("|")[1]
    for module, name in re.findall(r"`([a-z_]+)\.([A-Za-z0-9_]+)", first):
        if module in ("search", "joblib", "l"):  # objects
            continue
        looked_up += 1
        try:
            getattr(importlib.import_module("sklearn." + module), name)
        except (ImportError, AttributeError) as problem:
            missing.append(f"{sys.argv[1]}:{number}: {module}.{name}: {problem}")
print("\n".join(missing))
print(f"{looked_up} names looked up, {len(missing)} missing")
sys.exit(1 if missing or looked_up < 50 else 0)
