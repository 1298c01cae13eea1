package io.kueue4j.examples.controller.state;

import com.google.common.base.Strings;
import com.google.common.collect.EvictingQueue;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.kueue4j.core.model.Admission;
import io.kueue4j.examples.controller.event.EventText;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.write.ClusterWrites;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Records events on jobs, and logs them. Reasons are Kueue's where Kueue has one. Remembers the
 * admissions that were refused.
 */
public final class JobEventRecorder {
  /** The reason for stopping a job that runs without a valid record, in one word. */
  public static final String ADMISSION_REFUSED = "AdmissionRefused";

  private static final Logger LOG = LoggerFactory.getLogger(JobEventRecorder.class);

  /** The name of the controller in events. */
  private static final String COMPONENT = "kueue4j-controller";

  private static final String STARTED = "Started";
  private static final int MAX_NAME = 200;
  private static final int MAX_REFUSED = 100;

  private final ClusterWrites writes;
  private final InstantSource clock;
  private final EvictingQueue<RefusedAdmission> refused = EvictingQueue.create(MAX_REFUSED);

  /**
   * An admission that the controller refused.
   *
   * @param time when it was seen
   * @param job its job
   * @param reason why it was refused
   */
  public record RefusedAdmission(Instant time, ObjectKey job, String reason) {}

  /**
   * Creates a recorder.
   *
   * @param writes records the events
   * @param clock the time of the events
   */
  public JobEventRecorder(ClusterWrites writes, InstantSource clock) {
    this.writes = writes;
    this.clock = clock;
  }

  public void normal(HasMetadata object, String reason, String message) {
    log(Level.INFO, object, reason).addKeyValue("reason", message).log(reason);
    record(object, "Normal", reason, message);
  }

  /** Records why a job waits, which happens all the time. */
  void pending(HasMetadata object, String reason, String message) {
    log(Level.INFO, object, reason).addKeyValue("reason", message).log("Pending");
    record(object, "Warning", reason, message);
  }

  public void warning(HasMetadata object, String reason, String message) {
    log(Level.WARN, object, reason).addKeyValue("reason", message).log(reason);
    record(object, "Warning", reason, message);
  }

  /** Records why an admission is refused, unless that was the last report about its job. */
  public void refused(JobRecord record, String reason) {
    if (record.memory().isNews(reason)) {
      refused.add(new RefusedAdmission(clock.instant(), record.key(), reason));
      warning(record.job(), ADMISSION_REFUSED, reason);
    }
  }

  /** {@return the latest refused admissions, newest first} */
  public ImmutableList<RefusedAdmission> refusedAdmissions() {
    return ImmutableList.copyOf(refused).reverse();
  }

  /** Records that a job was started. */
  public void started(HasMetadata object, Admission admission, String message) {
    log(Level.INFO, object, STARTED)
        .addKeyValue("clusterQueue", admission.clusterQueue())
        .addKeyValue("flavors", DecisionLog.flavors(admission))
        .log(STARTED);
    record(object, "Normal", STARTED, message);
  }

  private static LoggingEventBuilder log(Level level, HasMetadata object, String reason) {
    return LOG.atLevel(level)
        .addKeyValue("job", ObjectKey.of(JobParts.subject(object)))
        .addKeyValue("event", reason);
  }

  private void record(HasMetadata job, String type, String reason, String message) {
    HasMetadata object = JobParts.subject(job);
    ObjectMeta metadata = object.getMetadata();
    String name = Strings.nullToEmpty(metadata.getName());
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    writes.record(new EventBuilder()
        .withNewMetadata()
        .withNamespace(metadata.getNamespace())
        .withGenerateName(name.substring(0, Math.min(name.length(), MAX_NAME)) + ".")
        .endMetadata()
        .withType(type)
        .withReason(reason)
        .withMessage(EventText.shorten(message))
        .withNewInvolvedObject()
        .withApiVersion(object.getApiVersion())
        .withKind(object.getKind())
        .withNamespace(metadata.getNamespace())
        .withName(name)
        .withUid(metadata.getUid())
        .endInvolvedObject()
        .withNewSource()
        .withComponent(COMPONENT)
        .endSource()
        .withFirstTimestamp(now)
        .withLastTimestamp(now)
        .withCount(1)
        .build());
  }
}
