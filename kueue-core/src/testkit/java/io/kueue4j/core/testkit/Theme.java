package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import java.util.Arrays;

/**
 * Features that one scenario combines, since only their combination shows certain bugs. All other
 * features are rare in it, so that they do not hide the theme.
 */
enum Theme {
  /** No combination is preferred: each feature is in half of the scenarios. */
  ANYTHING,
  /** Workloads of one queue preempt each other. */
  PRIORITIES(Feature.PREEMPTION, Feature.PRIORITIES),
  /** Queues reclaim borrowed quota, within limits. */
  RECLAIM(Feature.PREEMPTION, Feature.PRIORITIES, Feature.LIMITS, Feature.HIERARCHY),
  /** Shares determine the victims. */
  FAIR_PREEMPTION(
      Feature.FAIR_SHARING, Feature.PREEMPTION, Feature.HIERARCHY, Feature.WEIGHTS, Feature.LIMITS),
  /** Workloads go through several flavors and preempt on one of them. */
  FLAVORS(Feature.FUNGIBILITY, Feature.PREEMPTION, Feature.PRIORITIES, Feature.POD_SETS),
  /** Counts are reduced until workloads fit, with or without victims. */
  SIZES(Feature.PARTIAL_ADMISSION, Feature.PREEMPTION, Feature.FUNGIBILITY),
  /** Workloads wait for reasons other than quota, and are changed meanwhile. */
  WAITING(
      Feature.HOLDS, Feature.PRIORITIES, Feature.SELECTORS, Feature.PREEMPTION, Feature.SETTINGS),
  /** Workloads wait for their preemption gates. */
  PREEMPTION_GATES(Feature.GATES, Feature.PREEMPTION, Feature.PRIORITIES, Feature.FUNGIBILITY),
  /** Workloads may use only some flavors, and request placement there. */
  ALLOWED_PLACES(Feature.GATES, Feature.TOPOLOGY, Feature.PREEMPTION, Feature.FUNGIBILITY),
  /** Workloads admitted and evicted elsewhere are restored at the start. */
  RESTORED(Feature.RESTORE, Feature.PREEMPTION, Feature.PRIORITIES, Feature.SETTINGS),
  /** Elastic jobs grow and shrink while others preempt. */
  ELASTIC(Feature.ELASTIC_JOBS, Feature.PREEMPTION, Feature.PRIORITIES, Feature.RECLAIMABLE_PODS),
  /** Elastic jobs grow and shrink on nodes that fill up. */
  ELASTIC_PLACES(
      Feature.ELASTIC_JOBS, Feature.TOPOLOGY, Feature.PREEMPTION, Feature.RECLAIMABLE_PODS),
  /** Queues, cohorts and flavors change while workloads use them. */
  CHANGES(Feature.RECONFIGURATION, Feature.HIERARCHY, Feature.LIMITS, Feature.PREEMPTION),
  /** LocalQueues are served by usage. */
  USAGE(Feature.ADMISSION_FAIR_SHARING, Feature.PREEMPTION, Feature.RECLAIMABLE_PODS),
  /** Workloads wait for admission checks, and then for placement. */
  CHECKS(Feature.CHECKS, Feature.PREEMPTION, Feature.PRIORITIES, Feature.TOPOLOGY),
  /** Workloads whose pods are not ready in time are evicted and return later. */
  PODS_READY(Feature.PODS_READY, Feature.PREEMPTION, Feature.PRIORITIES, Feature.HOLDS),
  /** Nodes are assigned exactly, in leaders, slices and elastic jobs. */
  STRICT_PLACES(Feature.TOPOLOGY, Feature.PREEMPTION, Feature.POD_SETS, Feature.SETTINGS),
  /** Queues are stopped while workloads wait for checks, and for evictions. */
  DRAINS(Feature.DRAINS, Feature.CHECKS, Feature.HOLDS, Feature.PREEMPTION),
  /** Settings differ from the defaults while workloads preempt. */
  GATES(Feature.SETTINGS, Feature.PREEMPTION, Feature.PRIORITIES, Feature.FUNGIBILITY);

  private final ImmutableSet<Feature> features;

  Theme(Feature... features) {
    this.features = Sets.immutableEnumSet(Arrays.asList(features));
  }

  /** {@return the features of each scenario of this theme, without topology} */
  ImmutableSet<Feature> features() {
    return features;
  }

  /** {@return whether a scenario of this theme has a feature} */
  boolean has(Feature feature, Dice dice) {
    if (features.contains(feature)) {
      return true;
    }
    return dice.oneIn(isRare(feature) ? 8 : this == ANYTHING ? 2 : 4);
  }

  /** {@return whether a feature hides much else, so that few scenarios have it} */
  private static boolean isRare(Feature feature) {
    return feature == Feature.HUGE_AMOUNTS || feature == Feature.SELECTORS;
  }
}
