package io.kueue4j.core.internal.state;

import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.quota.Forest;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.usage.UsageLedger;
import io.kueue4j.core.internal.validation.WorkloadValidator;
import io.kueue4j.core.internal.versioned.Cell;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of an engine: its stores, and the changes that span several of them.
 *
 * <p>A store depends only on stores created before it. What stores hold records its own changes
 * ({@link Journal}) and is shared with forks until its first change, so callers have no duties. Not
 * thread-safe.
 */
public final class EngineState {
  private final StateContext context;
  private final Configuration configuration;
  private final QueueStore queues;
  private final WorkloadStore workloads;
  private final Variants variants;
  private final UsageRecorder fairness;
  private final PreemptionHistory preemptions;
  private final EventQueue announcements;
  private final LifecycleRegistry books;
  private final PendingWorkloads pending;
  private final Promises promises;
  private final RequeueEvents events;
  private final Reservations reservations;
  private final Cell<Long> cycles;

  /** Creates an empty state. */
  public EngineState(Settings settings) {
    this(new StateContext(settings, new Catalog(), new Journal()));
  }

  private EngineState(StateContext context) {
    this.context = context;
    this.configuration = new Configuration(context);
    UsageLedger ledger = new UsageLedger(
        context.settings().admissionFairSharing().orElse(AdmissionFairSharing.of(Duration.ZERO)),
        context.journal());
    this.preemptions =
        new PreemptionHistory(context.settings().preemptionLimits(), context.journal());
    this.queues = new QueueStore(context, configuration, ledger, preemptions);
    this.workloads = new WorkloadStore(context, configuration, queues);
    this.variants = new Variants(context, configuration, workloads);
    this.fairness = new UsageRecorder(context, configuration, queues, workloads, ledger);
    this.announcements = new EventQueue(queues, workloads);
    this.books = new LifecycleRegistry(context, announcements, variants, fairness);
    this.promises = new Promises(context);
    this.pending =
        new PendingWorkloads(context, configuration, queues, workloads, variants, promises);
    this.events = new RequeueEvents(context, configuration, queues, pending, promises);
    this.reservations = new Reservations(
        context, configuration, queues, workloads, pending, fairness, books, events);
    this.cycles = new Cell<>(context.journal(), 0L);
  }

  /**
   * {@return a state with the same content; changes to either are not visible in the other}
   *
   * <p>Both share everything until one of them changes it. There must be no recorded events and no
   * unsettled variants. The fork must not be used after the call that makes it, if that call fails.
   */
  public EngineState fork() {
    EngineState fork = new EngineState(context.fork());
    fork.configuration.share(configuration);
    fork.queues.share(queues);
    fork.workloads.share(workloads);
    fork.fairness.share(fairness);
    fork.preemptions.share(preemptions);
    fork.books.share(books);
    fork.promises.share(promises);
    fork.cycles.share(cycles);
    context.journal().share();
    return fork;
  }

  // ----- the stores

  public Settings settings() {
    return context.settings();
  }

  /** {@return what is invalid in a workload with so many reclaimable pods by pod set} */
  public List<Violation> violations(Workload workload, Map<String, Integer> reclaimable) {
    List<Violation> violations = new ArrayList<>(settings().violations(workload));
    violations.addAll(WorkloadValidator.validateReclaimable(workload, reclaimable));
    return violations;
  }

  /** {@return the inverses of the changes of the current call} */
  public Journal journal() {
    return context.journal();
  }

  /** {@return the policy for workloads whose pods are not ready, absent if ignored} */
  public Optional<PodsReadyPolicy> podsReadyPolicy() {
    return context.podsReadyPolicy();
  }

  public Catalog catalog() {
    return context.catalog();
  }

  public Configuration configuration() {
    return configuration;
  }

  public Inventories inventories() {
    return configuration.inventories();
  }

  /** {@return the TPU pools with the TPU slices in use} */
  public Fleets fleets() {
    return configuration.fleets();
  }

  /** {@return whether workloads may use nodes or TPU slices besides quota} */
  public boolean usesPlaces() {
    return inventories().isUsed() || fleets().isUsed();
  }

  public Forest forest() {
    return queues.forest();
  }

  /** {@return the ClusterQueues and cohorts} */
  public QueueStore queueStore() {
    return queues;
  }

  /** {@return the workloads} */
  public WorkloadStore workloads() {
    return workloads;
  }

  /** {@return the variants of workloads} */
  public Variants variants() {
    return variants;
  }

