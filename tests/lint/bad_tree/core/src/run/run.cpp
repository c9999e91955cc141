#include "stats/own.h"
#include "crossfold/error.h"
