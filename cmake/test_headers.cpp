// Holds what the tests include (musashim_test in MusashimTargets.cmake), so that it is compiled once.
