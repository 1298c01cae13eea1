package io.kueue4j.examples.sweep;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A flavor of a ClusterQueue or cohort, whose nominal quotas change.
 *
 * @param place the place in the file
 * @param isCohort whether a cohort owns the quota
 * @param name the name of the ClusterQueue or cohort
 * @param flavor the flavor
 */
record QuotaOwner(GridPlace place, boolean isCohort, String name, String flavor) {
  /**
   * {@return the configuration with other nominal quotas}
   *
   * @param configuration the configuration
   * @param resources the resources whose quota must exist; empty if any will do
   * @param nominal the new nominal quota of each resource of the flavor
   * @throws io.kueue4j.examples.simulation.InputException if there is no such quota
   */
  List<ConfigObject> change(
      List<ConfigObject> configuration,
      ImmutableList<String> resources,
      ToLongFunction<ResourceQuota> nominal) {
    List<String> others = new ArrayList<>();
    List<ResourceQuota> found = new ArrayList<>();
    boolean exists = false;
    ImmutableList.Builder<ConfigObject> changed = ImmutableList.builder();
    for (ConfigObject object : configuration) {
      if (object instanceof ClusterQueue queue && !isCohort) {
        others.add(queue.name());
        if (queue.name().equals(name)) {
          exists = true;
          changed.add(ClusterQueue.builder()
              .from(queue)
              .resourceGroups(groups(queue.resourceGroups(), nominal, found))
              .build());
          continue;
        }
      } else if (object instanceof Cohort cohort && isCohort) {
        others.add(cohort.name());
        if (cohort.name().equals(name)) {
          exists = true;
          changed.add(Cohort.builder()
              .from(cohort)
              .resourceGroups(groups(cohort.resourceGroups(), nominal, found))
              .build());
          continue;
        }
      }
      changed.add(object);
    }
    String kind = isCohort ? "Cohort" : "ClusterQueue";
    if (!exists) {
      throw place.problem("there is no " + kind + " '" + name + "'; "
          + (others.isEmpty() ? "there is none at all" : "there are " + joined(others)));
    }
    List<String> present = found.stream().map(ResourceQuota::resource).toList();
    if (present.isEmpty() || !present.containsAll(resources)) {
      throw place.problem(kind + " '" + name + "' has no quota of "
          + (resources.isEmpty() ? "any resource" : joined(resources)) + " in flavor '" + flavor
          + "'" + (present.isEmpty() ? "" : "; it has " + joined(present)));
    }
    return changed.build();
  }

  private static String joined(List<String> names) {
    return Joiner.on(", ").join(names);
  }

  private List<ResourceGroup> groups(
      List<ResourceGroup> groups,
      ToLongFunction<ResourceQuota> nominal,
      List<ResourceQuota> found) {
    return groups.stream()
        .map(group -> group.withQuotas((each, quota) -> {
          if (!each.equals(flavor)) {
            return quota;
          }
          found.add(quota);
          return new ResourceQuota(
              quota.resource(),
              nominal.applyAsLong(quota),
              quota.borrowingLimit(),
              quota.lendingLimit());
        }))
        .collect(toImmutableList());
  }
}
