#pragma once
#include <own/config.h>
#define OWN_HEADER(name) \
  <own/OWN_FOLDER/name>  // a comment
