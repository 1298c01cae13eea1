package io.kueue4j.examples.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.examples.controller.JobWrites.Result;
import io.kueue4j.examples.controller.NoteMemory.Part;
import io.kueue4j.examples.controller.NoteReading.Refusal;
import io.kueue4j.examples.controller.Seals.Opened;
import io.kueue4j.examples.controller.seal.SealKeys;
import io.kueue4j.examples.controller.seal.SequenceLedger;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes sealed notes to jobs, and reads them. Since everyone who may edit a job can edit its note,
 * only notes are trusted that are sealed by a key of the controller for the object that carries
 * them.
 *
 * <p>A trusted note stays trusted until the annotation changes, even when its key is removed: then
 * it is sealed again.
 */
final class JobNotes implements AdmissionRecords {
  /**
   * The maximum number of notes that are sealed again in one step, so that decisions are not
   * delayed.
   */
  private static final int MAX_RENEWALS = 100;

  private final ClusterConfiguration configuration;
  private final JobReader reader;
  private final Seals seals;
  private final OutdatedNotes outdated;
  private final RefusedNotes refused;
  private final InstantSource clock;
  private final Set<ObjectKey> toRenew = new LinkedHashSet<>();

  private int renewals;
  private boolean isRenewing;

  JobNotes(
      ClusterConfiguration configuration,
      JobReader reader,
      Seals seals,
      Optional<SequenceLedger> ledger,
      RefusedNotes refused,
      InstantSource clock) {
    outdated = new OutdatedNotes(ledger, clock);
    this.configuration = configuration;
    this.reader = reader;
    this.seals = seals;
    this.refused = refused;
    this.clock = clock;
    // A former controller may not have finished.
    isRenewing = seals.keys().isPresent();
  }

  // ----- reading

  @Override
  public NoteReading read(JobRecord record) {
    Map<ObjectKey, HasMetadata> carriers = carriers(record.job());
    record.notes().retain(carriers.keySet());
    Optional<Part> newest = Optional.empty();
    Optional<Refusal> refusal = Optional.empty();
    for (Map.Entry<ObjectKey, HasMetadata> carrier : carriers.entrySet()) {
      Part part = read(record, carrier.getKey(), carrier.getValue());
      if (part.note().isPresent()) {
        if (newest.isEmpty() || newest.get().sequence() < part.sequence()) {
          newest = Optional.of(part);
        }
      } else if (refusal.filter(Refusal::runs).isEmpty()) {
        boolean runs = !JobFacts.waits(reader.kinds(), carrier.getValue());
        refusal = Optional.of(new Refusal(part.refusal(), part.isUnsealed(), runs));
        if (record.notes().inForce().isEmpty()) {
          part.outdated().ifPresent(record.notes()::setInForce);
        }
      }
    }
    newest.flatMap(Part::note).ifPresent(record.notes()::setInForce);
    return new NoteReading(
        newest.flatMap(Part::note), newest.map(Part::content).orElse(""), refusal);
  }

  /**
   * {@return the objects of a job that carry a note; one on a waiting pod of a group is ignored}
   */
  private Map<ObjectKey, HasMetadata> carriers(HasMetadata job) {
    Map<ObjectKey, HasMetadata> carriers = new LinkedHashMap<>();
    for (HasMetadata part : JobParts.live(job)) {
      if (!text(part).isEmpty() && mayCarry(job, part)) {
        carriers.put(ObjectKey.of(part), part);
      }
    }
    return carriers;
  }

  /** {@return whether an object of a job carries its note: of a group, the pods that may run} */
  private boolean mayCarry(HasMetadata job, HasMetadata part) {
    return !JobParts.isGroup(job) || !JobFacts.waits(reader.kinds(), part);
  }

  private static String text(HasMetadata carrier) {
    return JobAnnotations.of(carrier, JobAnnotations.ADMISSION);
  }

  private Part read(JobRecord record, ObjectKey key, HasMetadata carrier) {
    Part part = record
        .notes()
        .find(key, text(carrier), seals.generation())
        .orElseGet(() -> verified(record, key, carrier));
    record.notes().remember(key, part);
    return part;
  }

  private Part verified(JobRecord record, ObjectKey key, HasMetadata carrier) {
    try {
      Opened opened = seals.open(carrier, JobAnnotations.ADMISSION, text(carrier));
      if (opened.flaw().isPresent()) {
        return refusedPart(carrier, opened.flaw().get(), opened.isUnsealed());
      }
      long minimum = Math.max(record.notes().sequence(key), outdated.minimum(uid(carrier)));
      Part part = believed(record, text(carrier), opened);
      return opened.sequence() < minimum
          ? refusedPart(carrier, "is older than one that was there before: it was put back", false)
              .withOutdated(part.note().orElseThrow())
          : part;
    } catch (IllegalArgumentException e) {
      return refusedPart(carrier, "cannot be read: " + e.getMessage(), false);
    }
  }

