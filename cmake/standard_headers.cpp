// Holds what most sources include (musashim_precompile_standard in MusashimTargets.cmake), so that it is compiled once.
