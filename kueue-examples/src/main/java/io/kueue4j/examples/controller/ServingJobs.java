package io.kueue4j.examples.controller;

import com.google.common.base.Joiner;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * Handles objects whose pods are admitted and not the objects themselves: adds the gate to their
 * templates, and groups to the pods that they have created.
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

  /** Performs the next action for such an object. */
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