  private static Part believed(JobRecord record, String text, Opened opened) {
    AdmissionNote note = NoteJson.read(record.key().namespace(), opened.json());
    if (!note.uid().equals(record.uid())) {
      throw new IllegalArgumentException("it is that of another job");
    }
    return Part.believed(text, note, opened.content(), opened.sequence(), opened.keyId());
  }

  private Part refusedPart(HasMetadata carrier, String why, boolean isUnsealed) {
    return Part.refused(
        text(carrier),
        "the note in annotation " + JobAnnotations.ADMISSION + " " + why,
        isUnsealed,
        seals.generation());
  }

  @Override
  public boolean isRecorded(HasMetadata job) {
    return !JobAnnotations.get(job, JobAnnotations.ADMISSION).isEmpty();
  }

  @Override
  public Optional<String> missing(JobRecord record, NoteReading reading) {
    if (reading.note().isPresent()
        || record.notes().inForce().isEmpty()
        || record.notes().isRemoving()) {
      return Optional.empty();
    }
    boolean isMissing = !JobParts.isGroup(record.job())
        || JobParts.live(record.job()).stream()
            .anyMatch(pod -> text(pod).isEmpty() && !JobFacts.waits(reader.kinds(), pod));
    return isMissing
        ? Optional.of("the note in annotation " + JobAnnotations.ADMISSION
            + " was taken away, and not by this controller")
        : Optional.empty();
  }

  @Override
  public boolean isUpToDate(AdmissionNote note, Admission held) {
    return note.admission().equals(RecordedSlices.without(held))
        && note.slices().equals(RecordedSlices.write(held));
  }

  // ----- unsealed notes of an earlier version

  @Override
  public Optional<AdmissionNote> unsealed(JobRecord record) {
    return acceptable(record).values().stream()
        .flatMap(part -> part.note().stream())
        .findFirst();
  }

  @Override
  public void accept(JobRecord record) {
    acceptable(record).forEach(record.notes()::remember);
  }

  private Map<ObjectKey, Part> acceptable(JobRecord record) {
    Map<ObjectKey, Part> parts = new LinkedHashMap<>();
    carriers(record.job()).forEach((key, carrier) -> {
      Opened opened = seals.open(carrier, JobAnnotations.ADMISSION, text(carrier));
      if (opened.isUnsealed()) {
        parts.put(
            key,
            believed(
                record,
                text(carrier),
                new Opened(opened.json(), opened.content(), 0, "", Optional.empty(), true)));
      }
    });
    return parts;
  }

  /** {@return no states: users who may edit a job could write them, so none are believed} */
  @Override
  public ImmutableList<AdmissionCheckState> checks(JobRecord record) {
    return ImmutableList.of();
  }

  @Override
  public Optional<String> refusal(JobRecord record, Workload workload) {
    return configuration
        .localQueue(workload.namespace(), workload.queueName())
        .flatMap(queue -> configuration.clusterQueue(queue.clusterQueue()))
        .filter(queue -> !queue.admissionChecks().isEmpty())
        .map(queue -> "ClusterQueue " + queue.name() + " has admission checks, and the cluster does"
            + " not serve Workload objects of kueue.x-k8s.io/v1beta2, in which checks are answered;"
            + " install Kueue's custom resource definitions and restart the controller, or remove"
            + " the checks from the queue");
  }

  @Override
  public boolean wasQueued(JobRecord record) {
    // Nothing on a waiting job shows it to a later controller.
    return record.id().isPresent();
  }

  // ----- writing

  @Override
  public Result prepare(JobRecord record, Workload workload) {
    return Result.DONE;
  }

  @Override
  public Result store(JobRecord record, AdmissionNote note) {
    return Result.DONE;
  }

  @Override
  public boolean isSeparate() {
    return false;
  }

  @Override
  public Result release(JobRecord record, WorkloadStatus status) {
    return Result.DONE;
  }

  @Override
  public void deactivate(JobRecord record, Map<String, @Nullable String> values) {
    values.put(JobAnnotations.ACTIVE, "false");
  }

  @Override
  public void publish(JobRecord record) {}

  @Override
  public void finish(JobRecord record, boolean success, String message) {}

  @Override
  public Result fence(JobRecord record) {
    return Result.DONE;
  }

  // ----- outdated notes

  private static String uid(HasMetadata object) {
    return Strings.nullToEmpty(object.getMetadata().getUid());
  }

  @Override
  public boolean outdates() {
    return outdated.isTracked();
  }

  @Override
  public boolean outdate(JobRecord record) {
    return outdated.outdate(record.key(), record.uid(), record.notes().sequence(record.key()));
  }

  @Override
  public void outdateAll(HasMetadata job) {
    outdated.outdateAll(uid(job));
  }

  @Override
  public boolean hasOutdated() {
    return outdated.isPending();
  }

