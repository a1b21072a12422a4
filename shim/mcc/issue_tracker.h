// Where users are asked to report mistakes of the compiler: the one place that says so.
#pragma once

#define MUSASHIM_ISSUE_TRACKER "https://github.com/musashim/musashim/issues"
