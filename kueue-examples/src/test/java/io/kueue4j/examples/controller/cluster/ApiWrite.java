package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A write that changed something in a {@link StrictCluster}.
 *
 * @param revision the resource version that it made; later ones are greater
 * @param actor who wrote, as it called itself
 * @param before the object as it was stored, null if it was created; not to be modified
 * @param after the object as it is stored, null if it is gone; not to be modified
 */
public record ApiWrite(
    long revision,
    String actor,
    Verb verb,
    ObjectKey key,
    @Nullable ObjectNode before,
    @Nullable ObjectNode after) {

  /** Kinds of writes. */
  public enum Verb {
    /** A new object. */
    CREATE,
    /** The object without its status. */
    REPLACE,
    /** The status and nothing else. */
    REPLACE_STATUS,
    /** The object was removed, or waits for its finalizers. */
    DELETE
  }

  /** {@return the object that the write concerns, as it is or was} */
  public ObjectNode object() {
    ObjectNode object = after != null ? after : before;
    if (object == null) {
      throw new IllegalStateException("a write of nothing: " + key);
    }
    return object;
  }

  /** {@return the uid of that object} */
  public String uid() {
    return Trees.at(object(), "metadata", "uid").asText();
  }

  /** {@return the value at a path before the write; missing if there is none} */
  public JsonNode before(String... path) {
    return before == null ? MissingNode.getInstance() : Trees.at(before, path);
  }

  /** {@return the value at a path after the write; missing if there is none} */
  public JsonNode after(String... path) {
    return after == null ? MissingNode.getInstance() : Trees.at(after, path);
  }

  @Override
  public String toString() {
    return "%d %s %s %s".formatted(revision, actor, verb, key.resourceAndName());
  }
}
