package io.kueue4j.core.internal.remedy;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Remedy.Raise;
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
  NOMINAL_QUOTA {
    @Override
    long amount(ResourceQuota quota) {
      return quota.nominalQuota();
    }

    @Override
    ResourceQuota with(ResourceQuota quota, long amount) {
      return new ResourceQuota(
          quota.resource(), amount, quota.borrowingLimit(), quota.lendingLimit());
    }
  },
  /** Borrowing limits; absent limits are left alone. */
  BORROWING_LIMIT {
    @Override
    long amount(ResourceQuota quota) {
      return quota.borrowingLimit().orElse(Amount.UNLIMITED);
    }

    @Override
    ResourceQuota with(ResourceQuota quota, long amount) {
      return new ResourceQuota(
          quota.resource(), quota.nominalQuota(), OptionalLong.of(amount), quota.lendingLimit());
    }
  },
  /** Lending limits; absent limits are left alone. */
  LENDING_LIMIT {
    @Override
    long amount(ResourceQuota quota) {
      return quota.lendingLimit().orElse(Amount.UNLIMITED);
    }

    @Override
    ResourceQuota with(ResourceQuota quota, long amount) {
      return new ResourceQuota(
          quota.resource(), quota.nominalQuota(), quota.borrowingLimit(), OptionalLong.of(amount));
    }
  };

  abstract long amount(ResourceQuota quota);

  abstract ResourceQuota with(ResourceQuota quota, long amount);

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

  /** {@return the raises that {@link #apply} makes to the quotas of {@code owner}} */
  ImmutableList<Raise> raises(String owner, List<ResourceGroup> groups, Map<Pair, Long> added) {
    ImmutableList.Builder<Raise> raises = ImmutableList.builder();
    for (ResourceGroup group : groups) {
      for (FlavorQuotas flavor : group.flavors()) {
        for (ResourceQuota quota : flavor.resources()) {
          Long more = added.get(new Pair(flavor.flavor(), quota.resource()));
          if (more != null) {
            long from = amount(quota);
            raises.add(
                new Raise(owner, flavor.flavor(), quota.resource(), from, Amount.add(from, more)));
          }
        }
      }
    }
    return raises.build();
  }
}
