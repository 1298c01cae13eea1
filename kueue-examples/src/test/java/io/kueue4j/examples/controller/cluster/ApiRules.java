package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an API server makes of a write: pure functions from the stored object and the one given to
 * the object to store, or to an {@link ApiRefusal}.
 *
 * <p>They hold what fabric8's mock server in CRUD mode lacks: defaults, what may never change or
 * only while a job is suspended, that a write of the object leaves the status alone and one of the
 * status everything else, merge patches that take keys away. Arguments are never modified. A write
 * that changes nothing keeps the resource version, as on a real server, and is no event.
 *
 * <p>Quantities are kept as they are written (a real server writes {@code 0.5} as {@code 500m}),
 * and unknown fields are kept.
 */
public final class ApiRules {
  private static final Set<String> WITHOUT_STATUS =
      Set.of("Event", "Lease", "PriorityClass", "WorkloadPriorityClass", "ResourceFlavor");
  private static final List<String> FIXED_METADATA = List.of(
      "uid",
      "creationTimestamp",
      "deletionTimestamp",
      "deletionGracePeriodSeconds",
      "generateName",
      "selfLink");

  private final Map<String, KindRules> kinds;

  private ApiRules(ServerVersion version) {
    this.kinds = Map.of(
        "Job.batch", new JobRules(version),
        "JobSet.jobset.x-k8s.io", new JobSetRules(),
        "Pod", new PodRules());
  }

  /** {@return the rules of a release} */
  public static ApiRules of(ServerVersion version) {
    return new ApiRules(version);
  }

  /** Adds the fields that the server writes into new objects. */
  record Stamp(String uid, String nameSuffix, String resourceVersion, Instant time) {}

  ObjectNode create(ObjectNode given, Stamp stamp) {
    ObjectNode object = given.deepCopy();
    ObjectNode metadata = Trees.child(object, "metadata");
    if (metadata.path("name").asText("").isEmpty()) {
      if (metadata.path("generateName").asText("").isEmpty()) {
        throw ApiRefusal.invalid(
            ObjectKey.of(object),
            List.of("metadata.name: Required value: name or generateName is required"));
      }
      metadata.put("name", metadata.path("generateName").asText() + stamp.nameSuffix());
    }
    if (!metadata.path("resourceVersion").asText("").isEmpty()) {
      throw ApiRefusal.badRequest("resourceVersion should not be set on objects to be created");
    }
    metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
    metadata.put("uid", stamp.uid());
    metadata.put("creationTimestamp", text(stamp.time()));
    metadata.put("generation", 1);
    metadata.put("resourceVersion", stamp.resourceVersion());
    // The kubelet creates its Node with the status; a status of other clients is dropped.
    if (hasStatus(object) && !object.path("kind").asText().equals("Node")) {
      object.remove("status");
    }
    KindRules rules = rules(object);
    rules.prepareForCreate(object);
    check(object, rules.violations(object));
    return object;
  }

  /** {@return {@code old} itself if nothing changes} */
  ObjectNode replace(ObjectNode old, ObjectNode given, String resourceVersion) {
    ObjectNode now = withOwnMetadata(old, given);
    if (hasStatus(old)) {
      Trees.set(now, "status", old.get("status"));
    }
    KindRules rules = rules(old);
    check(now, rules.violations(now));
    check(now, rules.violations(old.deepCopy(), now));
    return store(old, now, resourceVersion);
  }

  /** {@return {@code old} itself if nothing changes} */
  ObjectNode replaceStatus(ObjectNode old, ObjectNode given, String resourceVersion) {
    withOwnMetadata(old, given);
    if (!hasStatus(old)) {
      throw ApiRefusal.notFound(ObjectKey.of(old));
    }
    ObjectNode now = old.deepCopy();
    Trees.set(now, "status", given.get("status"));
    check(now, rules(old).statusViolations(old, now));
    return store(old, now, resourceVersion);
  }

