package io.kueue4j.core.internal.validation;

import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.resource.ResourceNames;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Validates the resource groups of a ClusterQueue or Cohort.
 *
 * <p>Rules: M-5, M-6, M-16.
 */
final class QuotaValidator {
  private static final int MAX_GROUPS = 16;
  private static final int MAX_PER_GROUP = 64;
  private static final int MAX_TOTAL = 256;
  private static final int MAX_COMBINATIONS = 512;

  private final List<ResourceGroup> groups;
  private final boolean isQueue;
  private final boolean hasParent;
  private final Violations violations;
  private final Set<String> resources = new HashSet<>();
  private final Set<String> flavors = new HashSet<>();

  /** Creates a validator for the groups of a ClusterQueue or, otherwise, of a cohort. */
  QuotaValidator(
      List<ResourceGroup> groups, boolean isQueue, boolean hasParent, Violations violations) {
    this.groups = groups;
    this.isQueue = isQueue;
    this.hasParent = hasParent;
    this.violations = violations;
  }

  void validate() {
    violations.checkSize("resourceGroups", groups.size(), MAX_GROUPS);
    for (int i = 0; i < groups.size(); i++) {
      validateGroup(groups.get(i), "resourceGroups[" + i + "]");
    }
    if (isQueue) {
      violations.checkSize("resourceGroups", resources.size(), MAX_TOTAL);
      violations.checkSize("resourceGroups", flavors.size(), MAX_TOTAL);
    }
  }

  private void validateGroup(ResourceGroup group, String field) {
    List<String> covered = group.coveredResources();
    violations.check(
        !covered.isEmpty(), field + ".coveredResources", "empty; expected at least one resource");
    violations.check(
        !group.flavors().isEmpty(), field + ".flavors", "empty; expected at least one flavor");
    violations.checkSize(field + ".coveredResources", covered.size(), MAX_PER_GROUP);
    violations.checkSize(field + ".flavors", group.flavors().size(), MAX_PER_GROUP);
    violations.check(
        covered.size() * group.flavors().size() <= MAX_COMBINATIONS,
        field,
        "%d flavors by %d resources; expected at most %d combinations",
        group.flavors().size(),
        covered.size(),
        MAX_COMBINATIONS);
    for (int i = 0; i < covered.size(); i++) {
      String at = field + ".coveredResources[" + i + "]";
      violations.check(
          ResourceNames.isQualifiedName(covered.get(i)),
          at,
          "\"%s\" is not a resource name",
          covered.get(i));
      violations.check(
          resources.add(covered.get(i)),
          at,
          "\"%s\" is covered twice; a resource belongs to one group",
          covered.get(i));
    }
    for (int i = 0; i < group.flavors().size(); i++) {
      FlavorQuotas quotas = group.flavors().get(i);
      String at = field + ".flavors[" + i + "]";
      violations.checkName(at + ".name", quotas.flavor());
      violations.check(
          flavors.add(quotas.flavor()),
          at + ".name",
          "\"%s\" is named twice; a flavor belongs to one group",
          quotas.flavor());
      validateQuotas(quotas, covered, at);
    }
  }

  private void validateQuotas(FlavorQuotas quotas, List<String> covered, String field) {
    List<String> names =
        quotas.resources().stream().map(ResourceQuota::resource).toList();
    violations.check(
        names.equals(covered),
        field + ".resources",
        "%s; expected the covered resources in their order, %s",
        names,
        covered);
    for (int i = 0; i < quotas.resources().size(); i++) {
      ResourceQuota quota = quotas.resources().get(i);
      String at = field + ".resources[" + i + "]";
      checkAmount(quota.resource(), at + ".nominalQuota", quota.nominalQuota());
      checkLimit(quota.resource(), at + ".borrowingLimit", quota.borrowingLimit());
      checkLimit(quota.resource(), at + ".lendingLimit", quota.lendingLimit());
      violations.check(
          !isQueue
              || quota.lendingLimit().isEmpty()
              || quota.lendingLimit().getAsLong() <= quota.nominalQuota(),
          at + ".lendingLimit",
          "%s is more than the nominal quota of %s; expected at most that",
          Quantity.format(quota.resource(), quota.lendingLimit().orElse(0)),
          Quantity.format(quota.resource(), quota.nominalQuota()));
    }
  }

  private void checkLimit(String resource, String field, OptionalLong limit) {
    if (limit.isEmpty()) {
      return;
    }
    checkAmount(resource, field, limit.getAsLong());
    violations.check(
        hasParent,
        field,
        isQueue
            ? "given, but the queue is in no cohort; remove it or set a cohort"
            : "given, but the cohort has no parent; remove it or set a parent");
  }

  private void checkAmount(String resource, String field, long amount) {
    violations.check(
        amount >= 0,
        field,
        "%s is negative; expected 0 or more",
        Quantity.format(resource, amount));
  }
}
