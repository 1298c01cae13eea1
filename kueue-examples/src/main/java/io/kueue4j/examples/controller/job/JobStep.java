package io.kueue4j.examples.controller.job;

import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.record.WorkloadRecords;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobEventRecorder;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.WorkloadPods;

/** A part of the work for a job, which names the parts of the context directly. */
interface JobStep {
  JobContext context();

  default EngineBook book() {
    return context().book();
  }

  default ClusterConfiguration configuration() {
    return context().configuration();
  }

  default JobReader reader() {
    return context().reader();
  }

  default WorkloadRecords records() {
    return context().records();
  }

  default WorkloadPods pods() {
    return context().pods();
  }

  default JobWrites writes() {
    return context().writes();
  }

  default JobEventRecorder events() {
    return context().events();
  }
}
