// The tensors among an operator's arguments.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <algorithm>

namespace at::musa {

// Calls visit(tensor) for each that is defined. Of lists the elements are asked: TorchScript's have types of
// its own making.
template <class Visit>
void forEachTensor(const c10::IValue& value, Visit&& visit) {
  const auto one = [&](const c10::IValue& element) {
    if (element.isTensor() && element.toTensor().defined()) visit(element.toTensor());
  };
  if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) one(element);
  } else {
    one(value);
  }
}

// The same value with change(tensor) in each tensor's place.
template <class Change>
c10::IValue withTensors(const c10::IValue& value, Change&& change) {
  if (value.isTensor()) return change(value.toTensor());
  if (!value.isList()) return value;
  const auto elements = value.toListRef();
  if (std::none_of(elements.begin(), elements.end(), [](const c10::IValue& one) { return one.isTensor(); }))
    return value;
  c10::impl::GenericList made(value.toList().elementType());
  for (const c10::IValue& element : elements)
    made.push_back(element.isTensor() ? c10::IValue(change(element.toTensor())) : element);
  return made;
}

inline bool isGeneratorArgument(const c10::Argument& argument) {
  const auto& type = argument.type();
  if (type->kind() == c10::TypeKind::GeneratorType) return true;
  return type->kind() == c10::TypeKind::OptionalType &&
         type->castRaw<c10::OptionalType>()->getElementType()->kind() == c10::TypeKind::GeneratorType;
}

}  // namespace at::musa
