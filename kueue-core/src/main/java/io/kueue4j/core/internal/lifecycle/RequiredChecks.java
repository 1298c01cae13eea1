package io.kueue4j.core.internal.lifecycle;

import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The admission checks that a ClusterQueue requires of a workload.
 *
 * <p>Rules: L-6, L-7, L-8.
 */
public final class RequiredChecks {
  private RequiredChecks() {}

  /**
   * {@return the names of the checks: without an admission those for all flavors, otherwise also
   * those for one of its flavors}
   */
  public static ImmutableSortedSet<String> of(ClusterQueue queue, @Nullable Admission admission) {
    if (queue.admissionChecks().isEmpty()) {
      return ImmutableSortedSet.of();
    }
    if (admission == null) {
      List<String> offered = queue.flavors();
      return names(queue, rule -> ImmutableSet.copyOf(rule.onFlavors()).containsAll(offered));
    }
    Set<String> assigned = admission.flavors();
    return names(queue, rule -> rule.onFlavors().stream().anyMatch(assigned::contains));
  }

  private static ImmutableSortedSet<String> names(
      ClusterQueue queue, Predicate<AdmissionCheckRule> isRequired) {
    return queue.admissionChecks().stream()
        .filter(rule -> rule.onFlavors().isEmpty() || isRequired.test(rule))
        .map(AdmissionCheckRule::name)
        .collect(toImmutableSortedSet(Comparator.naturalOrder()));
  }
}
