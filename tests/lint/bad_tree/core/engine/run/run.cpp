#include "analysis/stats/own.h"
#include "crossfold/error.h"
