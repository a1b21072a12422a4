// Refined solutions, with settings of their own or without.
#pragma once

#include "libs/musolver/operations/refinement.h"
#include "libs/musolver/operations/refinement_settings.h"
