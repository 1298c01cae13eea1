package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import com.google.common.collect.Table;
import io.kueue4j.core.lint.Finding.Play;
import io.kueue4j.core.lint.SharedQuotas.Declared;
import io.kueue4j.core.lint.Stage.Outcome;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Finds borrowing and lending limits without which the engine decides the same.
 *
 * <p>The figures of the quotas say which limits these are, and plays on a stage without the limit
 * confirm it. Limits of ClusterQueues do not depend on each other, so one stage has none of them;
 * limits of cohorts may, so each has a stage of its own.
 *
 * @param stage the configuration in force
 * @param quotas the quotas of it
 */
record LimitRules(Stage stage, SharedQuotas quotas) {
  /**
   * A limit that seems to have no effect.
   *
   * @param object the ClusterQueue or Cohort
   * @param pair the flavor and resource
   * @param isBorrowing whether it is a borrowing limit, otherwise a lending limit
   * @param field the path of the limit
   * @param message why it has no effect
   * @param advice what to change
   * @param queues the queues that would see an effect
   */
  private record Candidate(
      ConfigObject object,
      QuotaPair pair,
      boolean isBorrowing,
      String field,
      String message,
      String advice,
      Iterable<ClusterQueue> queues) {}

  /** Reports all findings. */
  void check(Consumer<Finding> findings) {
    List<Candidate> ofQueues = new ArrayList<>();
    stage.all(ClusterQueue.class).forEach(queue -> addCandidates(queue, ofQueues));
    Map<String, ConfigObject> without = new LinkedHashMap<>();
    for (Candidate limit : ofQueues) {
      without.merge(
          limit.object().key(),
          without(limit.object(), limit),
          (known, changed) -> without(known, limit));
    }
    report(ofQueues, without.values(), findings);
    List<Candidate> ofCohorts = new ArrayList<>();
    stage.all(Cohort.class).forEach(cohort -> addCandidates(cohort, ofCohorts));
    for (Candidate limit : ofCohorts) {
      report(ImmutableList.of(limit), List.of(without(limit.object(), limit)), findings);
    }
  }

  private void addCandidates(ConfigObject object, List<Candidate> candidates) {
    String node = object.key();
    quotas.of(node).forEach((pair, declared) -> {
      // Sums of unlimited quota say nothing about limits.
      if (quotas.parent(node).isPresent()
          && !Amount.isUnlimited(quotas.potentialWithoutLimit(node, pair))
          && !Amount.isUnlimited(quotas.subtree(quotas.root(node), pair))) {
        borrowing(object, pair, declared).ifPresent(candidates::add);
        lending(object, pair, declared).ifPresent(candidates::add);
      }
    });
  }

  private Optional<Candidate> borrowing(ConfigObject object, QuotaPair pair, Declared declared) {
    OptionalLong limit = declared.quota().borrowingLimit();
    String node = object.key();
    long most = quotas.potentialWithoutLimit(node, pair);
    long own = quotas.subtree(node, pair);
    if (limit.isEmpty() || Amount.add(own, limit.getAsLong()) < most) {
      return Optional.empty();
    }
    String rest = most == own ? "nothing" : pair.format(most - own);
    return Optional.of(new Candidate(
        object,
        pair,
        true,
        declared.field() + ".borrowingLimit",
        "the borrowing limit of " + pair.format(limit.getAsLong()) + " changes nothing: of " + pair
            + " there is " + (most == own ? "" : "at most ") + rest + " to borrow",
        most == own ? "remove it" : "remove it, or set less than " + rest,
        queuesBelow(object, pair)));
  }

  private Optional<Candidate> lending(ConfigObject object, QuotaPair pair, Declared declared) {
    OptionalLong limit = declared.quota().lendingLimit();
    String node = object.key();
    if (limit.isEmpty()) {
      return Optional.empty();
    }
    long own = quotas.subtree(node, pair);
    Iterable<ClusterQueue> others = Iterables.filter(
        quotas.queues(quotas.root(node), pair), queue -> !quotas.isWithin(queue.key(), node));
    boolean hasOthers = !Iterables.isEmpty(others);
    if (limit.getAsLong() < own && (hasOthers || countsInShares(node))) {
      return Optional.empty();
    }
    String cause = hasOthers
        ? "it is not less than the quota of " + pair.format(own) + ", all of which is lent"
        : "no other ClusterQueue of the cohort has quota of " + pair;
    return Optional.of(new Candidate(
        object,
        pair,
        false,
        declared.field() + ".lendingLimit",
        "the lending limit of " + pair.format(limit.getAsLong()) + " changes nothing: " + cause,
        hasOthers && own > 0
            ? "remove it, or set less than " + pair.format(own) + " to keep a part"
            : "remove it",
        hasOthers ? others : queuesBelow(object, pair)));
  }

