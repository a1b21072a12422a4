#pragma once
constexpr int kOfFolder = 4;
