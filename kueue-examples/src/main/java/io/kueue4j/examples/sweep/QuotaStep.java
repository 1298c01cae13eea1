package io.kueue4j.examples.sweep;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.resource.Quantity;
import java.util.List;

/**
 * The nominal quota of one resource in a flavor of a ClusterQueue or cohort.
 *
 * @param name the name of the axis
 * @param owner whose quota it is
 * @param resource the resource
 * @param amounts the values, in milli-units of cpu, whole units of everything else
 */
record QuotaStep(String name, QuotaOwner owner, String resource, ImmutableLongArray amounts)
    implements Step {
  @Override
  public ImmutableList<String> values() {
    return amounts.asList().stream()
        .map(amount -> Quantity.format(resource, amount))
        .collect(toImmutableList());
  }

  @Override
  public List<ConfigObject> apply(List<ConfigObject> configuration, int value) {
    return owner.change(
        configuration,
        ImmutableList.of(resource),
        quota -> quota.resource().equals(resource) ? amounts.get(value) : quota.nominalQuota());
  }
}
