package io.kueue4j.k8s.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Plain pods that are admitted together, treated as one job: the pods of one namespace with the
 * same group name. It is not an object of the API; it has the name of its workload.
 *
 * <p>Immutable. The order of the pods does not matter.
 *
 * <pre>{@code
 * PodGroup group = PodGroup.of(pods);
 * engine.submit(workloads.convert(group).orElseThrow().workload());
 * PodGroup started = editor.start(group, workload, admission, flavors);   // write started.pods()
 * }</pre>
 *
 * <p>Rules: J-4, J-5, J-6.
 *
 * @since 0.1.0
 */
public final class PodGroup implements HasMetadata {
  private static final long serialVersionUID = 1L;
  private static final Comparator<Pod> OLDEST_FIRST =
      Comparator.comparing(PodStates::creationTime).thenComparing(JobMetadata::name);

  /** The order in which pods are kept: started and older pods first. */
  private static final Comparator<Pod> KEPT_FIRST = Comparator.comparing(
          (Pod pod) -> !PodStates.hasFinalizer(pod))
      .thenComparing(pod -> PodGates.isGated(pod.getSpec()))
      .thenComparing(OLDEST_FIRST);

  private final transient ImmutableList<Pod> pods;

  private PodGroup(ImmutableList<Pod> pods) {
    this.pods = pods;
  }

  /**
   * {@return the group of these pods}
   *
   * @param pods all existing pods of the group, including finished ones
   * @throws IllegalArgumentException if there is none, if one belongs to no group, or if they
   *     belong to different groups or namespaces
   */
  public static PodGroup of(Collection<Pod> pods) {
    checkArgument(!pods.isEmpty(), "no pods; expected at least one of a group");
    Pod first = pods.iterator().next();
    for (Pod pod : pods) {
      checkArgument(
          !PodStates.groupName(pod).isEmpty(),
          "%s names no group; expected the annotation %s",
          JobMetadata.describe(pod),
          MetadataKeys.POD_GROUP_NAME);
      checkArgument(
          id(pod).equals(id(first)),
          "%s is of the group %s, %s of %s; expected pods of one group",
          JobMetadata.describe(pod),
          id(pod),
          JobMetadata.describe(first),
          id(first));
    }
    return new PodGroup(ImmutableList.sortedCopyOf(OLDEST_FIRST, pods));
  }

  /** {@return the name of the group of a pod, empty if it belongs to none} */
  public static String nameOf(Pod pod) {
    return PodStates.groupName(pod);
  }

  /**
   * {@return a copy of a pod that waits for admission as a member of a group}
   *
   * @param pod the pod, not bound to a node yet
   * @param group the name of the group
   * @param totalCount the number of pods in the group
   * @param role the pod set of the pod
   */
  public static Pod member(Pod pod, String group, int totalCount, String role) {
    return new PodKind()
        .withSuspend(
            new PodBuilder(pod)
                .withMetadata(new ObjectMetaBuilder(JobMetadata.metadata(pod))
                    .addToAnnotations(MetadataKeys.POD_GROUP_NAME, group)
                    .addToAnnotations(
                        MetadataKeys.POD_GROUP_TOTAL_COUNT, String.valueOf(totalCount))
                    .addToAnnotations(MetadataKeys.ROLE_HASH, role)
                    .build())
                .build(),
            true);
  }

  /**
   * {@return a copy of a pod with the condition that it is going to be stopped; written to the
   * status of the pod before the pod is deleted}
   */
  public static Pod terminationTarget(Pod pod, String reason, String message, Instant now) {
    return new PodBuilder(pod)
        .editOrNewStatus()
        .removeMatchingFromConditions(condition -> "TerminationTarget".equals(condition.getType()))
        .addToConditions(new PodConditionBuilder()
            .withType("TerminationTarget")
            .withStatus("True")
            .withReason(reason)
            .withMessage(message)
            .withLastTransitionTime(now.truncatedTo(ChronoUnit.SECONDS).toString())
            .build())
        .endStatus()
        .build();
  }