  /** Shares are measured by what a cohort lends, also to queues without quota of the pair. */
  private boolean countsInShares(String node) {
    return stage.settings().fairSharing().isPresent()
        && quotas.queues(quotas.root(node)).size() > 1;
  }

  private Iterable<ClusterQueue> queuesBelow(ConfigObject object, QuotaPair pair) {
    return object instanceof ClusterQueue queue
        ? ImmutableList.of(queue)
        : Iterables.filter(
            quotas.queues(quotas.root(object.key()), pair),
            queue -> quotas.isWithin(queue.key(), object.key()));
  }

  private void report(
      List<Candidate> candidates, Iterable<ConfigObject> without, Consumer<Finding> findings) {
    Stage unlimited = stage.with(without);
    Table<String, QuotaPair, Optional<Play>> plays = HashBasedTable.create();
    for (Candidate limit : candidates) {
      Optional<ClusterQueue> seeing = Streams.stream(limit.queues())
          .filter(queue -> stage.view(queue).isActive()
              && quotas.potential(queue.key(), limit.pair()) > 0
              && stage.entrance(queue).isPresent())
          .findFirst();
      seeing
          .flatMap(queue -> plays
              .row(queue.name())
              .computeIfAbsent(limit.pair(), pair -> same(queue, pair, unlimited)))
          .ifPresent(play -> findings.accept(new Finding(
              LintRule.LIMIT_WITHOUT_EFFECT,
              limit.object().key(),
              limit.field(),
              limit.message(),
              limit.advice(),
              Optional.of(play))));
    }
  }

  /**
   * {@return the play of two workloads that request more than a queue can get, and all of it, if
   * the same becomes of them without limits}
   */
  private Optional<Play> same(ClusterQueue queue, QuotaPair pair, Stage unlimited) {
    Entrance at = stage.entrance(queue).orElseThrow();
    long most = quotas.potential(queue.key(), pair);
    Workload more = stage.request(at.queue(), 1, pair, Amount.add(most, 1));
    Workload all = stage.request(at.queue(), 2, pair, most);
    Outcome limited = stage.play(at, more, all);
    return limited.holding().equals(unlimited.play(at, more, all).holding())
        ? Optional.of(new Play(
            limited.play().added(),
            limited.play().steps(),
            ImmutableList.<String>builder()
                .addAll(limited.play().story())
                .add("the same becomes of them without the limit")
                .build()))
        : Optional.empty();
  }

  /** {@return the object without a limit} */
  private static ConfigObject without(ConfigObject object, Candidate limit) {
    if (object instanceof ClusterQueue queue) {
      return ClusterQueue.builder()
          .from(queue)
          .resourceGroups(without(queue.resourceGroups(), limit))
          .build();
    }
    Cohort cohort = (Cohort) object;
    return Cohort.builder()
        .from(cohort)
        .resourceGroups(without(cohort.resourceGroups(), limit))
        .build();
  }

  private static ImmutableList<ResourceGroup> without(List<ResourceGroup> groups, Candidate limit) {
    return groups.stream()
        .map(group -> group.withQuotas(
            (flavor, quota) -> limit.pair().equals(new QuotaPair(flavor, quota.resource()))
                ? without(quota, limit.isBorrowing())
                : quota))
        .collect(toImmutableList());
  }

  private static ResourceQuota without(ResourceQuota quota, boolean borrowing) {
    return new ResourceQuota(
        quota.resource(),
        quota.nominalQuota(),
        borrowing ? OptionalLong.empty() : quota.borrowingLimit(),
        borrowing ? quota.lendingLimit() : OptionalLong.empty());
  }
}
