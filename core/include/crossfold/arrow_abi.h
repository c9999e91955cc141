// The structs of the Arrow C data and stream interfaces, in the copy of the SDK.
#pragma once

#include "crossfold_plugin/arrow.h"
