// Sources that read text files: CSV, TSV, ARFF, and the format of SVMlight and LIBSVM.
#include "arff_source.h"
#include "crossfold_plugin.hpp"
#include "csv_source.h"
#include "svmlight_source.h"

CROSSFOLD_PLUGIN("crossfold.text_files", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::reading::Csv, crossfold::reading::Tsv, crossfold::reading::Arff,
                 crossfold::reading::Svmlight)
