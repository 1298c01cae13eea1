package io.kueue4j.k8s.kueue;

import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.k8s.yaml.Fields;
import java.util.Optional;

/**
 * Reads an AdmissionCheck. Its parameters are its controller's concern.
 *
 * <p>Rules: M-12, L-6.
 */
final class AdmissionCheckReader {
  private AdmissionCheckReader() {}

  static AdmissionCheck read(Fields object, String name, boolean isStored) {
    Fields spec = object.object("spec");
    // Until v1beta1 it could say how long to wait after a retry; the check's state says that now.
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
   * Its controller says so in the status. A manifest that no API server has stored has none: there
   * the controller is taken for granted.
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
