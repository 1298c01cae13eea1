package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A job of a simulation and what became of it. */
final class PlayedJob {
  final SimulatedJob job;
  final Instant created;
  JobStatus status = JobStatus.PENDING;
  Optional<Admission> admission = Optional.empty();
  List<Reason> rejection = ImmutableList.of();

  /** The status when it finished, which the engine has forgotten. */
  WorkloadStatus last = WorkloadStatus.empty();

  PlayedJob(SimulatedJob job, Instant created) {
    this.job = job;
    this.created = created;
  }

  /** Copies {@code other}. */
  PlayedJob(PlayedJob other) {
    this.job = other.job;
    this.created = other.created;
    this.status = other.status;
    this.admission = other.admission;
    this.rejection = other.rejection;
    this.last = other.last;
  }
}
