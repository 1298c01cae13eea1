package io.kueue4j.core.internal.assertion;

import io.kueue4j.core.internal.fairness.FractionalAmounts;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Sets and sums over all workloads are what the workloads say one by one. */
final class RegistryChecks {
  private final EngineState state;
  private final List<String> violations;

  private RegistryChecks(EngineState state, List<String> violations) {
    this.state = state;
    this.violations = violations;
  }

  static void check(EngineState state, List<String> violations) {
    RegistryChecks checks = new RegistryChecks(state, violations);
    checks.compare(
        "are placing pods",
        state.books().placing(),
        record -> record.lifecycle().placement() != null);
    checks.compare(
        "have a failed node", state.workloads().failed(), record -> record.failure() != null);
    if (state.variants().firstChanged().isPresent()) {
      violations.add(
          "the variants of " + state.variants().firstChanged().get() + " are not settled");
    }
    boolean isAnyNotReady =
        state.workloads().all().stream().anyMatch(WorkloadRecord::countsAsNotReady);
    if (isAnyNotReady != state.books().isAnyNotReady()) {
      violations.add("whether pods are not ready is " + state.books().isAnyNotReady());
    }
    state.configuration().localQueues().forEach(checks::compareUsage);
  }

  private void compare(String what, Set<WorkloadId> known, Predicate<WorkloadRecord> isWanted) {
    Set<WorkloadId> expected = new TreeSet<>();
    state.workloads().all().stream()
        .filter(isWanted)
        .forEach(record -> expected.add(record.workload().id()));
    if (!expected.equals(known)) {
      violations.add("the workloads that " + what + " are " + known + " instead of " + expected);
    }
  }

  private void compareUsage(LocalQueue queue) {
    String key = Configuration.localQueueKey(queue);
    state.fairness().account(key).ifPresent(account -> {
      FractionalAmounts counted = state.fairness().countInUse(account);
      if (!counted.equals(account.inUse())) {
        violations.add("the usage of LocalQueue " + key + " is " + account.inUse()
            + "; its workloads use " + counted);
      }
    });
  }
}
