// The structs of the Arrow C data and stream interfaces, as the SDK declares them.
#pragma once

#include "crossfold_plugin/arrow.h"
