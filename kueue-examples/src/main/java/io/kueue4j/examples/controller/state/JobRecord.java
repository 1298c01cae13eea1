package io.kueue4j.examples.controller.state;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.decision.Decision.PromiseChange;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.RestartHistory.PutOff;
import io.kueue4j.examples.controller.object.RetryDelays;
import io.kueue4j.k8s.job.JobSync;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The state of one job in memory; what is essential is also written to its Workload. */
public final class JobRecord {
  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_DELAY = Duration.ofSeconds(64);
  private static final Duration FIRST_EXCESS_DELAY = Duration.ofSeconds(10);
  private static final Duration MAX_EXCESS_DELAY = Duration.ofMinutes(10);

  /** More than the time between the end of a pod and the news of it. */
  private static final Duration TOLERANCE = Duration.ofSeconds(10);

  /** Quota that is held and not used must not wait for minutes. */
  private static final Duration MAX_DELAY_WITH_QUOTA = Duration.ofSeconds(8);

  private final ObjectKey key;
  private HasMetadata job;
  private JobState state = JobState.UNMANAGED;
  private ImmutableList<String> messages = ImmutableList.of();

  /** The workload of the job in the engine, empty if there is none. */
  private Optional<Workload> workload = Optional.empty();

  /** The elastic slice in the engine that waits to replace the workload, empty if there is none. */
  private Optional<Workload> growth = Optional.empty();

  /**
   * The elastic slice that the workload has replaced in the engine, until the record of the job
   * says so, too; empty if there is none.
   */
  private Optional<WorkloadId> replaced = Optional.empty();

  private String growthProblem = "";
  private Optional<PromiseChange> promiseChange = Optional.empty();
  private Optional<JobSync.Form> form = Optional.empty();
  private Optional<Stopping> stopping = Optional.empty();

  /** A workload that could not be started, and is not queued again until the job changes. */
  private Optional<Workload> blocked = Optional.empty();

  private final AdmissionMemory memory = new AdmissionMemory();

  /** The recorded admission whose quota does not exist at present; empty if there is none. */
  private Optional<RecordedAdmission> homeless = Optional.empty();

  private boolean waited;
  private boolean runs;

  /** How often the job was suspended since the controller has started it last. */
  private int suspensions;

  private int failures;

  /** When a write failed that delays the next attempt; empty if none does. */
  private Optional<Instant> failTime = Optional.empty();

  private int lostStarts;
  private Optional<PutOff> putOff = Optional.empty();
  private Instant waitTime = Instant.MIN;

  /** Since when its pods may request more than it holds. */
  private Optional<Instant> toleratedSince = Optional.empty();

  /** How often the job was stopped because it was not what was admitted any more. */
  private int excesses;

  private long changes;
  private long writes;

  /** The objects whose last write has an unknown outcome. */
  private final Set<ObjectKey> uncertain = new HashSet<>();

  /** The object of the failed write, if its outcome is unknown, also if it matters no more. */
  private @Nullable ObjectKey unanswered;

  public JobRecord(ObjectKey key, HasMetadata job) {
    this.key = key;
    this.job = job;
  }

  public ObjectKey key() {
    return key;
  }

  public HasMetadata job() {
    return job;
  }

  public String uid() {
    return JobParts.uid(job);
  }

  /**
   * Receives a newer version: writes over an older one are now known to have succeeded or failed.
   *
   * @param part the object that is newer: the job, or a pod of a group
   */
  public void see(HasMetadata newer, ObjectKey part) {
    job = newer;
    seePart(part);
  }

  /** Receives a newer version of an object of the job, or of its Workload. */
  public void seePart(ObjectKey part) {
    changes++;
    if (uncertain.remove(part) || part.equals(unanswered)) {
      failTime = Optional.empty();
    }
  }

  /** {@return the number of changes of the job and its Workload seen so far} */
  public long changes() {
    return changes;
  }

  /** {@return the number of writes that have succeeded so far} */
  public long writes() {
    return writes;
  }

  public JobState state() {
    return state;
  }

  public ImmutableList<String> messages() {
    return messages;
  }

  /** {@return whether the state or its messages differ from before} */
  public boolean become(JobState newState, String... newMessages) {
    ImmutableList<String> said = ImmutableList.copyOf(newMessages);
    boolean news = state != newState || !messages.equals(said);
    state = newState;
    messages = said;
    return news;
  }

  public Optional<Workload> workload() {
    return workload;
  }

  public Optional<WorkloadId> id() {
    return workload.map(Workload::id);
  }

  void setWorkload(@Nullable Workload known) {
    workload = Optional.ofNullable(known);
  }

  public Optional<Workload> growth() {
    return growth;
  }

  void setGrowth(@Nullable Workload slice) {
    growth = Optional.ofNullable(slice);
  }

  /** The elastic slice that waited has replaced the workload in the engine. */
  void grown() {
    replaced = id();
    workload = growth;
    growth = Optional.empty();
  }

  /** {@return whether the problem that keeps the job from growing differs from before} */
  public boolean setGrowthProblem(String problem) {
    boolean isNews = !growthProblem.equals(problem);
    growthProblem = problem;
    return isNews;
  }

  /** {@return why the job cannot grow, empty if there is no problem} */
  public String growthProblem() {
    return growthProblem;
  }

  /** {@return how the promised start of the job has changed last, empty if there was none} */
  public Optional<PromiseChange> promiseChange() {
    return promiseChange;
  }

  public void setPromiseChange(PromiseChange change) {
    promiseChange = Optional.of(change);
  }

  public Optional<WorkloadId> replaced() {
    return replaced;
  }

  /** The record of the job is about the present workload. */
  public void forgetReplaced() {
    replaced = Optional.empty();
  }

