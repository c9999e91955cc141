#include "crossfold/error.h"
