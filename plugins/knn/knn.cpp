// k nearest neighbours: see README.md.
#include "model.h"

CROSSFOLD_PLUGIN("crossfold.knn", "1.1.0", "The Crossfold Authors", "MIT", crossfold::knn::Knn)
