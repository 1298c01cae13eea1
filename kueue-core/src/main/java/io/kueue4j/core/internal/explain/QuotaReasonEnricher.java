package io.kueue4j.core.internal.explain;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.Comparators;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.BindingLimit;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Reason.QuotaFigures;
import io.kueue4j.core.model.Reason.QuotaFigures.Holder;
import io.kueue4j.core.model.Reason.QuotaFigures.Limit;
import io.kueue4j.core.model.Reason.QuotaFigures.LimitKind;
import io.kueue4j.core.model.ReasonCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Updates the reasons of workloads of one ClusterQueue to the present state of its quota, and adds
 * that state in figures. Valid while the state does not change.
 */
public final class QuotaReasonEnricher {
  private final QueueQuota queue;

  /** Cache of results, since many workloads wait for the same reason. */
  private final Map<Reason, Reason> known = new HashMap<>();

  public QuotaReasonEnricher(QueueQuota queue) {
    this.queue = queue;
  }

  /** {@return the reasons with the present amounts instead of the amounts at the attempt} */
  public List<Reason> update(List<Reason> reasons) {
    return reasons.stream().map(this::update).collect(toImmutableList());
  }

  /**
   * {@return the reasons with the amounts of now and without figures, which are more expensive to
   * compute}
   */
  public List<Reason> updateAmounts(List<Reason> reasons) {
    for (Reason each : reasons) {
      if (each.asked().isPresent()) {
        return reasons.stream()
            .map(reason -> reason.asked().isEmpty() ? reason : withAmounts(reason))
            .collect(toImmutableList());
      }
    }
    return reasons;
  }

  private Reason update(Reason reason) {
    return reason.asked().isEmpty() ? reason : known.computeIfAbsent(reason, this::withFigures);
  }

  private Reason withFigures(Reason reason) {
    FlavorResource pair = pair(reason);
    int column = queue.tree().column(pair);
    if (column < 0) {
      // The quota has been removed since.
      return reason;
    }
    BindingLimit binding = reason.code() == ReasonCode.EXCEEDS_MAXIMUM
        ? BindingLimit.ever(queue, column)
        : BindingLimit.now(queue, column);
    List<Holder> holders = holders(pair, binding);
    ImmutableList<Holder> first =
        holders.stream().collect(Comparators.least(QuotaFigures.MAX_HOLDERS, order())).stream()
            .collect(toImmutableList());
    return Reason.builder()
        .from(withAmounts(reason))
        .figures(new QuotaFigures(
            reason.asked().getAsLong(),
            queue.usage(pair),
            queue.available(pair),
            queue.tree().nominal(queue.node(), column),
            new Limit(kind(binding), binding.name(), binding.amount(), binding.used()),
            first,
            holders.size() - first.size()))
        .build();
  }

  private Reason withAmounts(Reason reason) {
    FlavorResource pair = pair(reason);
    int column = queue.tree().column(pair);
    if (column < 0) {
      return reason;
    }
    Reason.Builder updated =
        Reason.builder().from(reason).used(queue.usage(pair)).available(queue.available(pair));
    if (reason.code() != ReasonCode.EXCEEDS_MAXIMUM) {
      updated.limit(queue.tree().nominal(queue.node(), column));
    }
    return updated.build();
  }

  private FlavorResource pair(Reason reason) {
    return pair(reason.flavor().orElseThrow(), reason.resource().orElseThrow());
  }

  private FlavorResource pair(String flavor, String resource) {
    return queue.compiled().catalog().pair(flavor, resource);
  }

  /**
   * {@return the workloads whose usage counts against the limit that currently binds the queue, in
   * no particular order}
   */
  public List<Holder> holders(String flavor, String resource) {
    FlavorResource pair = pair(flavor, resource);
    int column = queue.tree().column(pair);
    return column < 0 ? List.of() : holders(pair, BindingLimit.now(queue, column));
  }

  private static LimitKind kind(BindingLimit binding) {
    if (binding.limitsBorrowing()) {
      return binding.isQueue()
          ? LimitKind.CLUSTER_QUEUE_BORROWING_LIMIT
          : LimitKind.COHORT_BORROWING_LIMIT;
    }
    return binding.isQueue() ? LimitKind.CLUSTER_QUEUE_QUOTA : LimitKind.COHORT_QUOTA;
  }

  private List<Holder> holders(FlavorResource pair, BindingLimit binding) {
    List<Holder> found = new ArrayList<>();
    queue.tree().layout().forEachQueue(member -> {
      if (binding.concerns(member)) {
        member.holders().forEach(holder -> {
          long amount = holder.amountOf(pair);
          if (amount > 0) {
            found.add(new Holder(VariantNames.submitted(holder.id()), member.name(), amount));
          }
        });
      }
    });
    return found;
  }

  private Comparator<Holder> order() {
    return Comparator.<Holder, Boolean>comparing(
            holder -> !holder.clusterQueue().equals(queue.name()))
        .thenComparing(Comparator.comparingLong(Holder::amount).reversed())
        .thenComparing(Holder::workload);
  }
}
