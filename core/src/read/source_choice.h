// Which source reads a location.
#pragma once

#include <memory>
#include <string>

#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "read/source_location.h"

namespace crossfold {

// `attempt` is "cannot read 'a.csv'". Throws Error.
std::shared_ptr<const Component> ChooseSource(const PluginHost& host, const SourceLocation& place,
                                              const ReadRequest& request,
                                              const std::string& attempt);

}  // namespace crossfold
