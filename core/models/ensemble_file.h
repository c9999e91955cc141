// The file format of the models of ensembles, version 1, in the frame and fields of model_file.h:
//
//   "CFXENSEM", format version (4 bytes)
//   text kind, text name
//   outline
//   list of options: text name, value
//   list of members: text name, whether it has features of its own (1), the list of their names if
//     so, length and bytes of its model's file
//   SHA-256 (32 bytes) over all that
//
// The script of a kind defines the meaning of its options (scripts/crossfold/ensemble/voting.lua
// ...).
#pragma once

#include <string>
#include <string_view>

#include "crossfold/ensemble_model.h"

namespace crossfold {

std::string WriteEnsemble(const SavedEnsemble& ensemble);

// Reads an ensemble. `attempt` is "cannot load model 'a.cfm': ". Any bytes are safe; throws Error
// for invalid ones. It does not check the members' bytes. EmptyData(outline) of the result always
// succeeds.
SavedEnsemble ReadEnsemble(std::string_view bytes, const std::string& attempt);

}  // namespace crossfold
