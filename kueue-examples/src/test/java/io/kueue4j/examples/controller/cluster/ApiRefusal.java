package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import java.util.List;

/** A write rejected by the API server; code, reason and message are Kubernetes' own. */
public final class ApiRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final String reason;

  private ApiRefusal(int code, String reason, String message) {
    super(message);
    this.code = code;
    this.reason = reason;
  }

  static ApiRefusal notFound(ObjectKey key) {
    return new ApiRefusal(404, "NotFound", key.resourceAndName() + " not found");
  }

  /** {@return the rejection of an unknown path} */
  static ApiRefusal noSuchPath() {
    return new ApiRefusal(404, "NotFound", "the server could not find the requested resource");
  }

  static ApiRefusal forbidden(String what) {
    return new ApiRefusal(403, "Forbidden", "forbidden: User \"client\" cannot " + what);
  }

  static ApiRefusal expired() {
    return new ApiRefusal(410, "Expired", "too old resource version");
  }

  static ApiRefusal alreadyExists(ObjectKey key) {
    return new ApiRefusal(409, "AlreadyExists", key.resourceAndName() + " already exists");
  }

  static ApiRefusal modified(ObjectKey key) {
    return conflict(
        key,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  static ApiRefusal otherUid(ObjectKey key, String given, String stored) {
    return conflict(
        key,
        "Precondition failed: UID in precondition: %s, UID in object meta: %s"
            .formatted(given, stored));
  }

  /**
   * {@return the rejection for a namespace that is being deleted or is wrong}
   *
   * @param message the full message
   */
  static ApiRefusal badRequest(String message) {
    return new ApiRefusal(400, "BadRequest", message);
  }

  static ApiRefusal unsupportedMediaType(String given) {
    return new ApiRefusal(
        415, "UnsupportedMediaType", "the body of the request was in an unknown format: " + given);
  }

  static ApiRefusal invalid(ObjectKey key, List<String> causes) {
    String all = causes.size() == 1 ? causes.get(0) : "[" + String.join(", ", causes) + "]";
    return new ApiRefusal(
        422, "Invalid", "%s \"%s\" is invalid: %s".formatted(key.qualifiedKind(), key.name(), all));
  }

  /** {@return the cause for a change of an immutable field} */
  static String immutable(String path, Object value) {
    return path + ": Invalid value: " + value + ": field is immutable";
  }

  /** {@return the stored form of {@code node} in a message} */
  static String shown(ObjectNode node) {
    return node.toString();
  }

  /** {@return the HTTP status} */
  public int code() {
    return code;
  }

  /** {@return the machine-readable reason, for example {@code Conflict}} */
  public String reason() {
    return reason;
  }

  /** {@return the refusal as the server sends it} */
  public Status toStatus() {
    return new StatusBuilder()
        .withApiVersion("v1")
        .withKind("Status")
        .withStatus("Failure")
        .withCode(code)
        .withReason(reason)
        .withMessage(getMessage())
        .build();
  }

  private static ApiRefusal conflict(ObjectKey key, String why) {
    return new ApiRefusal(
        409, "Conflict", "Operation cannot be fulfilled on " + key.resourceAndName() + ": " + why);
  }
}
