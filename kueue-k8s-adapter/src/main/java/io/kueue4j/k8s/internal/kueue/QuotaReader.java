package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.k8s.internal.yaml.Fields;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the resource groups of a ClusterQueue or Cohort. */
final class QuotaReader {
  private QuotaReader() {}

  static ImmutableList<ResourceGroup> groups(Fields spec) {
    ImmutableList.Builder<ResourceGroup> groups = ImmutableList.builder();
    for (Fields group : spec.objects("resourceGroups")) {
      groups.add(new ResourceGroup(group.texts("coveredResources"), flavors(group)));
    }
    return groups.build();
  }

  private static ImmutableList<FlavorQuotas> flavors(Fields group) {
    ImmutableList.Builder<FlavorQuotas> flavors = ImmutableList.builder();
    for (Fields flavor : group.objects("flavors")) {
      ImmutableList.Builder<ResourceQuota> quotas = ImmutableList.builder();
      for (Fields quota : flavor.objects("resources")) {
        quotas.add(quota(quota));
      }
      flavors.add(new FlavorQuotas(flavor.requiredText("name"), quotas.build()));
    }
    return flavors.build();
  }

  private static ResourceQuota quota(Fields quota) {
    String resource = quota.requiredText("name");
    return new ResourceQuota(
        resource,
        required(quota, "nominalQuota", resource),
        amount(quota, "borrowingLimit", resource),
        amount(quota, "lendingLimit", resource));
  }

  static long required(Fields quota, String name, String resource) {
    if (!quota.has(name)) {
      quota.missing(name, "a quantity such as 2, 500m or 10Gi");
    }
    return amount(quota, name, resource).orElse(0);
  }

  static OptionalLong amount(Fields quota, String name, String resource) {
    Optional<String> text = quota.quantity(name);
    text.filter(Quantity::isBeyondRange)
        .ifPresent(given -> quota.note(
            name,
            "\"" + given + "\" is beyond 9223372036854775807, the largest quantity of Kubernetes,"
                + " and counts as unlimited"));
    return text.map(given -> OptionalLong.of(Quantity.quota(resource, given)))
        .orElse(OptionalLong.empty());
  }
}
