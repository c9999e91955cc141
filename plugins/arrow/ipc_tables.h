// The tables of Arrow IPC (arrow_ipc.fbs) as flatc makes them.
#pragma once

#include <arrow_ipc_generated.h>  // IWYU pragma: export
