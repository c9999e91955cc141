local folder = os.getenv("HOME") .. "/work/data"
print(folder, "/build/release/bin/crossfold")
