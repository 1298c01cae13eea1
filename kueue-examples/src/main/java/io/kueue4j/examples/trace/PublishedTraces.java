package io.kueue4j.examples.trace;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.examples.trace.TraceConfiguration.CohortClass;
import io.kueue4j.examples.trace.TraceConfiguration.QueuesSet;
import io.kueue4j.examples.trace.TraceConfiguration.WorkloadClass;
import io.kueue4j.examples.trace.TraceConfiguration.WorkloadsSet;
import java.util.Arrays;
import java.util.Optional;

/** The configurations that Kueue publishes scheduling times of. */
public enum PublishedTraces {
  /** 30 queues in 5 cohorts, 15,000 workloads. */
  BASELINE(
      5,
      6,
      arriving(350, 100, "small", 200, 50, 1),
      arriving(100, 500, "medium", 500, 100, 5),
      arriving(50, 1200, "large", 1000, 200, 20)),
  /** 1,000 queues in 10 cohorts, 50,000 workloads. */
  LARGE(
      10,
      100,
      arriving(35, 60, "small", 150, 50, 1),
      arriving(11, 300, "medium", 350, 100, 5),
      arriving(4, 700, "large", 700, 200, 20));

  private final TraceConfiguration configuration;

  PublishedTraces(int cohorts, int queuesPerCohort, WorkloadsSet... workloads) {
    QueuesSet queues = new QueuesSet(
        "cq",
        queuesPerCohort,
        "20",
        Optional.of("100"),
        PreemptionPolicy.ANY,
        PreemptionPolicy.LOWER_PRIORITY,
        ImmutableList.copyOf(workloads));
    this.configuration = new TraceConfiguration(
        Ascii.toLowerCase(name()),
        ImmutableList.of(new CohortClass("cohort", cohorts, ImmutableList.of(queues))));
  }

  private static WorkloadsSet arriving(
      int count, long everyMillis, String name, long runMillis, int priority, int cores) {
    return new WorkloadsSet(
        count,
        everyMillis,
        ImmutableList.of(new WorkloadClass(name, runMillis, priority, String.valueOf(cores))));
  }

  /** {@return the configuration with that name in any case, if there is one} */
  public static Optional<PublishedTraces> named(String name) {
    return Arrays.stream(values())
        .filter(trace -> Ascii.equalsIgnoreCase(trace.name(), name))
        .findFirst();
  }

  /** {@return the configuration} */
  public TraceConfiguration configuration() {
    return configuration;
  }

  /** {@return the trace} */
  public Trace trace() {
    return Trace.of(configuration);
  }
}
