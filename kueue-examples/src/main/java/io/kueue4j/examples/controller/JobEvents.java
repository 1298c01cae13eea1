package io.kueue4j.examples.controller;

import com.google.common.base.Strings;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.kueue4j.examples.controller.event.EventText;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** Records events on jobs. Reasons are Kueue's where Kueue has one. */
final class JobEvents {
  private static final int MAX_NAME = 200;

  private final ClusterWrites writes;
  private final InstantSource clock;
  private final String component;

  JobEvents(ClusterWrites writes, InstantSource clock, String component) {
    this.writes = writes;
    this.clock = clock;
    this.component = component;
  }

  void normal(HasMetadata object, String reason, String message) {
    record(object, "Normal", reason, message);
  }

  void warning(HasMetadata object, String reason, String message) {
    record(object, "Warning", reason, message);
  }

  private void record(HasMetadata job, String type, String reason, String message) {
    HasMetadata object = JobParts.subject(job);
    ObjectMeta metadata = object.getMetadata();
    String name = Strings.nullToEmpty(metadata.getName());
    String namespace = Strings.nullToEmpty(metadata.getNamespace());
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    writes.record(new EventBuilder()
        .withNewMetadata()
        .withNamespace(namespace.isEmpty() ? "default" : namespace)
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
        .withComponent(component)
        .endSource()
        .withFirstTimestamp(now)
        .withLastTimestamp(now)
        .withCount(1)
        .build());
  }
}
