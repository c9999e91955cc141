// A folder as a plugin: the tables that a host reads, and the functions that they name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "child_pool.h"
#include "crossfold_plugin.h"
#include "folder_description.h"

namespace crossfold::exec {

// Thread-safe. Must live as long as the process, because a host may keep its tables that long.
class ServedFolder {
 public:
  // Starts the folder's program. Throws BadDescription, and plugin::Error if the program cannot be
  // started or does not speak the protocol.
  ServedFolder(std::string path, FolderDescription description);
  ServedFolder(const ServedFolder&) = delete;
  ServedFolder& operator=(const ServedFolder&) = delete;

  const cf_plugin& plugin() const { return plugin_; }
  const FolderDescription& description() const { return description_; }
  ChildPool& pool() { return pool_; }

 private:
  void MakeParams();
  void MakeInfo();
  void MakePlugin();

  std::string path_;
  FolderDescription description_;
  ChildPool pool_;
  std::string version_;  // with the environment
  // What the tables point to.
  struct ParamMemory {
    std::vector<const char*> choices, strings;
  };
  std::vector<std::unique_ptr<ParamMemory>> memory_;
  std::vector<cf_param> params_;
  std::vector<const cf_param*> param_pointers_;
  cf_learner learner_{};
  const cf_learner* learners_[1] = {&learner_};
  cf_plugin plugin_{};
};

}  // namespace crossfold::exec
