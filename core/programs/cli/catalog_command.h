// crossfold catalog add, best, agree and others. They make a script, which the command runs.
#pragma once

#include <memory>
#include <string>

namespace crossfold::cli {

class Command;
struct ScriptOptions;

class CatalogCommand {
 public:
  // Declares the commands below `catalog`.
  explicit CatalogCommand(Command& catalog);
  ~CatalogCommand();
  CatalogCommand(const CatalogCommand&) = delete;
  CatalogCommand& operator=(const CatalogCommand&) = delete;

  bool was_given() const;
  // Makes the script of `run`.
  void MakeScript(ScriptOptions& run) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
