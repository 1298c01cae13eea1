package io.kueue4j.k8s.internal.kueue;

import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.k8s.internal.yaml.Fields;
import java.util.Optional;

/**
 * Reads an AdmissionCheck, without the parameters of its controller.
 *
 * <p>Rules: M-12, L-6.
 */
final class AdmissionCheckReader {
  private AdmissionCheckReader() {}

  static AdmissionCheck read(Fields object, String name, boolean isStored) {
    Fields spec = object.object("spec");
    // Up to v1beta1 the field set the delay after a retry; now the state of the check does.
    spec.ignore("retryDelayMinutes");
    Fields parameters = spec.object("parameters");
    if (parameters.isPresent()) {
      parameters.ignore("apiGroup");
      parameters.requiredText("kind");
      parameters.requiredText("name");
    }
    return new AdmissionCheck(
        name, spec.requiredText("controllerName"), isActive(object, isStored));
  }

  /**
   * {@return whether the controller of the check reports it as active in the status} A manifest
   * that no API server has stored has no status; its controller is assumed to be active.
   */
  private static boolean isActive(Fields object, boolean isStored) {
    Fields status = object.object("status");
    Optional<String> state = Optional.empty();
    for (Fields condition : status.objects("conditions")) {
      condition.ignoreAll();
      if (condition.requiredText("type").equals("Active")) {
        state = Optional.of(condition.requiredText("status"));
      }
    }
    return state.map(text -> text.equals("True")).orElse(!isStored);
  }
}
