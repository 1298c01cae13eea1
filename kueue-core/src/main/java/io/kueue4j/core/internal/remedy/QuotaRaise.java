package io.kueue4j.core.internal.remedy;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.Remedy.Raise;
import io.kueue4j.core.internal.remedy.Shortage.Pair;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * A raise of quotas of one ClusterQueue or cohort, by amounts that are still to be found. The kind
 * of the remedy says which amounts it raises: borrowing limits, lending limits, or nominal quotas.
 * Absent limits are left alone.
 *
 * @param kind the kind of the remedy
 * @param owner the ClusterQueue or cohort
 * @param what what the message of the remedy says after the name of the owner
 */
public record QuotaRaise(Remedy.Kind kind, ConfigObject owner, String what) {
  /** {@return the remedy that adds these amounts} */
  Remedy by(Map<Pair, Long> added) {
    List<Raise> raises = new ArrayList<>();
    quotas(owner).forEach((pair, quota) -> {
      Long more = added.get(pair);
      if (more != null) {
        long from = amount(quota);
        raises.add(
            new Raise(owner.key(), pair.flavor(), pair.resource(), from, Amount.add(from, more)));
      }
    });
    return Remedy.builder(kind)
        .message(owner.key()
            + what
            + raises.stream().map(Raise::message).collect(Collectors.joining(", ")))
        .addAllRaises(raises)
        .addObjects(raised(added))
        .build();
  }

  /** {@return the owner with these amounts added} */
  public ConfigObject raised(Map<Pair, Long> added) {
    ImmutableList<ResourceGroup> raised = groups(owner).stream()
        .map(group -> group.withQuotas((flavor, quota) -> {
          Long more = added.get(new Pair(flavor, quota.resource()));
          return more == null ? quota : with(quota, Amount.add(amount(quota), more));
        }))
        .collect(toImmutableList());
    return owner instanceof Cohort cohort
        ? Cohort.builder().from(cohort).resourceGroups(raised).build()
        : ClusterQueue.builder()
            .from((ClusterQueue) owner)
            .resourceGroups(raised)
            .build();
  }

  private long amount(ResourceQuota quota) {
    return switch (kind) {
      case RAISE_BORROWING_LIMIT -> quota.borrowingLimit().orElse(Amount.UNLIMITED);
      case RAISE_LENDING_LIMIT -> quota.lendingLimit().orElse(Amount.UNLIMITED);
      default -> quota.nominalQuota();
    };
  }

  private ResourceQuota with(ResourceQuota quota, long amount) {
    boolean isBorrowing = kind == Remedy.Kind.RAISE_BORROWING_LIMIT;
    boolean isLending = kind == Remedy.Kind.RAISE_LENDING_LIMIT;
    return new ResourceQuota(
        quota.resource(),
        isBorrowing || isLending ? quota.nominalQuota() : amount,
        isBorrowing ? OptionalLong.of(amount) : quota.borrowingLimit(),
        isLending ? OptionalLong.of(amount) : quota.lendingLimit());
  }

  /** {@return the quotas of a ClusterQueue or cohort, in the order of declaration} */
  static Map<Pair, ResourceQuota> quotas(ConfigObject owner) {
    Map<Pair, ResourceQuota> quotas = new LinkedHashMap<>();
    groups(owner)
        .forEach(group -> group
            .flavors()
            .forEach(flavor -> flavor
                .resources()
                .forEach(quota -> quotas.put(new Pair(flavor.flavor(), quota.resource()), quota))));
    return quotas;
  }

  private static List<ResourceGroup> groups(ConfigObject owner) {
    return owner instanceof Cohort cohort
        ? cohort.resourceGroups()
        : ((ClusterQueue) owner).resourceGroups();
  }
}
