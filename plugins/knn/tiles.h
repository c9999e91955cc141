// Independent pieces of work on the threads of a call.
#pragma once

#include <cstddef>
#include <functional>

#include "crossfold_plugin.hpp"

namespace crossfold::knn {

// Calls body(0), body(1) ... body(n - 1) on up to context.n_threads() threads. If several throw,
// throws the exception of the one with the lowest number, which is the same on any number of
// threads. Throws Error if the host cancels.
void ForEachTile(std::size_t n, const plugin::Context& context,
                 const std::function<void(std::size_t)>& body);

}  // namespace crossfold::knn
