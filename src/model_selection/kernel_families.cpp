#include "model_selection/kernel_families.hpp"

#include <algorithm>

#include "mercer/default_kernel.hpp"
#include "mercer/kernel_parameters.hpp"

namespace mercer {

namespace {

using Searches = std::vector<KernelSearch>;

Searches worth_trying(const Searches& all, std::optional<Domain> domain, Task task, const Points& points) {
  const bool classes = task == Task::classification;
  Searches found;
  for (const KernelSearch& search : all)
    if (!search.standard && search.domain == domain &&
        (search.task == Task::either || (search.task == Task::classification) == classes) &&
        (!search.when || search.when(points)))
      found.push_back(search);
  std::ranges::stable_sort(found, {}, &KernelSearch::rank);
  return found;
}

/// The search in numbers of these points.
KernelFamily family_of(const KernelSearch& search, const Points& points) {
  KernelFamily family{Kernel::parse(search.kernel)};
  if (search.number.empty()) {
    family.multiples = search.multiples;
    return family;
  }
  const double unit = search.unit(points);
  for (const double multiple : search.multiples) family.values.push_back(multiple * unit);
  if (family.values.size() > 1) {
    family.number = search.number;
    return family;
  }
  std::vector<double> numbers;
  for (const KernelParameter& own : numeric_parameters(family.kernel))
    numbers.push_back(own.name == search.number ? family.values.front() : own.value);
  return {with_parameters(family.kernel, numbers)};
}

KernelFamily standard_family(const Searches& all, const Points& points) {
  return family_of(*std::ranges::find_if(all, &KernelSearch::standard), points);
}

std::vector<KernelFamily> table_families(const Points& points, Task task, const Searches& searches) {
  std::vector<KernelFamily> families;
  for (const KernelSearch& search : worth_trying(searches, {}, task, points))
    families.push_back(family_of(search, points));
  return families;
}

std::vector<KernelFamily> object_families(const Points& points, Task task, const Searches& searches) {
  std::vector<std::vector<KernelFamily>> columns;
  std::size_t most = 0;
  for (const Objects& objects : points.objects()) {
    const Points column(objects);
    columns.emplace_back();
    for (const KernelSearch& search : worth_trying(searches, objects.domain(), task, column))
      columns.back().push_back(family_of(search, column));
    most = std::max(most, columns.back().size());
  }
  if (columns.size() == 1 && points.cols() == 0) return columns.front();
  std::vector<KernelFamily> families;
  for (std::size_t t = 0; t < most; ++t) {
    std::vector<KernelFamily> terms;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      terms.push_back(columns[c].at(std::min(t, columns[c].size() - 1)));
      terms.back().kernel = on_columns(terms.back().kernel, {points.objects()[c].name()});
    }
    if (points.cols() > 0) terms.push_back(standard_family(searches, points));
    KernelFamily sum = terms.front();
    for (std::size_t c = 1; c < terms.size(); ++c) {
      sum.kernel = sum.kernel + terms[c].kernel;
      if (sum.multiples.empty()) sum.multiples = terms[c].multiples;  // open lengths of a sum share theirs
    }
    families.push_back({sum.kernel, sum.multiples});
  }
  return families;
}

}  // namespace

std::vector<KernelSearch> kernel_searches(const std::vector<AnyLeaf>& of) {
  std::vector<KernelSearch> all;
  for (const AnyLeaf& leaf : of)
    for (KernelSearch search : leaf->traits().search) {
      const auto compared = leaf->traits().domains;
      if (!search.domain && !compared.empty()) search.domain = compared.front();
      all.push_back(search);
    }
  for (const Combinator* rule : combinators())
    all.insert(all.end(), rule->search.begin(), rule->search.end());
  return all;
}

std::vector<KernelFamily> kernel_families(const Points& points, Task task,
                                          const std::vector<KernelSearch>& searches) {
  if (points.objects().empty()) return table_families(points, task, searches);
  std::vector<KernelFamily> families;
  if (points.cols() > 0) families = table_families(points, task, searches);
  for (KernelFamily& family : object_families(points, task, searches)) families.push_back(std::move(family));
  return families;
}

Kernel default_kernel(const Points& points) {
  return points.objects().empty() ? standard_family(kernel_searches(), points).kernel
                                  : object_families(points, Task::none, kernel_searches()).front().kernel;
}

Kernel example_kernel(const Points& points) {
  if (points.objects().empty())
    return default_kernel(points) +
           0.1 * family_of(worth_trying(kernel_searches(), {}, Task::none, points).front(), points).kernel;
  const std::vector<KernelFamily> usual = object_families(points, Task::none, kernel_searches());
  return usual.at(0).kernel + usual.at(1).kernel;
}

}  // namespace mercer
