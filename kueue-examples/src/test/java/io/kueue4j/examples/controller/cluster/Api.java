package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** What the tests of the rules do to an API server, be it in memory or behind a client. */
interface Api {
  <T extends HasMetadata> T create(T object);

  <T extends HasMetadata> T replace(T object);

  <T extends HasMetadata> T replaceStatus(T object);

  void mergePatch(HasMetadata object, String patch);

  void delete(HasMetadata object);

  Optional<? extends HasMetadata> get(HasMetadata object);

  /** {@return the object as it is stored now, of the class of the given one} */
  @SuppressWarnings("unchecked")
  default <T extends HasMetadata> T reload(T object) {
    return (T) get(object).orElseThrow();
  }

  /** {@return code, reason and message of the refusal of a write; fails if it is not refused} */
  Refusal refusal(Runnable write);

  /** A refusal as a client sees it. */
  record Refusal(int code, String reason, String message) {}

  /** {@return whether the object is of a kind that has no class} */
  static boolean isCustom(HasMetadata object) {
    return object instanceof GenericKubernetesResource;
  }
}
