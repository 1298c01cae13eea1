package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterables;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.ControllerView;
import io.kueue4j.examples.controller.JobView;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.monitoring.JobName;
import io.kueue4j.examples.monitoring.MonitorView;
import io.kueue4j.examples.monitoring.MonitorView.WaitState;
import java.lang.ref.SoftReference;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The content of the page about a controller: its jobs by their own names, also those that no queue
 * contains. Thread-safe.
 */
final class ControllerPage {
  private static final int MAX_REFUSED = 20;

  private final Controller controller;
  private final InstantSource clock;

  /** Softly, since it keeps a past state of the engine in memory after the last request. */
  private volatile @Nullable SoftReference<Known> known;

  /** The state that was read last, and what was read: it stays true while the state is the same. */
  private record Known(ControllerView state, MonitorView content) {}

  ControllerPage(Controller controller, InstantSource clock) {
    this.controller = controller;
    this.clock = clock;
  }

  /** {@return the content at this moment} */
  MonitorView view() {
    Instant now = clock.instant();
    Optional<ControllerView> state = controller.view();
    ImmutableList<String> warnings = ImmutableList.copyOf(Iterables.concat(
        controller.refusal().stream()
            .map(why -> "This controller does not work: " + why)
            .toList(),
        controller.guardWarning().stream().toList(),
        ImmutableList.<String>builder()
            .addAll(controller.staleness())
            .addAll(warnings(state))
            .build()));
    return state
        .map(this::content)
        .orElseGet(() -> MonitorView.of(AdmissionEngine.create().view(), now))
        .at(now)
        .withWarnings(warnings);
  }

  private MonitorView content(ControllerView state) {
    @Nullable SoftReference<Known> reference = known;
    @Nullable Known last = reference == null ? null : reference.get();
    if (last != null && last.state.equals(state)) {
      return last.content;
    }
    MonitorView content = read(state);
    known = new SoftReference<>(new Known(state, content));
    return content;
  }

  private static ImmutableList<String> warnings(Optional<ControllerView> state) {
    return state
        .map(present -> present.refusedAdmissions().stream()
            .limit(MAX_REFUSED)
            .map(refused -> refused.time() + " " + refused.job() + ": " + refused.reason())
            .collect(toImmutableList()))
        .orElse(
            ImmutableList.of("This controller shows no jobs: it has not read the cluster yet, or"
                + " another controller holds the lease; look at that one's page."));
  }

  /** {@return the content of the page about a state of the controller} */
  static MonitorView read(ControllerView state) {
    ImmutableMap<WorkloadId, JobName> names = state.jobs().stream()
        .filter(job -> job.workload().isPresent())
        .collect(toImmutableMap(
            job -> job.workload().orElseThrow(), ControllerPage::name, (first, second) -> first));
    MonitorView content = MonitorView.of(
        state.engine(),
        state.time(),
        workload -> names.getOrDefault(workload.id(), JobName.of(workload)));
    return content.withOthers(others(state, content)).withProblems(state.problems());
  }

  /** {@return the jobs that no queue contains: delayed ones, then those without a queue} */
  private static ImmutableList<MonitorView.Waiting> others(
      ControllerView state, MonitorView content) {
    Set<WorkloadId> shown = new HashSet<>();
    content.waiting().stream()
        .flatMap(waiting -> waiting.explanation().stream())
        .map(Explanation::workload)
        .forEach(shown::add);
    ImmutableList.Builder<MonitorView.Waiting> others = ImmutableList.builder();
    for (JobView job : state.jobs()) {
      job.delayed()
          .filter(workload -> shown.add(workload.id()))
          .ifPresent(workload -> others.add(MonitorView.Waiting.outside(
              name(job),
              workload,
              clusterQueue(state, workload),
              WaitState.DELAYED,
              ImmutableList.of(String.join("; ", job.messages())))));
    }
    for (JobView job : state.jobs()) {
      Optional<WaitState> kind = kind(job.state());
      if (kind.isPresent() && job.workload().stream().noneMatch(shown::contains)) {
        others.add(
            MonitorView.Waiting.outside(name(job), job.queue(), kind.get(), state.reasons(job)));
      }
    }
    return others.build();
  }

  private static String clusterQueue(ControllerView state, Workload workload) {
    return state
        .engine()
        .localQueue(workload.namespace(), workload.queueName())
        .map(queue -> queue.spec().clusterQueue())
        .orElse("");
  }

  private static Optional<WaitState> kind(JobState state) {
    return switch (state) {
      case PENDING -> Optional.of(WaitState.NOT_QUEUED);
      case INVALID, REFUSED -> Optional.of(WaitState.REJECTED);
      case UNMANAGED, RESERVED, ADMITTED, STOPPING, FINISHED -> Optional.empty();
    };
  }

  private static JobName name(JobView job) {
    return new JobName(job.kind(), job.namespace(), job.name());
  }
}