  /** {@return the pods, oldest first} */
  public List<Pod> pods() {
    return pods;
  }

  /**
   * {@return the intended number of pods in the group, empty if the oldest pod does not specify it}
   */
  public OptionalInt totalCount() {
    return PodStates.totalCount(pods.get(0));
  }

  /**
   * {@return the excess pods, to be deleted: of the runnable ones the newest, not yet started ones
   * first}
   */
  public List<Pod> excess() {
    ImmutableList<Pod> runnable = runnable();
    int kept = Math.min(totalCount().orElse(runnable.size()), runnable.size());
    return runnable.subList(kept, runnable.size());
  }

  /** {@return whether a pod runs that should not have stopped already} */
  public boolean isActive(Instant now) {
    return pods.stream().anyMatch(pod -> PodStates.isActive(pod, now));
  }

  @Override
  public ObjectMeta getMetadata() {
    Pod oldest = pods.get(0);
    ObjectMeta metadata = JobMetadata.metadata(oldest);
    // The group is complete when its last pod exists, or its first if that suffices.
    List<Pod> members = members();
    Pod decides = isFast() || members.isEmpty() ? oldest : members.get(members.size() - 1);
    return new ObjectMetaBuilder()
        .withNamespace(metadata.getNamespace())
        .withName(PodStates.groupName(oldest))
        .withLabels(metadata.getLabels())
        .withAnnotations(metadata.getAnnotations())
        .withOwnerReferences(metadata.getOwnerReferences())
        .withCreationTimestamp(JobMetadata.metadata(decides).getCreationTimestamp())
        .build();
  }

  /** Not supported: the pods have the metadata. */
  @Override
  public void setMetadata(@Nullable ObjectMeta metadata) {
    throw new UnsupportedOperationException(
        "cannot set the metadata of a PodGroup: change the metadata of its pods");
  }

  @Override
  public String getKind() {
    return "PodGroup";
  }

  @Override
  public String getApiVersion() {
    return "v1";
  }

  /** Not supported: the pods have it. */
  @Override
  public void setApiVersion(@Nullable String version) {
    throw new UnsupportedOperationException(
        "cannot set the apiVersion of a PodGroup: change the apiVersion of its pods");
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof PodGroup other && pods.equals(other.pods);
  }

  @Override
  public int hashCode() {
    return pods.hashCode();
  }

  @Override
  public String toString() {
    return "PodGroup " + id(pods.get(0)) + " of " + pods.size() + " pods";
  }

  PodGroup withPods(List<Pod> edited) {
    return new PodGroup(ImmutableList.copyOf(edited));
  }

  /** {@return the pods that can run or have succeeded, in the order in which they are kept} */
  ImmutableList<Pod> runnable() {
    return pods.stream()
        .filter(PodStates::isRunnable)
        .sorted(KEPT_FIRST)
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the pods of the group: the runnable ones without excess, oldest first} */
  ImmutableList<Pod> members() {
    ImmutableList<Pod> runnable = runnable();
    int kept = Math.min(totalCount().orElse(runnable.size()), runnable.size());
    return ImmutableList.sortedCopyOf(OLDEST_FIRST, runnable.subList(0, kept));
  }

  boolean isFast() {
    return PodStates.says(pods.get(0), MetadataKeys.POD_GROUP_FAST_ADMISSION, "true");
  }

  /**
   * {@return whether the group is a service: it never finishes, and its controller replaces pods}
   */
  public boolean isServing() {
    return PodStates.says(pods.get(0), MetadataKeys.POD_GROUP_SERVING, "true");
  }

  private static String id(Pod pod) {
    String namespace = JobMetadata.metadata(pod).getNamespace();
    return (namespace == null ? "" : namespace + "/") + PodStates.groupName(pod);
  }
}