  @Override
  public ImmutableSet<ObjectKey> takeOutdated() {
    return outdated.takeStored();
  }

  @Override
  public boolean flush(Supplier<? extends Collection<String>> uids) {
    return outdated.flush(uids);
  }

  @Override
  public UnaryOperator<HasMetadata> writer(JobRecord record, AdmissionNote note) {
    NoteMemory memory = record.notes();
    ObjectNode json = NoteJson.write(note);
    String content = Json.text(json);
    long sequence = nextSequence(record);
    memory.setOwnContent(content);
    return copy -> {
      String text = seals.seal(copy, JobAnnotations.ADMISSION, json, content, sequence);
      memory.expect(
          ObjectKey.of(copy), Part.believed(text, note, content, sequence, seals.keyId()));
      return JobAnnotations.setOn(copy, Map.of(JobAnnotations.ADMISSION, text));
    };
  }

  @Override
  public <T extends HasMetadata> T write(JobRecord record, T copy, AdmissionNote note) {
    UnaryOperator<HasMetadata> writer = writer(record, note);
    return JobParts.map(copy, part -> mayCarry(copy, part) ? writer.apply(part) : part);
  }

  /**
   * {@return a number that is greater than all before, including numbers of former controllers with
   * slow clocks}
   */
  private long nextSequence(JobRecord record) {
    return seals.keys().isEmpty()
        ? 0
        : record
            .notes()
            .nextSequence(
                Math.max(clock.instant().toEpochMilli(), outdated.minimum(record.uid()) + 1));
  }

  // ----- what had happened before

  @Override
  public Optional<WorkloadStatus> status(JobRecord record) {
    Optional<HasMetadata> carrier = statusCarrier(record.job());
    if (carrier.isEmpty()) {
      return Optional.empty();
    }
    try {
      Opened opened = openStatus(carrier.get());
      if (opened.flaw().isPresent()) {
        refused.report(record, unread(opened.flaw().get()));
        return Optional.empty();
      }
      return Optional.of(StatusJson.read(opened.json()));
    } catch (IllegalArgumentException e) {
      refused.report(record, unread("cannot be read: " + e.getMessage()));
      return Optional.empty();
    }
  }

  private static String unread(String why) {
    return "annotation " + JobAnnotations.STATUS + " " + why
        + "; the job is queued as if it had not run before";
  }

  private Opened openStatus(HasMetadata carrier) {
    return seals.open(
        carrier, JobAnnotations.STATUS, JobAnnotations.of(carrier, JobAnnotations.STATUS));
  }

  private static Optional<HasMetadata> statusCarrier(HasMetadata job) {
    return JobParts.live(job).stream()
        .filter(part -> !JobAnnotations.of(part, JobAnnotations.STATUS).isEmpty())
        .findFirst();
  }

  @Override
  public <T extends HasMetadata> T writeStatus(JobRecord record, T copy, WorkloadStatus status) {
    ObjectNode json = StatusJson.write(status);
    String content = Json.text(json);
    long sequence = nextSequence(record);
    return JobParts.map(
        copy,
        part -> JobAnnotations.setOn(
            part,
            Map.of(
                JobAnnotations.STATUS,
                seals.seal(part, JobAnnotations.STATUS, json, content, sequence))));
  }

  // ----- new keys

  @Override
  public void setKeys(SealKeys keys) {
    seals.setKeys(keys);
    isRenewing = true;
  }

  @Override
  public boolean isRenewing() {
    return isRenewing;
  }

  @Override
  public void renewed() {
    isRenewing = false;
  }

  @Override
  public boolean hasRenewals() {
    return !toRenew.isEmpty();
  }

  @Override
  public boolean isOfOldKey(JobRecord record) {
    return carriers(record.job()).entrySet().stream()
            .flatMap(
                carrier -> record
                    .notes()
                    .find(carrier.getKey(), text(carrier.getValue()), seals.generation())
                    .stream())
            .anyMatch(part -> part.note().isPresent() && !seals.isCurrent(part.keyId()))
        || isStatusOfOldKey(record);
  }

  private boolean isStatusOfOldKey(JobRecord record) {
    try {
      return statusCarrier(record.job())
          .map(this::openStatus)
          .filter(opened -> opened.flaw().isEmpty() && !seals.isCurrent(opened.keyId()))
          .isPresent();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public boolean isRenewalDue(JobRecord record) {
    if (!isRenewing || !isOfOldKey(record)) {
      return false;
    }
    if (renewals >= MAX_RENEWALS) {
      toRenew.add(record.key());
      return false;
    }
    renewals++;
    return true;
  }

  @Override
  public ImmutableSet<ObjectKey> takeRenewals() {
    renewals = 0;
    ImmutableSet<ObjectKey> waiting = ImmutableSet.copyOf(toRenew);
    toRenew.clear();
    return waiting;
  }
}