  /** {@return the recorder of LocalQueue usage} */
  public UsageRecorder fairness() {
    return fairness;
  }

  /** {@return the past preemptions, as far as limits count them} */
  public PreemptionHistory preemptions() {
    return preemptions;
  }

  /** {@return the decisions of the current call, and the events that the listener receives} */
  public EventQueue announcements() {
    return announcements;
  }

  /** {@return the registry of the lifecycles of all workloads} */
  public LifecycleRegistry books() {
    return books;
  }

  /** {@return the pending workloads, for changes} */
  public PendingWorkloads pending() {
    return pending;
  }

  /** {@return the promised starts} */
  public Promises promises() {
    return promises;
  }

  /** {@return the events that may let parked workloads fit} */
  public RequeueEvents events() {
    return events;
  }

  /** {@return the reservations of quota, for changes} */
  public Reservations reservations() {
    return reservations;
  }

  // ----- shortcuts for look-ups

  /** {@return all ClusterQueues, by name} */
  public Collection<QueueState> queues() {
    return queues.all();
  }

  public Optional<QueueState> queue(String name) {
    return queues.get(name);
  }

  /** {@return the workload of that id, null if it is unknown} */
  @Nullable
  public WorkloadRecord record(WorkloadId id) {
    return workloads.get(id);
  }

  /** {@return the submitted workload of that id, null if there is none; variants are excluded} */
  @Nullable
  public WorkloadRecord submitted(WorkloadId id) {
    return VariantNames.isVariant(id) ? null : record(id);
  }

  /**
   * {@return the workload of that id}
   *
   * @throws IllegalArgumentException if there is none
   */
  public WorkloadRecord require(WorkloadId id) {
    return workloads.require(id);
  }

  /**
   * {@return the submitted workload of that id; variants are excluded}
   *
   * @throws IllegalArgumentException if there is none
   */
  public WorkloadRecord requireSubmitted(WorkloadId id) {
    return WorkloadStore.require(submitted(id), id);
  }

  // ----- changes of several stores

  /** {@return the number of cycles that had something to try} */
  public long cycles() {
    return cycles.get();
  }

  public void nextCycle() {
    cycles.set(cycles.get() + 1);
  }

  /** Adds a workload that already has its place, in a queue or outside of all queues. */
  public void add(WorkloadRecord record) {
    workloads.add(record);
    books.setTimer(record);
  }

  private void remove(WorkloadRecord record) {
    workloads.markFailed(record, null);
    workloads.remove(record);
    pending.unqueue(record);
    fairness.left(record);
    preemptions.forget(record.id());
    books.forget(record);
    record.setReservation(null);
  }

  /** Removes a workload and releases what it holds. */
  public void forget(WorkloadRecord record, WorkloadRemoved.Reason reason, Instant now) {
    for (WorkloadRecord variant : variants.of(record)) {
      forget(variant, reason, now);
    }
    announcements.departed(record, reason, now);
    fairness.sampleUntil(now);
    events.note(record);
    reservations.release(record);
    remove(record);
  }

  /** Replaces the specification of a workload. */
  public void change(WorkloadRecord record, Workload workload, Instant now) {
    change(record, workloads.compile(workload, record), now);
  }

  /**
   * Replaces the content of a workload. A pending workload is requeued; the quota of a holder is
   * charged again.
   */
  public void change(WorkloadRecord record, CompiledWorkload changed, Instant now) {
    CompiledWorkload before = record.compiled();
    Workload workload = changed.source();
    boolean leaves = !record.workload().queueName().equals(workload.queueName())
        || (!workload.active() && record.reservation() == null);
    if (leaves) {
      fairness.left(record);
    }
    workloads.change(record, changed);
    books.setTimer(record);
    Reservation reservation = record.reservation();
    if (reservation != null) {
      reservations.replace(record, reservation, reservation.admission());
    } else {
      pending.renew(record, configuration.changesSpec(before, changed), now);
    }
  }

  /**
   * Samples usage up to {@code now}, then delivers the events recorded so far and the ends of
   * capacity windows, and ends the backoffs that are over and the refusals of preemptions that may
   * be allowed now.
   */
  public void deliverEvents(Instant now) {
    configuration.windows().takeEnded(now).forEach(events::note);
    fairness.sampleUntil(now);
    events.deliver(now);
    pending.releaseDue(now);
    pending.retryPreemptions(preemptions.retries(), now);
  }

  /** Rolls back the changes of the current call, which has failed. */
  public void rollback() {
    journal().rollback();
    queues.forgetRemembered();
  }
}
