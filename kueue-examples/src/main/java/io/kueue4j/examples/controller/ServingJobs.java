package io.kueue4j.examples.controller;

import com.google.common.base.Joiner;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * Looks after objects whose pods are admitted and not they: gives the gate to the pods that they
 * will make, and groups to those that they have made.
 */
final class ServingJobs {
  private final EngineBook book;
  private final JobReader reader;
  private final PodGroups groups;
  private final JobStopper stopper;
  private final JobWrites writes;

  ServingJobs(
      EngineBook book, JobReader reader, PodGroups groups, JobStopper stopper, JobWrites writes) {
    this.book = book;
    this.reader = reader;
    this.groups = groups;
    this.stopper = stopper;
    this.writes = writes;
  }

  /** Does the next thing that is to be done about such an object. */
  void reconcile(JobRecord record, JobFacts facts) {
    book.forget(record);
    Optional<String> problem = reader
        .convert(record.job())
        .get(0)
        .match(
            converted -> Optional.<String>empty(),
            notManaged -> Optional.of(notManaged.message()),
            violations -> Optional.of(Joiner.on("; ").join(violations.violations())));
    if (problem.isPresent()) {
      record.become(JobState.UNMANAGED, problem.get());
      return;
    }
    record.become(JobState.UNMANAGED, "its pods are admitted, and not it");
    if (!facts.isSuspended()) {
      stopper.suspend(record);
      return;
    }
    for (Pod pod : groups.singles(record.key().namespace())) {
      JobFacts.membership(reader.kinds(), record.job(), pod)
          .ifPresent(membership -> writes.replacePod(record, membership.applyTo(pod)));
    }
  }
}
