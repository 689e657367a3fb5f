#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "data/npy_header.hpp"
#include "data/text_source.hpp"
#include "model/safetensors_header.hpp"

namespace mercer {

static_assert(std::endian::native == std::endian::little,
              "tensors are used as they stand in the mapped file");

std::size_t TensorView::count() const noexcept {
  std::size_t product = 1;
  for (const std::size_t extent : shape) product *= extent;
  return product;
}

Safetensors::Safetensors(const std::string& path) : file_(path), name_(file_->name()) { read(file_->text()); }

Safetensors::Safetensors(std::string name, std::string_view bytes) : name_(std::move(name)) { read(bytes); }

void Safetensors::read(std::string_view bytes_of_all) {
  SafetensorsHeader header = parse_safetensors_header(name_, bytes_of_all);
  metadata_ = std::move(header.metadata);
  for (TensorView& tensor : header.tensors) {
    const std::size_t element = dtype_info(tensor.dtype).bytes, bytes = tensor.count() * element;
    if (reinterpret_cast<std::uintptr_t>(tensor.data) % element != 0) {
      copies_.emplace_back(bytes);
      if (bytes > 0) std::memcpy(copies_.back().data(), tensor.data, bytes);
      tensor.data = copies_.back().data();
    }
    tensors_.emplace(tensor.name, std::move(tensor));
  }
}

void Safetensors::refuse(std::string_view field, std::string_view what) const {
  refuse_field(name_, field, what);
}

const TensorView& Safetensors::tensor(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) refuse(name, "is missing; a tensor of this name is needed");
  return found->second;
}

const TensorView& Safetensors::checked(const std::string& name, Dtype dtype,
                                       const std::vector<std::size_t>& shape) const {
  const TensorView& found = tensor(name);
  if (found.dtype != dtype || found.shape != shape)
    refuse(name, fmt::format("is {} of shape [{}]; {} of shape [{}] is needed", dtype_info(found.dtype).name,
                             shape_text(found.shape), dtype_info(dtype).name, shape_text(shape)));
  return found;
}

}  // namespace mercer