  /** Rejects a write of an object other than the stored one, or of another version of it. */
  void checkPreconditions(ObjectNode old, ObjectNode given) {
    withOwnMetadata(old, given);
  }

  /** {@return the object that waits for its finalizers after a deletion; null if there are none} */
  Optional<ObjectNode> delete(ObjectNode old, Stamp stamp) {
    if (Trees.same(Trees.at(old, "metadata", "finalizers"), null)) {
      return Optional.empty();
    }
    if (isDeleting(old)) {
      return Optional.of(old);
    }
    ObjectNode now = old.deepCopy();
    ObjectNode metadata = Trees.child(now, "metadata");
    metadata.put("deletionTimestamp", text(stamp.time()));
    metadata.put("deletionGracePeriodSeconds", 0);
    metadata.put("generation", metadata.path("generation").asInt() + 1);
    metadata.put("resourceVersion", stamp.resourceVersion());
    return Optional.of(now);
  }

  /** {@return whether a stored object must be removed, because no finalizer is left} */
  static boolean isGone(ObjectNode object) {
    return isDeleting(object) && Trees.same(Trees.at(object, "metadata", "finalizers"), null);
  }

  static boolean isDeleting(JsonNode object) {
    return Trees.at(object, "metadata").has("deletionTimestamp");
  }

  static boolean isOwnedBy(JsonNode object, String uid) {
    return Trees.at(object, "metadata", "ownerReferences") instanceof ArrayNode owners
        && owners.findValuesAsText("uid").contains(uid);
  }

  /** The given object with what of its metadata only the server may write; checks the lock. */
  private static ObjectNode withOwnMetadata(ObjectNode old, ObjectNode given) {
    ObjectKey key = ObjectKey.of(old);
    if (!key.equals(ObjectKey.of(given))) {
      throw ApiRefusal.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(ObjectKey.of(given), key));
    }
    JsonNode storedMetadata = old.path("metadata");
    JsonNode givenMetadata = given.path("metadata");
    String uid = givenMetadata.path("uid").asText("");
    if (!uid.isEmpty() && !uid.equals(storedMetadata.path("uid").asText())) {
      throw ApiRefusal.otherUid(key, uid, storedMetadata.path("uid").asText());
    }
    String version = givenMetadata.path("resourceVersion").asText("");
    if (!version.isEmpty()
        && !version.equals(storedMetadata.path("resourceVersion").asText())) {
      throw ApiRefusal.modified(key);
    }
    ObjectNode now = given.deepCopy();
    ObjectNode metadata = Trees.child(now, "metadata");
    for (String field : FIXED_METADATA) {
      Trees.set(metadata, field, storedMetadata.get(field));
    }
    Trees.set(metadata, "generation", storedMetadata.get("generation"));
    Trees.set(metadata, "resourceVersion", storedMetadata.get("resourceVersion"));
    return now;
  }

  private static ObjectNode store(ObjectNode old, ObjectNode now, String resourceVersion) {
    if (Trees.same(old, now)) {
      return old;
    }
    ObjectNode metadata = Trees.child(now, "metadata");
    if (!Trees.same(old.get("spec"), now.get("spec"))) {
      metadata.put("generation", metadata.path("generation").asInt() + 1);
    }
    metadata.put("resourceVersion", resourceVersion);
    return now;
  }

  private static void check(ObjectNode object, List<String> causes) {
    if (!causes.isEmpty()) {
      throw ApiRefusal.invalid(ObjectKey.of(object), causes);
    }
  }

  private static boolean hasStatus(JsonNode object) {
    return !WITHOUT_STATUS.contains(object.path("kind").asText());
  }

  private KindRules rules(ObjectNode object) {
    return kinds.getOrDefault(ObjectKey.of(object).qualifiedKind(), KindRules.NONE);
  }

  /** Times of objects have no fractions of seconds. */
  static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
