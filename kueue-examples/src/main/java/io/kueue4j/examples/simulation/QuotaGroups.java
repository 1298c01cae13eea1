package io.kueue4j.examples.simulation;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.Collection;
import java.util.stream.Stream;

/** The quotas of ClusterQueues and cohorts among the objects of a configuration. */
public final class QuotaGroups {
  private QuotaGroups() {}

  /** {@return the groups of a ClusterQueue or cohort; none of other objects} */
  public static Stream<ResourceGroup> of(ConfigObject object) {
    if (object instanceof ClusterQueue queue) {
      return queue.resourceGroups().stream();
    }
    return object instanceof Cohort cohort ? cohort.resourceGroups().stream() : Stream.empty();
  }

  /** {@return the quotas of a ClusterQueue or cohort in all flavors; none of other objects} */
  public static Stream<ResourceQuota> quotas(ConfigObject object) {
    return of(object)
        .flatMap(group -> group.flavors().stream())
        .flatMap(flavor -> flavor.resources().stream());
  }

  /** {@return the quotas that cohorts have of their own} */
  public static Stream<ResourceQuota> ofCohorts(Collection<ConfigObject> configuration) {
    return configuration.stream().filter(Cohort.class::isInstance).flatMap(QuotaGroups::quotas);
  }
}
