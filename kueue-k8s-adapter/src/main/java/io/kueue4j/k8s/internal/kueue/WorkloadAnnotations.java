package io.kueue4j.k8s.internal.kueue;

import com.google.common.base.Splitter;
import com.google.common.primitives.Ints;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.internal.yaml.BackfillAnnotations;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the annotations of a workload that matter for admission. Rules: M-22, M-32, E-2, F-9. */
final class WorkloadAnnotations {
  private static final String GATED_BY = "kueue.x-k8s.io/admission-gated-by";
  private static final String ELASTIC = "kueue.x-k8s.io/elastic-job";
  private static final String REPLACEMENT_FOR = "kueue.x-k8s.io/workload-slice-replacement-for";
  private static final String SLICE_NAME = "kueue.x-k8s.io/workload-slice-name";
  private static final String ALLOWED_FLAVORS = "kueue.x-k8s.io/workload-allowed-resource-flavors";
  private static final String BOOST = "kueue.x-k8s.io/priority-boost";

  private static final String CHECKPOINT_INTERVAL = "kueue4j.io/checkpoint-interval";

  private static final String IS_GROUP = "kueue.x-k8s.io/is-group-workload";

  private static final Pattern SIGNED = Pattern.compile("[+-]?[0-9]+");

  private WorkloadAnnotations() {}

  static void read(Fields annotations, Workload.Builder workload) {
    annotations.ignoreAll();
    annotations
        .text(GATED_BY)
        .map(WorkloadAnnotations::names)
        .ifPresent(workload::addAllAdmissionGates);
    annotations
        .text(ALLOWED_FLAVORS)
        .map(WorkloadAnnotations::names)
        .ifPresent(workload::allowedFlavors);
    workload.elastic(annotations.text(ELASTIC).equals(Optional.of("true")));
    workload.sliceName(annotations.text(SLICE_NAME).filter(name -> !name.isEmpty()));
    annotations.text(REPLACEMENT_FOR).ifPresent(text -> {
      int slash = text.indexOf('/');
      if (slash < 1 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
        annotations.problem(
            REPLACEMENT_FOR, YamlScalar.quote(text) + "; expected namespace/name of a workload");
      } else {
        workload.replaces(WorkloadId.of(text.substring(0, slash), text.substring(slash + 1)));
      }
    });
    workload.expectedDuration(duration(annotations, BackfillAnnotations.EXPECTED_DURATION));
    workload.checkpointInterval(duration(annotations, CHECKPOINT_INTERVAL));
    annotations.text(BOOST).ifPresent(text -> {
      Integer boost = SIGNED.matcher(text).matches() ? Ints.tryParse(text.replace("+", "")) : null;
      if (boost == null) {
        annotations.problem(BOOST, YamlScalar.quote(text) + "; expected a signed 32-bit integer");
      } else {
        workload.priorityBoost(boost);
      }
    });
  }

  /** {@return whether the workload belongs to a group of pods} */
  static boolean isOfPodGroup(Fields annotations) {
    annotations.ignoreAll();
    return annotations.text(IS_GROUP).equals(Optional.of("true"));
  }

  private static Iterable<String> names(String list) {
    return Splitter.on(',').trimResults().omitEmptyStrings().split(list);
  }

  private static Optional<Duration> duration(Fields annotations, String key) {
    Optional<String> text = annotations.text(key);
    Optional<Duration> duration = text.flatMap(BackfillAnnotations::duration);
    if (text.isPresent() && duration.isEmpty()) {
      annotations.problem(key, BackfillAnnotations.durationProblem(text.get()));
    }
    return duration;
  }
}
