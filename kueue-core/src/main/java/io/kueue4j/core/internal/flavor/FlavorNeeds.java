package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.PairUsage;
import io.kueue4j.core.internal.compiled.CompiledGroup;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.quota.AmountOverTime;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.UsageForecast;
import java.util.ArrayList;
import java.util.List;

/**
 * What a workload needs at least in order to fit without preemption: each amount on one of the
 * flavors. While that is missing, a search over flavors finds nothing.
 *
 * <p>Rules: PS-4.
 */
public final class FlavorNeeds {
  /** Each need has the same amount of several pairs, of which one is enough. */
  private final List<PairUsage> needs = new ArrayList<>();

  private FlavorNeeds() {}

  /** {@return what all pods of a workload need in a queue} */
  public static FlavorNeeds of(CompiledWorkload workload, QueueQuota queue) {
    FlavorNeeds found = new FlavorNeeds();
    CompiledQueue compiled = queue.compiled();
    for (int[] members : workload.groups()) {
      GroupRequests requests =
          new GroupRequests(workload, compiled, members, workload.fullCounts());
      for (int r = 0; r < requests.size; r++) {
        ResourceName resource = requests.resources[r];
        if (compiled.covers(resource)) {
          PairUsage choices = new PairUsage();
          CompiledGroup group = compiled.group(resource);
          for (int f = 0; f < group.flavorCount(); f++) {
            if (workload.allows(group.flavor(f))) {
              choices.add(group.pair(f, resource), requests.amounts[r]);
            }
          }
          found.needs.add(choices);
        }
      }
    }
    return found;
  }

  /** {@return what an assignment needs} */
  public static FlavorNeeds of(Assignment assignment) {
    FlavorNeeds found = new FlavorNeeds();
    PairUsage usage = assignment.usage();
    for (int i = 0; i < usage.size(); i++) {
      PairUsage need = new PairUsage();
      need.add(usage.pair(i), usage.amount(i));
      found.needs.add(need);
    }
    return found;
  }

  /**
   * {@return the first time from {@code millis} on at which all needs may be met,
   * {@link AmountOverTime#NEVER} if there is none}
   */
  public long firstRoom(UsageForecast forecast, QueueQuota queue, long millis) {
    long first = millis;
    long before;
    do {
      before = first;
      for (PairUsage choices : needs) {
        long earliest = AmountOverTime.NEVER;
        for (int i = 0; i < choices.size(); i++) {
          earliest = Math.min(
              earliest, forecast.firstRoom(queue, choices.pair(i), choices.amount(i), first));
        }
        first = earliest;
      }
    } while (first != before);
    return first;
  }
}
