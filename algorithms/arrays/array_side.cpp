// algorithms/arrays/array_side.cpp: see array_side.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_side.hpp"

#include <algorithm>

namespace flitwave {

namespace {

Schema<ArraySide> side_schema() {
  return Schema<ArraySide>{}
      .required("section", &ArraySide::section,
                "of each dimension, rows first, lower:upper:stride; one dimension is in the first "
                "row of processors")
      .required("block", &ArraySide::block, "elements that a processor owns of each dimension")
      .optional("processors", &ArraySide::processors,
                "of each dimension; empty: as many as the section needs")
      .optional(
          "template_offset", &ArraySide::template_offset,
          "of each dimension, the position of element 0 on a template that is distributed; empty: "
          "0")
      .optional("template_stride", &ArraySide::template_stride,
                "of each dimension, the distance of elements on the template; empty: 1");
}

/// Throws: ConfigError at the list when a number is below `least`.
void check_numbers(const ConfigNode& node, const char* key, const std::vector<int>& numbers,
                   int least) {
  if (std::any_of(numbers.begin(), numbers.end(), [&](int number) { return number < least; }))
    throw node.at(key).error("a number is too small", "use " + std::to_string(least) + " or more");
}

}  // namespace

ArraySide Codec<ArraySide>::read(const ConfigNode& node) {
  ArraySide side = side_schema().parse(node);
  const std::size_t dimensions = side.section.size();
  if (dimensions < 1 || dimensions > 2)
    throw node.at("section").error("an array has one or two dimensions",
                                   "write e.g. section: [0:15, 0:7]");
  check_numbers(node, "block", side.block, 1);
  check_numbers(node, "processors", side.processors, 1);
  check_numbers(node, "template_offset", side.template_offset, 0);
  check_numbers(node, "template_stride", side.template_stride, 1);
  for (const char* key : {"block", "processors", "template_offset", "template_stride"}) {
    const ConfigNode* list = node.find(key);
    if (list && list->is_list() && !list->items().empty() && list->items().size() != dimensions)
      throw list->error("the section has another number of dimensions",
                        "write a number for each of its " + std::to_string(dimensions));
  }
  return side;
}

std::string Codec<ArraySide>::print(const ArraySide& side) {
  return map_text(side_schema().print(side));
}

ValueType Codec<ArraySide>::type() {
  const std::string numbers =
      R"({"type":"array","items":{"type":"integer","minimum":0},"maxItems":2})";
  return {"array placement", "{section: [0:15, 0:7], block: [4, 2]}",
          R"({"type":"object","required":["section","block"],"additionalProperties":false,)"
          R"("properties":{"section":{"type":"array","minItems":1,"maxItems":2,"items":)" +
              Codec<Section>::type().json_schema +
              R"(},"block":{"type":"array","minItems":1,"maxItems":2,"items":)"
              R"({"type":"integer","minimum":1}},"processors":)" +
              numbers + R"(,"template_offset":)" + numbers + R"(,"template_stride":)" + numbers +
              "}}"};
}

}  // namespace flitwave
