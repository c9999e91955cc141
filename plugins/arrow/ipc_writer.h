// Writes the formats of Arrow IPC.
#pragma once

#include <string>

#include "crossfold_plugin/arrow.h"
#include "crossfold_plugin/context.hpp"

namespace crossfold::reading {

// Writes the file format, or the stream format to a name that ends in ".arrows": one record batch
// for each array of the stream, which the caller releases. The bytes depend on the columns alone;
// buffers are aligned to 64 bytes. Metadata of columns are kept. Afterwards the file is complete or
// absent. Throws Error, also for a type that IpcReader does not read.
void WriteIpcFile(const std::string& path, ArrowArrayStream& columns,
                  const plugin::Context& context);

}  // namespace crossfold::reading
