// The project's own: nothing of the toolkit.
#pragma once
inline int answer() { return 42; }
