package io.kueue4j.examples.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Strings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.seal.Seal;
import io.kueue4j.examples.controller.seal.SealKeys;
import io.kueue4j.examples.controller.seal.SealedObject;
import java.util.Optional;

/**
 * Seals the content of annotations and verifies it. An annotation is a JSON object with a field
 * {@code seal}; the seal covers the object without this field, in the form in which it is written
 * again after reading. So the verified tree is the one that is used, regardless of white space or
 * duplicate fields in the annotation.
 *
 * <p>Without keys nothing is sealed, and everything is treated as valid.
 */
final class Seals {
  private static final String FIELD = "seal";

  private Optional<SealKeys> keys;
  private int generation;

  Seals(Optional<SealKeys> keys) {
    this.keys = keys;
  }

  void setKeys(SealKeys newKeys) {
    keys = Optional.of(newKeys);
    generation++;
  }

  Optional<SealKeys> keys() {
    return keys;
  }

  /** {@return a number that changes with the keys} */
  int generation() {
    return generation;
  }

  /** {@return whether a text sealed with that key does not have to be sealed again} */
  boolean isCurrent(String keyId) {
    return keys.isEmpty() || keys.get().current().id().equals(keyId);
  }

  /**
   * A verified text.
   *
   * @param json the content without the seal
   * @param content the content as text
   * @param sequence the number of the text, 0 if there are no keys
   * @param keyId the key of the seal, empty if there are no keys
   * @param flaw the problem with the seal, empty if there is none
   * @param isUnsealed whether the only problem is that no known key has sealed it
   */
  record Opened(
      ObjectNode json,
      String content,
      long sequence,
      String keyId,
      Optional<String> flaw,
      boolean isUnsealed) {}

  /**
   * {@return the content of an annotation, verified}
   *
   * @throws IllegalArgumentException if it, or its seal, cannot be read
   */
  Opened open(HasMetadata carrier, String annotation, String text) {
    ObjectNode json = Json.parse(text);
    JsonNode written = json.path(FIELD);
    json.remove(FIELD);
    String content = Json.text(json);
    if (keys.isEmpty()) {
      return new Opened(json, content, 0, "", Optional.empty(), false);
    }
    if (written.isMissingNode()) {
      String flaw = "carries no seal of the controller";
      return new Opened(json, content, 0, "", Optional.of(flaw), true);
    }
    Seal seal = new Seal(
        Json.longNumber(written, "sequence"), Json.text(written, "key"), Json.text(written, "mac"));
    SealKeys.Verdict verdict = keys.get().verify(seal, carrier(carrier, annotation), content);
    return new Opened(
        json,
        content,
        seal.sequence(),
        seal.keyId(),
        flaw(verdict, seal),
        verdict == SealKeys.Verdict.UNKNOWN_KEY);
  }

  /**
   * {@return the number of an annotation, not verified; 0 if it has no seal}
   *
   * @throws IllegalArgumentException if the annotation is not a JSON object
   */
  static long unverifiedSequence(String text) {
    return Json.parse(text).path(FIELD).path("sequence").asLong(0);
  }

  private Optional<String> flaw(SealKeys.Verdict verdict, Seal seal) {
    return switch (verdict) {
      case VALID -> Optional.empty();
      case BROKEN ->
        Optional.of("has a seal that does not fit: it was edited, or copied from another object");
      case UNKNOWN_KEY ->
        Optional.of("is sealed with a key that the controller does not have (" + seal.keyId()
            + "; it has " + keys.map(SealKeys::ids).orElse("none") + ")");
    };
  }

  /**
   * {@return the text of a sealed annotation}
   *
   * @param json the content; its seal is replaced
   * @param content the content as text, without a seal
   */
  String seal(
      HasMetadata carrier, String annotation, ObjectNode json, String content, long sequence) {
    if (keys.isEmpty()) {
      return content;
    }
    Seal seal = keys.get().seal(carrier(carrier, annotation), sequence, content);
    json.putObject(FIELD)
        .put("sequence", seal.sequence())
        .put("key", seal.keyId())
        .put("mac", seal.mac());
    return Json.text(json);
  }

  /** {@return the key that seals, empty if there is none} */
  String keyId() {
    return keys.map(present -> present.current().id()).orElse("");
  }

  private static SealedObject carrier(HasMetadata object, String annotation) {
    ObjectKey key = ObjectKey.of(object);
    return new SealedObject(
        annotation,
        Strings.nullToEmpty(object.getMetadata().getUid()),
        key.apiGroup(),
        key.kind(),
        key.namespace(),
        key.name());
  }
}
