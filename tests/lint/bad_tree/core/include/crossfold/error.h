#include "analysis/stats/own.h"
