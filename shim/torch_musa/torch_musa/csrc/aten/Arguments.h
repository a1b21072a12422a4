// The tensors among an operator's arguments.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <vector>

namespace at::musa {

// Calls visit(tensor) for each that is defined.
template <class Visit>
void forEachTensor(const c10::IValue& value, Visit&& visit) {
  const auto one = [&](const Tensor& tensor) {
    if (tensor.defined()) visit(tensor);
  };
  if (value.isTensor()) {
    one(value.toTensor());
  } else if (value.isTensorList()) {
    for (const Tensor& tensor : value.toTensorVector()) one(tensor);
  } else if (value.isOptionalTensorList()) {
    for (const std::optional<Tensor>& tensor : value.toOptionalTensorList().vec()) {
      if (tensor.has_value()) one(*tensor);
    }
  }
}

// The same value with change(tensor) in each tensor's place.
template <class Change>
c10::IValue withTensors(const c10::IValue& value, Change&& change) {
  if (value.isTensor()) return change(value.toTensor());
  if (value.isTensorList()) {
    std::vector<Tensor> made;
    for (const Tensor& tensor : value.toTensorVector()) made.push_back(change(tensor));
    return made;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<Tensor>> made;
    for (const std::optional<Tensor>& tensor : value.toOptionalTensorList().vec())
      made.push_back(tensor.has_value() ? std::optional<Tensor>(change(*tensor)) : std::nullopt);
    return made;
  }
  return value;
}

inline bool isGeneratorArgument(const c10::Argument& argument) {
  const auto& type = argument.type();
  if (type->kind() == c10::TypeKind::GeneratorType) return true;
  return type->kind() == c10::TypeKind::OptionalType &&
         type->castRaw<c10::OptionalType>()->getElementType()->kind() == c10::TypeKind::GeneratorType;
}

}  // namespace at::musa
