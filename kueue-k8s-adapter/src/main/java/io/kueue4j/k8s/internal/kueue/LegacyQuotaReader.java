package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.k8s.internal.yaml.Fields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Reads the quotas of a ClusterQueue of v1alpha1 or v1alpha2, which are specified per resource.
 *
 * <p>Resources with the same flavors in the same order form one resource group; {@code min} becomes
 * the nominal quota, and {@code max} minus {@code min} the borrowing limit.
 */
final class LegacyQuotaReader {
  private record Entry(String flavor, ResourceQuota quota, String path) {}

  private record Resource(String name, List<Entry> entries) {
    ImmutableList<String> flavors() {
      return entries.stream().map(Entry::flavor).collect(ImmutableList.toImmutableList());
    }
  }

  private final boolean inCohort;
  private final Map<String, String> origins;

  /** Creates the reader; {@code origins} receives the field of each amount. */
  LegacyQuotaReader(boolean inCohort, Map<String, String> origins) {
    this.inCohort = inCohort;
    this.origins = origins;
  }

  ImmutableList<ResourceGroup> groups(Fields spec) {
    ListMultimap<ImmutableList<String>, Resource> byFlavors =
        MultimapBuilder.linkedHashKeys().arrayListValues().build();
    Map<String, Resource> byFlavor = new HashMap<>();
    for (Fields fields : spec.objects("resources")) {
      Resource resource = resource(fields);
      byFlavors.put(resource.flavors(), resource);
      for (String flavor : resource.flavors()) {
        Resource other = byFlavor.putIfAbsent(flavor, resource);
        if (other != null && !other.flavors().equals(resource.flavors())) {
          fields.problem(
              "flavors",
              "flavor \"%s\" is shared with resource \"%s\", whose flavors are %s and not %s; expected the same flavors in the same order, or none in common"
                  .formatted(flavor, other.name(), other.flavors(), resource.flavors()));
        }
      }
    }
    origins.put("resourceGroups", spec.path("resources"));
    ImmutableList.Builder<ResourceGroup> groups = ImmutableList.builder();
    int index = 0;
    for (ImmutableList<String> flavors : byFlavors.keySet()) {
      groups.add(group(flavors, byFlavors.get(flavors), "resourceGroups[" + index + "]"));
      index++;
    }
    return groups.build();
  }

  private ResourceGroup group(
      ImmutableList<String> flavors, List<Resource> resources, String field) {
    ImmutableList<String> covered =
        resources.stream().map(Resource::name).collect(ImmutableList.toImmutableList());
    ImmutableList.Builder<FlavorQuotas> quotas = ImmutableList.builder();
    for (int f = 0; f < flavors.size(); f++) {
      ImmutableList.Builder<ResourceQuota> ofFlavor = ImmutableList.builder();
      for (int r = 0; r < resources.size(); r++) {
        Entry entry = resources.get(r).entries().get(f);
        ofFlavor.add(entry.quota());
        String at = field + ".flavors[" + f + "].resources[" + r + "]";
        origins.put(at, entry.path());
        origins.put(at + ".nominalQuota", entry.path() + ".quota.min");
        origins.put(at + ".borrowingLimit", entry.path() + ".quota.max");
      }
      quotas.add(new FlavorQuotas(flavors.get(f), ofFlavor.build()));
    }
    return new ResourceGroup(covered, quotas.build());
  }

  private Resource resource(Fields fields) {
    String name = fields.requiredText("name");
    List<Entry> entries = new ArrayList<>();
    for (Fields flavor : fields.objects("flavors")) {
      Fields quota = flavor.object("quota");
      entries.add(
          new Entry(flavor.text("name").orElse("default"), quota(name, quota), flavor.path()));
    }
    return new Resource(name, entries);
  }

  private ResourceQuota quota(String resource, Fields quota) {
    long min = QuotaReader.amount(quota, "min", resource).orElse(0);
    OptionalLong max = QuotaReader.amount(quota, "max", resource);
    if (max.isEmpty()) {
      return ResourceQuota.ofAmount(resource, min);
    }
    if (max.getAsLong() < min) {
      quota.problem(
          "max",
          "%s is less than the min of %s; expected at least that"
              .formatted(
                  Quantity.format(resource, max.getAsLong()), Quantity.format(resource, min)));
    }
    if (!inCohort) {
      quota.note("max", "without effect: the queue is in no cohort to borrow from");
      return ResourceQuota.ofAmount(resource, min);
    }
    OptionalLong borrowingLimit = OptionalLong.of(Amount.subtract(max.getAsLong(), min));
    return new ResourceQuota(resource, min, borrowingLimit, OptionalLong.empty());
  }
}
