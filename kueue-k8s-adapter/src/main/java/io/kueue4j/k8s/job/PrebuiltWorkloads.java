package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.DnsNames;
import java.util.List;
import java.util.Optional;

/**
 * Compares jobs with the existing Workloads that they name ({@link JobWorkloads#prebuiltWorkload}).
 *
 * <p>Rules: J-27.
 */
final class PrebuiltWorkloads {
  private PrebuiltWorkloads() {}

  /** {@return the name of the Workload that a job names, empty if it names none} */
  static Optional<String> nameOf(HasMetadata job) {
    String annotation =
        Strings.nullToEmpty(JobMetadata.annotations(job).get(MetadataKeys.PREBUILT_WORKLOAD));
    String name = annotation.isEmpty()
        ? Strings.nullToEmpty(JobMetadata.labels(job).get(MetadataKeys.PREBUILT_WORKLOAD))
        : annotation;
    return Optional.of(name).filter(given -> !given.isEmpty());
  }

  /**
   * {@return how the pod sets of a job and of the Workload that it names differ; empty if they
   * match}
   *
   * @param job the workload converted from the job
   * @param prebuilt the existing Workload
   */
  static List<String> differences(Workload job, Workload prebuilt) {
    List<String> wanted = names(job);
    List<String> given = names(prebuilt);
    if (!wanted.equals(given)) {
      return ImmutableList.of("the job has the pod sets " + wanted + ", the Workload " + given);
    }
    ImmutableList.Builder<String> differences = ImmutableList.builder();
    for (int i = 0; i < wanted.size(); i++) {
      PodSet own = job.podSets().get(i);
      PodSet other = prebuilt.podSets().get(i);
      if (own.count() != other.count()) {
        differences.add("pod set " + own.name() + " has " + own.count() + " pods, in the Workload "
            + other.count());
      }
      if (!own.requests().equals(other.requests())) {
        differences.add("a pod of pod set " + own.name() + " requests " + own.requests()
            + ", in the Workload " + other.requests());
      }
      if (!own.tolerations().equals(other.tolerations())) {
        differences.add(
            "pods of pod set " + own.name() + " tolerate other taints than in the" + " Workload");
      }
    }
    return differences.build();
  }

  /**
   * {@return which pod sets of a job and of the Workload that it names request different placement}
   *
   * <p>Only pod sets that a user or administrator wants to have placed are compared. Kueue compares
   * them with {@link KueueFix#PREBUILT_TOPOLOGIES}, except for pod groups.
   *
   * @param job the workload converted from the job
   * @param prebuilt the existing Workload, with pod sets of the same names
   */
  static List<String> topologyDifferences(Workload job, Workload prebuilt) {
    ImmutableList.Builder<String> differences = ImmutableList.builder();
    for (int i = 0; i < job.podSets().size(); i++) {
      PodSet own = job.podSets().get(i);
      PodSet other = prebuilt.podSets().get(i);
      boolean arePlaced =
          own.topologyRequest().isExplicit() || other.topologyRequest().isExplicit();
      if (arePlaced && !isPlaceholder(own, other) && !topology(own).equals(topology(other))) {
        differences.add(
            "pods of pod set " + own.name() + " request another topology than in the Workload");
      }
    }
    return differences.build();
  }

  /** {@return whether only a start has added a request: any place will do} */
  private static boolean isPlaceholder(PodSet own, PodSet other) {
    return !other.topologyRequest().isExplicit()
        && topology(own.topologyRequest()).equals(topology(TopologyRequest.anywhere()));
  }

  private static List<Object> topology(PodSet podSet) {
    TopologyRequest request = podSet.topologyRequest();
    return List.of(
        topology(request),
        request.podIndexLabel(),
        request.subGroupIndexLabel(),
        request.subGroupCount(),
        podSet.group());
  }

  private static List<Object> topology(TopologyRequest request) {
    List<SliceConstraint> slices = request.sliceConstraints();
    if (slices.isEmpty() && request.sliceTopology().isPresent()) {
      slices = ImmutableList.of(
          new SliceConstraint(request.sliceTopology().get(), request.sliceSize().orElse(0)));
    }
    return List.of(request.required(), request.preferred(), request.unconstrained(), slices);
  }

  /** {@return the violations in the name that a job gives, or that it must not name a Workload} */
  static List<Violation> violations(JobKind<?> kind, HasMetadata job) {
    Optional<String> name = nameOf(job);
    if (name.isEmpty()) {
      return ImmutableList.of();
    }
    if (!DnsNames.isSubdomain(name.get())) {
      return ImmutableList.of(new Violation(
          JobMetadata.describe(job),
          field(job),
          "\"" + name.get() + "\"; expected the name of a Workload: lower-case letters, digits, '-'"
              + " and '.'"));
    }
    return kind.supportsPrebuiltWorkloads()
        ? ImmutableList.of()
        : ImmutableList.of(new Violation(
            JobMetadata.describe(job),
            field(job),
            "not supported for " + kind.kind() + "; remove it"));
  }

  /** {@return the field in which a job names its Workload} */
  static String field(HasMetadata job) {
    boolean annotated = !Strings.nullToEmpty(
            JobMetadata.annotations(job).get(MetadataKeys.PREBUILT_WORKLOAD))
        .isEmpty();
    return annotated
        ? MetadataKeys.annotation(MetadataKeys.PREBUILT_WORKLOAD)
        : MetadataKeys.label(MetadataKeys.PREBUILT_WORKLOAD);
  }

  private static List<String> names(Workload workload) {
    return workload.podSets().stream().map(PodSet::name).toList();
  }
}
