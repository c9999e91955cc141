// One check in a process of its own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <thread>
#include <vector>

#include "check/checker_session.h"
#include "crossfold/plugin_check.h"

namespace crossfold::check {

// Starts `program`, waits at most so many seconds, and says what came of the task: crashed if the
// process ended before it told, timeout if it had to be killed. Blocks; thread-safe. Throws
// Error(kIo) if the program cannot be started.
CheckResult RunInProcess(const std::filesystem::path& program, const CheckTask& task, bool warns,
                         double seconds, const CancelToken* cancel);

// Processes at the same time: what is asked for, or one a core.
std::size_t NumberOfJobs(const CheckOptions& options);
// Up to `most` threads that call work(), as many as the system gives. Throws Error(kIo) for none.
std::vector<std::jthread> StartJobs(std::size_t most, const std::function<void()>& work);

// The outcome of what a check found. From strictness 8 on warnings are failures.
CheckOutcome OutcomeOf(const Verdict& verdict, bool warns, int strictness);

}  // namespace crossfold::check
