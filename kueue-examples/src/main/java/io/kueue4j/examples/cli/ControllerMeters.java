package io.kueue4j.examples.cli;

import com.google.common.base.Ascii;
import com.google.common.util.concurrent.AtomicLongMap;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.ControllerView;
import io.kueue4j.examples.controller.JobView;
import io.kueue4j.examples.controller.event.EventRecorder;
import io.kueue4j.examples.controller.state.JobState;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The meters of a controller and its JVM, beside the meters of its engine.
 *
 * <p>{@code leader_election_master_status} has the name and label of Kueue's controller. All others
 * but the meters of the JVM begin with {@code kueue4j_controller_}.
 */
final class ControllerMeters {
  private static final String PREFIX = "kueue4j_controller_";

  private final AtomicInteger leads = new AtomicInteger();
  private final AtomicInteger problems = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger guarded = new AtomicInteger();
  private final AtomicLongMap<EventRecorder.Result> events = AtomicLongMap.create();
  private final Map<JobState, AtomicInteger> jobs = new EnumMap<>(JobState.class);

  /**
   * Adds the meters to {@code registry}.
   *
   * @param lease the name of the lease that the controller works under, empty if there is none
   */
  ControllerMeters(MeterRegistry registry, Optional<String> lease) {
    new JvmMemoryMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    lease.ifPresent(
        name -> Gauge.builder("leader_election_master_status", leads, AtomicInteger::get)
            .description("1 if this controller holds the lease, 0 if it waits for it.")
            .tag("name", name)
            .register(registry));
    Gauge.builder(PREFIX + "configuration_problems", problems, AtomicInteger::get)
        .description(
            "Queues, flavors, nodes and other objects that are not applied because they break"
                + " rules, and queues that admit nothing because of the configuration.")
        .register(registry);
    Gauge.builder(PREFIX + "refused_admissions", refused, AtomicInteger::get)
        .description("Recent admissions of running jobs that were refused because of their record;"
            + " the page lists them.")
        .register(registry);
    Gauge.builder(PREFIX + "guarded", guarded, AtomicInteger::get)
        .description("1 if the API server keeps tenants from starting jobs, 0 if the policies for"
            + " that are missing.")
        .register(registry);
    for (EventRecorder.Result result : EventRecorder.Result.values()) {
      FunctionCounter.builder(PREFIX + "events", events, counts -> counts.get(result))
          .description("Events about jobs, by what became of them.")
          .tag("result", Ascii.toLowerCase(result.name()))
          .register(registry);
    }
    for (JobState state : JobState.values()) {
      AtomicInteger count = new AtomicInteger();
      jobs.put(state, count);
      Gauge.builder(PREFIX + "jobs", count, AtomicInteger::get)
          .description("Jobs that name a queue, by their state in the controller.")
          .tag("state", Ascii.toLowerCase(state.name()))
          .register(registry);
    }
  }

  /** Updates all meters. */
  void refresh(Controller controller) {
    for (EventRecorder.Result result : EventRecorder.Result.values()) {
      events.put(result, controller.events(result));
    }
    leads.set(controller.engine().isPresent() ? 1 : 0);
    guarded.set(controller.guardWarning().isPresent() ? 0 : 1);
    Optional<ControllerView> view = controller.view();
    problems.set(view.map(known -> known.problems().size())
        .orElse(controller.refusal().isPresent() ? 1 : 0));
    refused.set(view.map(known -> known.refusedAdmissions().size()).orElse(0));
    Map<JobState, Integer> counts = new EnumMap<>(JobState.class);
    view.ifPresent(known -> {
      for (JobView job : known.jobs()) {
        counts.merge(job.state(), 1, Integer::sum);
      }
    });
    jobs.forEach((state, count) -> count.set(counts.getOrDefault(state, 0)));
  }
}
