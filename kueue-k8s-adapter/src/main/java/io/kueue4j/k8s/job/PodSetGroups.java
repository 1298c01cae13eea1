package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import io.kueue4j.k8s.internal.yaml.FieldPath;
import java.util.Collection;
import java.util.List;

/**
 * Finds violations of pod sets that are placed together: a leader and its workers, one of which is
 * a single pod, with the same request at the same level.
 *
 * <p>Whether a group in a job with one pod set is checked depends on the kind, as in Kueue: see
 * {@link JobKind#groupsPodSets()}. Rules: T-90.
 */
final class PodSetGroups {
  private static final int MEMBERS = 2;

  private PodSetGroups() {}

  /**
   * {@return the violations}
   *
   * @param lone whether a group in a job with one pod set is a violation
   */
  static List<Violation> violations(String object, List<JobPodSet> podSets, boolean lone) {
    if (podSets.size() == 1 && !lone) {
      return ImmutableList.of();
    }
    ListMultimap<String, JobPodSet> groups = LinkedListMultimap.create();
    for (JobPodSet podSet : podSets) {
      TopologyAnnotations.group(podSet.template()).ifPresent(name -> groups.put(name, podSet));
    }
    ImmutableList.Builder<Violation> violations = ImmutableList.builder();
    groups
        .asMap()
        .forEach((name, members) -> problem(name, members)
            .lines()
            .forEach(problem -> members.forEach(
                member -> violations.add(new Violation(object, field(member), problem)))));
    return violations.build();
  }

  /** {@return the problems of a group, one per line; empty if there are none} */
  private static String problem(String name, Collection<JobPodSet> members) {
    List<JobPodSet> podSets = ImmutableList.copyOf(members);
    if (podSets.size() != MEMBERS) {
      return "\"" + name + "\" is the group of " + podSets.size()
          + " pod sets; expected exactly 2: a leader and its workers";
    }
    String problem = "";
    JobPodSet first = podSets.get(0);
    JobPodSet second = podSets.get(1);
    if (first.count() != 1 && second.count() != 1) {
      problem += "\"" + name + "\" has pod sets of " + first.count() + " and " + second.count()
          + " pods; expected one of them to be a single pod\n";
    }
    if (!level(first).equals(level(second))) {
      problem += "pod sets " + first.name() + " and " + second.name() + " of \"" + name
          + "\" ask for different levels; expected the same " + TopologyAnnotations.REQUIRED
          + " or " + TopologyAnnotations.PREFERRED + "\n";
    }
    return problem;
  }

  private static String level(JobPodSet podSet) {
    TopologyRequest request = TopologyAnnotations.request(podSet.template()).build();
    return request.required() + " " + request.preferred();
  }

  private static String field(JobPodSet podSet) {
    return FieldPath.join(podSet.path(), MetadataKeys.annotation(TopologyAnnotations.GROUP));
  }
}