  public Optional<JobSync.Form> form() {
    return form;
  }

  public void setForm(JobSync.Form newForm) {
    form = Optional.of(newForm);
  }

  public Optional<Stopping> stopping() {
    return stopping;
  }

  public void setStopping(@Nullable Stopping why) {
    stopping = Optional.ofNullable(why);
  }

  /** Records that the job was suspended while it ran. */
  public void suspended() {
    suspensions++;
  }

  /** {@return whether another controller starts the job each time that it is suspended} */
  public boolean isDisputed() {
    return suspensions > 1;
  }

  public Optional<Workload> blocked() {
    return blocked;
  }

  public void setBlocked(@Nullable Workload failed) {
    blocked = Optional.ofNullable(failed);
  }

  public AdmissionMemory memory() {
    return memory;
  }

  /** {@return whether this very admission is known to refer to quota that does not exist} */
  public boolean isHomeless(RecordedAdmission recorded) {
    return homeless.equals(Optional.of(recorded));
  }

  public void setHomeless(@Nullable RecordedAdmission recorded) {
    homeless = Optional.ofNullable(recorded);
  }

  /** {@return whether the job was seen to wait for admission} */
  public boolean hasWaited() {
    return waited;
  }

  public void setWaited() {
    waited = true;
  }

  /** Receives whether the job runs: one that was started meanwhile must not wait for minutes. */
  public void seeRunning(boolean isRunning) {
    if (isRunning && !runs) {
      failures = Math.min(failures, 1);
    }
    runs = isRunning;
  }

  /** A former controller may have written that object, with an outcome that is not known. */
  public void doubt(ObjectKey part) {
    uncertain.add(part);
  }

  /** {@return whether the outcome of the last write of that object is unknown} */
  public boolean isUncertain(ObjectKey part) {
    return uncertain.contains(part);
  }

  /** These objects do not matter any more, whatever became of their last writes. */
  public void abandon(Predicate<ObjectKey> parts) {
    uncertain.removeIf(parts);
  }

  /** {@return whether the outcome of the last write is unknown} */
  public boolean isUncertain() {
    return !uncertain.isEmpty();
  }

  /**
   * {@return when the next attempt may begin after a failed write, empty if there is no delay}
   *
   * @param holdsQuota whether others wait for what the job holds
   */
  public Optional<Instant> retryTime(boolean holdsQuota, Instant now) {
    Duration max = holdsQuota ? MAX_DELAY_WITH_QUOTA : MAX_DELAY;
    return failTime
        .map(time -> time.plus(RetryDelays.after(failures, FIRST_DELAY, max)))
        .filter(now::isBefore);
  }

  /** {@return until when the job is not queued, and why; empty if it is} */
  public Optional<PutOff> putOff() {
    return putOff;
  }

  /** Records that the server refused a start: delays the next admission, longer each time. */
  public void startRefused(Instant now) {
    lostStarts++;
    putOff("the API server refused the start", now);
  }

  /**
   * Records that the job lost its quota before it was started: from the second time on delays the
   * next admission, longer each time. Two jobs may preempt each other for ever.
   */
  public void lostBeforeStart(Instant now) {
    lostStarts++;
    if (lostStarts > 1) {
      putOff("it lost its quota before it was started", now);
    }
  }

  private void putOff(String why, Instant now) {
    Duration delay = RetryDelays.after(lostStarts, FIRST_DELAY, MAX_DELAY_WITH_QUOTA);
    putOff = Optional.of(new PutOff(now.plus(delay), why));
  }

  /** Records that the job was started. */
  public void startSucceeded() {
    suspensions = 0;
    lostStarts = 0;
    putOff = Optional.empty();
  }

  /**
   * Tolerates an excess that may only seem to be one.
   *
   * @return until when, empty if there is none
   */
  public Optional<Instant> tolerate(boolean isExcess, Instant now) {
    toleratedSince = isExcess ? toleratedSince.or(() -> Optional.of(now)) : Optional.empty();
    return toleratedSince.map(since -> since.plus(TOLERANCE));
  }

  /**
   * Records that the job is stopped because it is not what was admitted any more: from the second
   * time on delays the next admission, longer each time.
   */
  public void exceeded(Instant now) {
    toleratedSince = Optional.empty();
    if (excesses > 0) {
      putOff = Optional.of(new PutOff(
          now.plus(RetryDelays.after(excesses, FIRST_EXCESS_DELAY, MAX_EXCESS_DELAY)),
          "it requested more than was admitted, or was changed while it ran"));
    }
    excesses++;
  }

  /** {@return when the job is due without new events} */
  public Instant waitTime() {
    return waitTime;
  }

  public void setWaitTime(Instant time) {
    waitTime = time;
  }

  /** Records that an object was written. */
  void succeeded(ObjectKey part) {
    writes++;
    failures = 0;
    failTime = Optional.empty();
    uncertain.remove(part);
  }

  /** Records that a write changed nothing: delays the next attempt, longer each time. */
  void unchanged(ObjectKey part, Instant now) {
    failed(now);
    uncertain.remove(part);
  }

  /**
   * Records that the last write of an object failed with an unknown outcome: delays the next
   * attempt, longer each time.
   */
  void unanswered(ObjectKey part, Instant now) {
    failed(now);
    uncertain.add(part);
    unanswered = part;
  }

  /** {@return whether the last write failed, or changed nothing} */
  public boolean hasFailed() {
    return failures > 0;
  }

  /** Records that a write failed: delays the next attempt, longer each time. */
  public void failed(Instant now) {
    failTime = Optional.of(now);
    failures++;
    unanswered = null;
  }
}
