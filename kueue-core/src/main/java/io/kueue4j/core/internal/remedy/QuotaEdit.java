package io.kueue4j.core.internal.remedy;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.remedy.Shortage.Pair;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.Amount;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Adds to the nominal quotas, the borrowing limits or the lending limits of some resource groups.
 */
public enum QuotaEdit {
  /** Nominal quotas. */
  NOMINAL_QUOTA,
  /** Borrowing limits; absent limits are left alone. */
  BORROWING_LIMIT,
  /** Lending limits; absent limits are left alone. */
  LENDING_LIMIT;

  /** {@return the amount of {@code quota} that this raises} */
  long amount(ResourceQuota quota) {
    return switch (this) {
      case NOMINAL_QUOTA -> quota.nominalQuota();
      case BORROWING_LIMIT -> quota.borrowingLimit().orElse(Amount.UNLIMITED);
      case LENDING_LIMIT -> quota.lendingLimit().orElse(Amount.UNLIMITED);
    };
  }

  private ResourceQuota with(ResourceQuota quota, long amount) {
    String resource = quota.resource();
    long nominal = quota.nominalQuota();
    return switch (this) {
      case NOMINAL_QUOTA ->
        new ResourceQuota(resource, amount, quota.borrowingLimit(), quota.lendingLimit());
      case BORROWING_LIMIT ->
        new ResourceQuota(resource, nominal, OptionalLong.of(amount), quota.lendingLimit());
      case LENDING_LIMIT ->
        new ResourceQuota(resource, nominal, quota.borrowingLimit(), OptionalLong.of(amount));
    };
  }

  /** {@return the groups with {@code added} added} */
  public ImmutableList<ResourceGroup> apply(List<ResourceGroup> groups, Map<Pair, Long> added) {
    return groups.stream()
        .map(group -> new ResourceGroup(
            group.coveredResources(),
            group.flavors().stream()
                .map(flavor -> apply(flavor, added))
                .collect(toImmutableList())))
        .collect(toImmutableList());
  }

  private FlavorQuotas apply(FlavorQuotas flavor, Map<Pair, Long> added) {
    return new FlavorQuotas(
        flavor.flavor(),
        flavor.resources().stream()
            .map(quota -> {
              Long more = added.get(new Pair(flavor.flavor(), quota.resource()));
              return more == null ? quota : with(quota, Amount.add(amount(quota), more));
            })
            .collect(toImmutableList()));
  }
}
