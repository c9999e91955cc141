#!/bin/sh
# pip_install.sh PACKAGE FOLDER: installs a copy of the package into FOLDER without a network, as docs/python.md says,
# and uses it from there.
set -eu
package=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cp -R "$package" "$folder/source"
/usr/bin/python3 -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --no-index \
  --target "$folder/site" "$folder/source"
cd "$folder"
PYTHONPATH=$folder/site /usr/bin/python3 -B - <<'END'
import os
import crossfold
assert os.path.dirname(crossfold.__file__) == os.path.join(os.getcwd(), "site", "crossfold"), crossfold.__file__
X, y = [[float(i % 7), float(i)] for i in range(40)], ["a", "b"] * 20
print(crossfold.evaluate(X, y, ["featureless"], splitter="kfold{folds=4}").summary()[0]["n_defined"], "folds")
END
