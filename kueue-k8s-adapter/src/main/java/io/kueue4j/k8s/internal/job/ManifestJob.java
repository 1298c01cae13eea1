package io.kueue4j.k8s.internal.job;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.PodGroup;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A job and the manifests that it was read from. Immutable, as far as the job is not modified.
 *
 * @param job the object to convert, start and stop; pods of one group are one {@link PodGroup}
 * @param manifests where it was read from: one, or the manifests of the pods of the group in their
 *     order
 * @since 0.1.0
 */
public record ManifestJob(HasMetadata job, List<Manifest> manifests) {
  /** Copies what it is given. */
  public ManifestJob {
    manifests = ImmutableList.copyOf(manifests);
  }

  private static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";

  /** {@return the manifest that messages about the job refer to, the first} */
  public Manifest manifest() {
    return manifests.get(0);
  }

  /**
   * {@return the jobs among {@code manifests} in their order, groups of pods last}
   *
   * <p>A pod is a job if it names a queue, or a group, and is not bound to a node.
   *
   * @param manifests manifests that {@link ManifestReader} has read without problems
   * @param kinds the kinds of jobs
   * @throws ManifestException if a manifest cannot be read as the class of its kind
   */
  public static List<ManifestJob> findAll(Iterable<Manifest> manifests, JobKinds kinds) {
    return findAll(manifests, kinds, ManifestJob::isJob);
  }

  /**
   * {@return the jobs among {@code manifests} in their order, groups of pods last, where the caller
   * decides which pods are jobs}
   *
   * @param manifests manifests that {@link ManifestReader} has read without problems
   * @param kinds the kinds of jobs
   * @param isJob whether a pod is a job, or one of the pods of a group that is one
   * @throws ManifestException if a manifest cannot be read as the class of its kind
   */
  public static List<ManifestJob> findAll(
      Iterable<Manifest> manifests, JobKinds kinds, Predicate<? super Pod> isJob) {
    ImmutableList.Builder<ManifestJob> jobs = ImmutableList.builder();
    ListMultimap<String, Manifest> groups = LinkedListMultimap.create();
    for (Manifest manifest : manifests) {
      Optional<Class<? extends HasMetadata>> type = kinds.type(manifest.group(), manifest.kind());
      if (type.isEmpty()) {
        continue;
      }
      HasMetadata object = manifest.as(type.get());
      if (!(object instanceof Pod pod)) {
        jobs.add(new ManifestJob(object, ImmutableList.of(manifest)));
      } else if (isJob.test(pod) && PodGroup.nameOf(pod).isEmpty()) {
        jobs.add(new ManifestJob(pod, ImmutableList.of(manifest)));
      } else if (isJob.test(pod)) {
        groups.put(manifest.namespace().orElse("") + "/" + PodGroup.nameOf(pod), manifest);
      }
    }
    for (String group : groups.keySet()) {
      ImmutableList<Manifest> members = ImmutableList.copyOf(groups.get(group));
      jobs.add(new ManifestJob(
          PodGroup.of(
              members.stream().map(member -> member.as(Pod.class)).collect(toImmutableList())),
          members));
    }
    return jobs.build();
  }

  /** {@return whether a pod is a job, rather than taking room on a node} */
  public static boolean isJob(Pod pod) {
    boolean bound =
        pod.getSpec() != null && !Strings.isNullOrEmpty(pod.getSpec().getNodeName());
    ObjectMeta metadata = Objects.requireNonNullElseGet(pod.getMetadata(), ObjectMeta::new);
    return !bound
        && Stream.of(metadata.getLabels(), metadata.getAnnotations())
            .anyMatch(keys -> keys != null && keys.containsKey(QUEUE_NAME));
  }
}
