// All checks, in the order in which they are run.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "check/check.h"

namespace crossfold::check {

// The families: each is a file of the same name.
std::span<const Check> FileChecks();
std::span<const Check> LoadChecks();
std::span<const Check> DescriptionChecks();
std::span<const Check> DeclarationChecks();
std::span<const Check> FitChecks();
std::span<const Check> TransformChecks();
std::span<const Check> TransformColumnChecks();
std::span<const Check> TransformRowChecks();
std::span<const Check> TransformDataChecks();
std::span<const Check> ResampleChecks();
std::span<const Check> SplitterChecks();
std::span<const Check> SplitLawChecks();
std::span<const Check> SplitDataChecks();
std::span<const Check> MetricChecks();
std::span<const Check> MetricLawChecks();
std::span<const Check> MetricDataChecks();
std::span<const Check> SourceChecks();
std::span<const Check> SourceDamageChecks();
std::span<const Check> SourceWriteChecks();
std::span<const Check> SeedChecks();
std::span<const Check> RowChecks();
std::span<const Check> ColumnChecks();
std::span<const Check> DegenerateChecks();
std::span<const Check> ClassChecks();
std::span<const Check> WeightChecks();
std::span<const Check> ParamChecks();
std::span<const Check> ErrorChecks();
std::span<const Check> InterruptChecks();
std::span<const Check> ResourceChecks();
std::span<const Check> ThreadChecks();
std::span<const Check> CapabilityChecks();
std::span<const Check> ValidationChecks();
std::span<const Check> SharingChecks();
std::span<const Check> CrossPredictChecks();
std::span<const Check> SerializeChecks();
std::span<const Check> OnnxChecks();
std::span<const Check> ReportChecks();
std::span<const Check> MemoryChecks();

// All checks. A check comes after the one that it needs.
std::vector<Check> AllChecks();

// The check of this name and scope, or null.
const Check* FindCheck(std::span<const Check> checks, std::string_view name, CheckScope scope);

}  // namespace crossfold::check
