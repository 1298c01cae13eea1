package io.kueue4j.k8s.job;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Optional;

/** Finds out whether a job is part of another job that is admitted as a whole. */
record ManagedParents(
    JobKinds kinds,
    JobWorkloads.Owners owners,
    boolean legacyQueueAnnotation,
    boolean withoutQueueName) {
  /** The maximum length of a chain of owners; real chains are shorter, circular ones end here. */
  private static final int MAX_DEPTH = 10;

  /**
   * {@return the managed job that {@code job} is part of}
   *
   * <p>An owner of a known kind that cannot be found is assumed to be managed: it created the job,
   * and would have left queueing to it only if it had no queue itself. Pods created by an object
   * that is started by its pods are admitted in its place.
   */
  Optional<OwnerReference> find(HasMetadata job, String namespace) {
    if (job instanceof PodGroup
        && JobMetadata.annotations(job).containsKey(MetadataKeys.POD_SUSPENDING_PARENT)) {
      return Optional.empty();
    }
    HasMetadata current = job;
    for (int depth = 0; depth < MAX_DEPTH; depth++) {
      Optional<OwnerReference> reference = JobMetadata.controller(current)
          .filter(owner -> kinds.contains(owner.getApiVersion(), owner.getKind()));
      if (reference.isEmpty()) {
        return Optional.empty();
      }
      Optional<HasMetadata> owner = owners.find(namespace, reference.get());
      if (owner.isEmpty()
          || withoutQueueName
          || !JobMetadata.queueName(owner.get(), legacyQueueAnnotation).isEmpty()) {
        return reference;
      }
      current = owner.get();
    }
    return Optional.empty();
  }
}
