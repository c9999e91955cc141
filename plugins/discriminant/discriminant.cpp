// Discriminant analysis, linear and quadratic: see README.md.
#include "crossfold_plugin.hpp"
#include "lda.h"
#include "qda.h"

CROSSFOLD_PLUGIN("crossfold.discriminant", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Lda, crossfold::bundled::Qda)
