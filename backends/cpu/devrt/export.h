// What libmusadevrt.so exports; everything else in it is hidden.
#pragma once

#define MUSADEVRT_API __attribute__((visibility("default")))
