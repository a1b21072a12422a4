// What the processes of a job do together: each calls the same of these.
#pragma once

#include <cstddef>

#include "array.h"
#include "job.h"

namespace rank_program {

// result_scenarios.cpp
void collectives(Job& job);
void staged(Job& job);
void stagedGraphs(Job& job);
void manyBuffers(Job& job);
void passedOn(Job& job);
void threads(Job& job);
// Every collective with `count` elements, buffers of `kind`; checks all results.
void allCollectives(Job& job, size_t count, Kind kind);

// failure_scenarios.cpp
void killed(Job& job);
void mismatch(Job& job);
void abort(Job& job);
void forEver(Job& job);
void stale(Job& job);

// life_scenarios.cpp
void split(Job& job);
void makeIdAndLeave(Job& job);
void brief(Job& job);
void briefSplit(Job& job);
void fewDescriptors(Job& job);
void briefNonBlocking(Job& job);

}  // namespace rank_program
