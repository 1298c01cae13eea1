package io.kueue4j.core.lint;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.lint.Finding.Play;
import io.kueue4j.core.lint.Stage.Outcome;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds quotas of which nobody can get anything, and cohorts that have none.
 *
 * @param stage the configuration in force
 * @param quotas the quotas of it
 */
record QuotaRules(Stage stage, SharedQuotas quotas) {
  /** Reports all findings. */
  void check(Consumer<Finding> findings) {
    for (String root : quotas.roots()) {
      ImmutableList<ClusterQueue> queues = quotas.queues(root);
      if (!checkTree(root, queues, findings)) {
        queues.forEach(queue -> checkResources(queue, findings));
      }
    }
    stage.all(Cohort.class).forEach(cohort -> checkReach(cohort, findings));
  }

  /** Returns whether there is no quota in a tree of cohorts. */
  private boolean checkTree(
      String root, ImmutableList<ClusterQueue> queues, Consumer<Finding> findings) {
    ClusterQueue first = queues.get(0);
    boolean hasNone = !first.key().equals(root)
        && queues.stream()
            .flatMap(queue -> quotas.of(queue.key()).keySet().stream())
            .allMatch(pair -> quotas.subtree(root, pair) == 0
                && queues.stream().allMatch(queue -> quotas.potential(queue.key(), pair) == 0));
    if (!hasNone) {
      return false;
    }
    for (ClusterQueue queue : queues) {
      for (QuotaPair pair : quotas.of(queue.key()).keySet()) {
        Optional<Play> play = waitsFor(queue, pair);
        if (play.isPresent()) {
          boolean isApplied =
              stage.all(Cohort.class).stream().anyMatch(cohort -> cohort.key().equals(root));
          findings.accept(new Finding(
              LintRule.COHORT_WITHOUT_QUOTA,
              isApplied ? root : first.key(),
              isApplied ? "name" : "cohort",
              root + " has no quota, and neither has any of its " + queues.size()
                  + " ClusterQueues; nothing in it is ever admitted",
              "give the Cohort or its ClusterQueues quota",
              play));
          return true;
        }
      }
    }
    return false;
  }

  private void checkResources(ClusterQueue queue, Consumer<Finding> findings) {
    Set<String> seen = new HashSet<>();
    quotas.of(queue.key()).forEach((first, declared) -> {
      String resource = first.resource();
      boolean hasNone = seen.add(resource)
          && quotas.of(queue.key()).keySet().stream()
              .filter(pair -> pair.resource().equals(resource))
              .allMatch(pair -> quotas.potential(queue.key(), pair) == 0);
      if (hasNone) {
        waitsFor(queue, first)
            .ifPresent(play -> findings.accept(new Finding(
                LintRule.ZERO_QUOTA,
                queue.key(),
                declared.field() + ".nominalQuota",
                "the queue covers " + resource + ", but has none and can borrow none; whatever"
                    + " requests it waits for ever",
                "give it quota, or keep it as a ban of the resource",
                Optional.of(play))));
      }
    });
  }

  /** {@return the play of a workload that requests the least and waits, if it does} */
  private Optional<Play> waitsFor(ClusterQueue queue, QuotaPair pair) {
    return stage.playLeast(queue, pair).filter(Outcome::isWaiting).map(Outcome::play);
  }

  private void checkReach(Cohort cohort, Consumer<Finding> findings) {
    String root = quotas.root(cohort.key());
    quotas.of(cohort.key()).forEach((pair, declared) -> {
      if (declared.quota().nominalQuota() > 0 && quotas.queues(root, pair).isEmpty()) {
        findings.accept(new Finding(
            LintRule.UNREACHABLE_QUOTA,
            cohort.key(),
            declared.field() + ".nominalQuota",
            pair.format(declared.quota().nominalQuota()) + " of " + pair
                + " is lent to nobody: no ClusterQueue below " + root + " names the flavor for "
                + pair.resource(),
            "name the flavor in a ClusterQueue, even with a quota of 0, or remove the quota",
            quotas.queues(root).stream()
                .flatMap(queue -> waitsFor(queue, pair).stream())
                .findFirst()));
      }
    });
  }
}
