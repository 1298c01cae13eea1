package io.kueue4j.core.simulation;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Lists;
import com.google.common.primitives.Longs;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.Simulation.Observer;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.immutables.value.Value;

/**
 * What happened in a simulation: to each job, to the queues, and over time. Immutable and
 * thread-safe.
 *
 * <p>Holds some hundred bytes per job; {@link JobResult}s are created when they are read.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class SimulationResult {
  /**
   * The quota of one resource in one flavor of a ClusterQueue over time, and its usage. Amounts are
   * milli-units of cpu, whole units of everything else. Immutable.
   *
   * @since 0.1.0
   */
  @Value.Immutable
  public abstract static class QuotaSeries {
    QuotaSeries() {}

    /**
     * The series of one flavor and resource below one root cohort.
     *
     * @param series the series; each adds itself
     */
    record Sharing(List<QuotaSeries> series) {}

    /** {@return the ClusterQueue} */
    public abstract String clusterQueue();

    /** {@return the flavor} */
    public abstract String flavor();

    /** {@return the resource} */
    public abstract String resource();

    /** {@return the nominal quota} */
    public abstract StepFunction nominal();

    /** {@return the amount that workloads hold, evicted ones until their pods have stopped} */
    public abstract StepFunction used();

    /** {@return the series that may lend to each other, this one among them} */
    @Value.Auxiliary
    abstract Sharing sharing();

    /** {@return the usage above the nominal quota} */
    public StepFunction borrowed() {
      return excess(used(), nominal());
    }

    /** {@return the nominal quota that is not used, by whichever ClusterQueue} */
    private StepFunction unused() {
      return excess(nominal(), used());
    }

    private static StepFunction excess(StepFunction more, StepFunction less) {
      return StepFunction.combined(values -> Math.max(0, values[0] - values[1]), more, less);
    }

    /**
     * {@return the unused nominal quota that other ClusterQueues below the same root cohort borrow}
     *
     * <p>Kueue does not record which queue lends to which: of several that could have lent, each
     * counts in proportion to its unused nominal quota, rounded down. The cohorts are those at the
     * end of the simulation. Computed by each call, in a time that grows with the number of changes
     * below the cohort.
     */
    public StepFunction lent() {
      List<QuotaSeries> all = sharing().series();
      return StepFunction.combined(
          values -> share(values[0], values[1], values[2]),
          StepFunction.sum(Lists.transform(all, QuotaSeries::borrowed)),
          unused(),
          StepFunction.sum(Lists.transform(all, QuotaSeries::unused)));
    }

    /** {@return how much of {@code borrowed} a part of what is unused has lent} */
    private static long share(long borrowed, long part, long unused) {
      return borrowed >= unused
          ? part
          : BigInteger.valueOf(borrowed)
              .multiply(BigInteger.valueOf(part))
              .divide(BigInteger.valueOf(Longs.max(1, unused)))
              .longValue();
    }

    @Override
    public String toString() {
      return "QuotaSeries [" + clusterQueue() + " " + flavor() + " " + resource() + "]";
    }
  }

  /**
   * Why a simulation ended.
   *
   * @since 0.1.0
   */
  public enum End {
    /** All jobs have ended. */
    COMPLETE,
    /**
     * The remaining jobs would never end: they do not fit, or run or wait without an end, or
     * {@linkplain #repeatedStops() stop each other} without end.
     */
    STUCK,
    /** The {@linkplain Simulation.Builder#end latest time} was reached. */
    TIME_LIMIT,
    /** {@link Observer} ended it. */
    CANCELLED
  }

  /**
   * Receives runs of jobs.
   *
   * @see SimulationResult#forEachRun
   * @since 0.1.0
   */
  @FunctionalInterface
  public interface RunConsumer {
    /**
     * Receives a run.
     *
     * @param job the number of the job, its position in {@link SimulationResult#jobs()}
     * @param startMillis when it was admitted, in milliseconds since the epoch of {@link Instant}
     * @param endMillis when it ended or was stopped, at the latest the end of the simulation
     */
    void accept(int job, long startMillis, long endMillis);
  }

  SimulationResult() {}

  /** {@return why the simulation ended} */
  public abstract End end();

  /** {@return the configuration objects that were applied at the start} */
  public List<ConfigObject> configuration() {
    return plan().configuration();
  }

  /** {@return the virtual time at which it started} */
  public Instant startTime() {
    return Instant.ofEpochMilli(plan().startMillis());
  }

  /** {@return the virtual time of the last event} */
  public Instant endTime() {
    return Instant.ofEpochMilli(endMillis());
  }

  /** {@return the number of events: submissions, decisions with an effect, ends, changes} */
  public int events() {
    return log().size();
  }

  /** {@return the number of cycles that had something to try} */
  public abstract long cycles();

  /**
   * {@return the preemptions and evictions that repeat in loops, those found first before others;
   * empty if there was no loop}
   *
   * <p>A simulation does not follow a loop for ever. If workloads preempt each other again and
   * again at one time, the last preemptors start, and the next cycles run at the next event of a
   * later time. If one stop repeats a thousand times without the end of a job, a submission or a
   * change of the cluster between, the next cycles run at the next of these; the simulation ends as
   * {@link End#STUCK} if there is none.
   */
  public abstract List<RepeatedStop> repeatedStops();

  /** {@return how often jobs were admitted} */
  public long admissions() {
    return states().all().mapToLong(job -> job.starts).sum();
  }

  /** {@return how often jobs were preempted} */
  public long preemptions() {
    return states().all().mapToLong(job -> job.preemptions).sum();
  }

  /** {@return how often jobs were evicted for other reasons} */
  public long evictions() {
    return states().all().mapToLong(job -> job.evictions).sum();
  }

  /**
   * {@return the SHA-256 of everything that happened, in hexadecimal: of the ids of the jobs, and
   * of all events with times, jobs and details, in their order}
   *
   * <p>Equal on every run and JVM for equal input and the same version of this library. Computed by
   * the first call.
   */
  @Value.Lazy
  public String digest() {
    return log().digest(Lists.transform(plan().trace().jobs(), job -> job.id().toString()));
  }

  /**
   * {@return the results of all jobs, in the order of the trace; each is created when it is read}
   */
  public List<JobResult> jobs() {
    return Lists.transform(
        ContiguousSet.closedOpen(0, plan().trace().size()).asList(), this::jobResult);
  }

  /** {@return the result of a job, empty if it is not in the trace} */
  public Optional<JobResult> job(WorkloadId job) {
    return Optional.ofNullable(plan().trace().number(job)).map(this::jobResult);
  }

  private JobResult jobResult(int job) {
    JobStates.JobState state = states().of(job);
    return ImmutableJobResult.builder()
        .job(plan().trace().job(job))
        .outcome(state.outcome)
        .submitted(instant(state.submitted))
        .started(instant(state.firstStart))
        .ended(instant(state.ended))
        .waited(Duration.ofMillis(waitMillis(state)))
        .starts(state.starts)
        .preemptions(state.preemptions)
        .evictions(state.evictions)
        .lostWork(Duration.ofMillis(state.lost))
        .clusterQueue(name(state.queue))
        .flavor(name(state.flavor))
        .runTime(states().runTime(state))
        .promisedStart(instant(state.promised))
        .promiseMoves(state.promiseMoves)
        .promiseWithdrawals(state.promiseWithdrawals)
        .rejection(Optional.ofNullable(rejections().get(job)))
        .build();
  }

  private long waitMillis(JobStates.JobState state) {
    if (state.submitted == JobStates.NONE) {
      return 0;
    }
    long until = state.firstStart != JobStates.NONE
        ? state.firstStart
        : state.ended != JobStates.NONE ? state.ended : endMillis();
    return Math.max(0, until - state.submitted);
  }

  private static Optional<Instant> instant(long millis) {
    return millis == JobStates.NONE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  private Optional<String> name(int id) {
    return id < 0 ? Optional.empty() : Optional.of(log().name(id));
  }

  /** {@return statistics of all jobs} */
  public JobSummary total() {
    return by(job -> Optional.of("")).getOrDefault("", JobSummary.none());
  }

  /**
   * {@return statistics by a label of jobs; jobs without one are left out}
   *
   * <pre>{@code
   * result.by(JobResult::user).forEach((user, jobs) -> log(user + ": " + jobs.p50Wait()));
   * }</pre>
   *
   * @param label the label, such as {@link JobResult#clusterQueue}, {@link JobResult#flavor},
   *     {@link JobResult#user} or {@link JobResult#group}
   */
  public SortedMap<String, JobSummary> by(Function<JobResult, Optional<String>> label) {
    return JobGroup.summaries(jobs(), label);
  }

  /**
   * {@return quota and usage over time, by ClusterQueue, flavor and resource, in the order of these
   * names}
   */
  public abstract List<QuotaSeries> quotas();

  /** {@return how many workloads waited in each ClusterQueue, over time} */
  @Value.NaturalOrder
  public abstract SortedMap<String, StepFunction> queueLengths();

  /**
   * {@return the state of the engine after all events and cycles of a time, to explain why a job
   * waited or to study what would have helped}
   *
   * <pre>{@code
   * Explanation why = result.viewAt(time).whatIf().explain(job);
   * }</pre>
   *
   * <p>Repeats the simulation up to that time.
   *
   * @param time the time; what comes after the end of the simulation is the state at its end
   */
  public EngineView viewAt(Instant time) {
    return new SimulationRun(plan(), Observer.NONE).playTo(boundedMillis(time));
  }

  /**
   * Passes the state of the engine at each of some times to {@code action}, as {@link #viewAt} does
   * for one, in the order of the times.
   *
   * <p>Repeats the simulation once for all times. Engines of {@link EngineView#whatIf()} have the
   * time of the state only until {@code action} returns.
   *
   * @param times the times, in any order
   * @param action receives each time and the state
   */
  public void forEachViewAt(
      Iterable<Instant> times, BiConsumer<? super Instant, ? super EngineView> action) {
    SimulationRun run = new SimulationRun(plan(), Observer.NONE);
    for (Instant time : ImmutableSortedSet.copyOf(times)) {
      action.accept(time, run.playTo(boundedMillis(time)));
    }
  }

  private long boundedMillis(Instant time) {
    return Math.min(Trace.millis(time, "the time"), endMillis());
  }

  /**
   * Passes each run of each job to {@code action}, in the order of the events that ended them: one
   * for each time that the job was started, until it ended or was stopped, or until the end of the
   * simulation.
   */
  public void forEachRun(RunConsumer action) {
    long[] started = new long[plan().trace().size()];
    for (int job = 0; job < started.length; job++) {
      long first = states().of(job).firstStart;
      // The log has no admissions of the jobs that ran at the start.
      boolean ranAtStart = plan().base().isPresent() && first <= plan().startMillis();
      started[job] = ranAtStart ? first : JobStates.NONE;
    }
    for (int event = 0; event < log().size(); event++) {
      int job = log().subject(event);
      EventKind kind = log().kind(event);
      if (kind == EventKind.ADMITTED) {
        started[job] = log().time(event);
      } else if (kind.endsRun() && started[job] != JobStates.NONE) {
        boolean goesOn = kind == EventKind.PREEMPTED || kind == EventKind.EVICTED;
        // A scheduler that polls learns of ends later.
        action.accept(job, started[job], goesOn ? log().time(event) : states().of(job).ended);
        started[job] = JobStates.NONE;
      }
    }
    for (int job = 0; job < started.length; job++) {
      if (started[job] != JobStates.NONE) {
        action.accept(job, started[job], endMillis());
      }
    }
  }

  abstract long endMillis();

  abstract Plan plan();

  abstract JobStates states();

  abstract EventLog log();

  @Value.NaturalOrder
  abstract ImmutableSortedMap<Integer, String> rejections();

  @Override
  public String toString() {
    return "SimulationResult [" + end() + ", jobs " + plan().trace().size() + ", ended "
        + states().endedCount + ", admissions " + admissions() + ", preemptions " + preemptions()
        + "]";
  }
}
