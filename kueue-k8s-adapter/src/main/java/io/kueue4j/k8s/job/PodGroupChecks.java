package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.resource.DnsNames;
import java.util.List;

/** Finds wrong, missing and contradicting information of pods about their group. */
final class PodGroupChecks {
  private PodGroupChecks() {}

  static List<Violation> violations(PodGroup group, int roles) {
    ImmutableList.Builder<Violation> found = ImmutableList.builder();
    Pod first = group.pods().get(0);
    String total = annotation(first, MetadataKeys.POD_GROUP_TOTAL_COUNT);
    String queue = JobMetadata.queueName(first, true);
    found.addAll(violations(first));
    for (Pod pod : group.pods()) {
      if (PodStates.hasFailed(pod)) {
        continue;
      }
      if (!annotation(pod, MetadataKeys.POD_GROUP_TOTAL_COUNT).equals(total)) {
        found.add(violation(
            pod,
            MetadataKeys.annotation(MetadataKeys.POD_GROUP_TOTAL_COUNT),
            "\"" + annotation(pod, MetadataKeys.POD_GROUP_TOTAL_COUNT) + "\"; expected \"" + total
                + "\" as in " + JobMetadata.describe(first)));
      }
      if (!JobMetadata.queueName(pod, true).equals(queue)) {
        found.add(violation(
            pod,
            MetadataKeys.label(MetadataKeys.QUEUE_NAME),
            "\"" + JobMetadata.queueName(pod, true) + "\"; expected \"" + queue + "\" as in "
                + JobMetadata.describe(first)));
      }
    }
    checkIndex(group, found);
    if (roles > JobSetKind.MAX_POD_SETS) {
      found.add(violation(
          first,
          MetadataKeys.annotation(MetadataKeys.ROLE_HASH),
          roles + " roles of pods in the group; expected at most " + JobSetKind.MAX_POD_SETS));
    }
    return found.build();
  }

  /** {@return the violations in the information of a pod about its group} */
  static List<Violation> violations(Pod pod) {
    ImmutableList.Builder<Violation> found = ImmutableList.builder();
    String group = PodStates.groupName(pod);
    String total = annotation(pod, MetadataKeys.POD_GROUP_TOTAL_COUNT);
    boolean counted = JobMetadata.annotations(pod).containsKey(MetadataKeys.POD_GROUP_TOTAL_COUNT);
    if (group.isEmpty()) {
      return counted
          ? ImmutableList.of(violation(
              pod,
              MetadataKeys.annotation(MetadataKeys.POD_GROUP_NAME),
              "missing; expected the name of the group that " + MetadataKeys.POD_GROUP_TOTAL_COUNT
                  + " counts"))
          : ImmutableList.of();
    }
    if (!DnsNames.isSubdomain(group)) {
      boolean annotated = !annotation(pod, MetadataKeys.POD_GROUP_NAME).isEmpty();
      found.add(violation(
          pod,
          annotated
              ? MetadataKeys.annotation(MetadataKeys.POD_GROUP_NAME)
              : MetadataKeys.label(MetadataKeys.POD_GROUP_NAME),
          "\"" + group + "\"; expected the name of a Workload: lower-case letters, digits, '-'"
              + " and '.'"));
    }
    PrebuiltWorkloads.nameOf(pod)
        .filter(name -> !name.equals(group))
        .ifPresent(name -> found.add(violation(
            pod,
            PrebuiltWorkloads.field(pod),
            "\"" + name + "\"; expected the name of the pod group, \"" + group + "\"")));
    if (PodStates.totalCount(pod).isEmpty()) {
      found.add(violation(
          pod,
          MetadataKeys.annotation(MetadataKeys.POD_GROUP_TOTAL_COUNT),
          (total.isEmpty() ? "missing" : "\"" + total + "\"")
              + "; expected the number of pods of the group, above 0"));
    }
    return found.build();
  }

  private static void checkIndex(PodGroup group, ImmutableList.Builder<Violation> found) {
    int total = group.totalCount().orElse(Integer.MAX_VALUE);
    for (Pod pod : group.pods()) {
      String text = JobMetadata.labels(pod).get(MetadataKeys.POD_GROUP_POD_INDEX);
      Integer index = text == null ? Integer.valueOf(0) : Ints.tryParse(text);
      if (index == null || index < 0 || index >= total) {
        found.add(violation(
            pod,
            MetadataKeys.label(MetadataKeys.POD_GROUP_POD_INDEX),
            "\"" + text + "\"; expected a number from 0 to below the total count, " + total));
      }
    }
  }

  private static String annotation(Pod pod, String key) {
    return Strings.nullToEmpty(JobMetadata.annotations(pod).get(key));
  }

  private static Violation violation(Pod pod, String field, String problem) {
    return new Violation(JobMetadata.describe(pod), field, problem);
  }
}
