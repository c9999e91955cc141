#include "crossfold/stats/mean.h"
