package io.kueue4j.core.internal.validation;

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
    violations.forEach("resourceGroups", groups, this::validateGroup);
    if (isQueue) {
      violations.checkSize("resourceGroups", resources.size(), MAX_TOTAL);
      violations.checkSize("resourceGroups", flavors.size(), MAX_TOTAL);
    }
  }

  private void validateGroup(Violations ofGroup, ResourceGroup group) {
    List<String> covered = group.coveredResources();
    ofGroup.check(!covered.isEmpty(), ".coveredResources", "empty; expected at least one resource");
    ofGroup.check(!group.flavors().isEmpty(), ".flavors", "empty; expected at least one flavor");
    ofGroup.checkSize(".coveredResources", covered.size(), MAX_PER_GROUP);
    ofGroup.checkSize(".flavors", group.flavors().size(), MAX_PER_GROUP);
    ofGroup.check(
        covered.size() * group.flavors().size() <= MAX_COMBINATIONS,
        "",
        "%d flavors by %d resources; expected at most %d combinations",
        group.flavors().size(),
        covered.size(),
        MAX_COMBINATIONS);
    ofGroup.forEach(".coveredResources", covered, (at, resource) -> {
      at.check(
          ResourceNames.isQualifiedName(resource), "", "\"%s\" is not a resource name", resource);
      at.check(
          resources.add(resource),
          "",
          "\"%s\" is covered twice; a resource belongs to one group",
          resource);
    });
    ofGroup.forEach(".flavors", group.flavors(), (at, quotas) -> {
      at.checkName(".name", quotas.flavor());
      at.check(
          flavors.add(quotas.flavor()),
          ".name",
          "\"%s\" is named twice; a flavor belongs to one group",
          quotas.flavor());
      List<String> names =
          quotas.resources().stream().map(ResourceQuota::resource).toList();
      at.check(
          names.equals(covered),
          ".resources",
          "%s; expected the covered resources in their order, %s",
          names,
          covered);
      at.forEach(".resources", quotas.resources(), this::validateQuota);
    });
  }

  private void validateQuota(Violations at, ResourceQuota quota) {
    checkAmount(at, quota.resource(), ".nominalQuota", quota.nominalQuota());
    checkLimit(at, quota.resource(), ".borrowingLimit", quota.borrowingLimit());
    checkLimit(at, quota.resource(), ".lendingLimit", quota.lendingLimit());
    at.check(
        !isQueue
            || quota.lendingLimit().isEmpty()
            || quota.lendingLimit().getAsLong() <= quota.nominalQuota(),
        ".lendingLimit",
        "%s is more than the nominal quota of %s; expected at most that",
        Quantity.format(quota.resource(), quota.lendingLimit().orElse(0)),
        Quantity.format(quota.resource(), quota.nominalQuota()));
  }

  private void checkLimit(Violations at, String resource, String field, OptionalLong limit) {
    if (limit.isEmpty()) {
      return;
    }
    checkAmount(at, resource, field, limit.getAsLong());
    at.check(
        hasParent,
        field,
        isQueue
            ? "given, but the queue is in no cohort; remove it or set a cohort"
            : "given, but the cohort has no parent; remove it or set a parent");
  }

  private static void checkAmount(Violations at, String resource, String field, long amount) {
    at.check(
        amount >= 0,
        field,
        "%s is negative; expected 0 or more",
        Quantity.format(resource, amount));
  }
}
