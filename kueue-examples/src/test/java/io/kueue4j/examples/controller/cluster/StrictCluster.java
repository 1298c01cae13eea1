package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The storage of an API server, in memory, with {@link ApiRules}.
 *
 * <p>Deterministic and without threads: uids and versions are counted, time comes from the given
 * clock, and nothing happens unless a method is called. Objects go in and out as copies. Every
 * write that changes something is logged and reported to the watchers, in order.
 *
 * <p>Not thread-safe.
 */
public final class StrictCluster {
  /** The actor of setups of tests, and of users. */
  public static final String USER = "user";

  private final ApiRules rules;
  private final InstantSource clock;
  private final NavigableMap<ObjectKey, ObjectNode> objects = new TreeMap<>();
  private final List<ApiWrite> log = new ArrayList<>();
  private final List<Consumer<ApiWrite>> watchers = new ArrayList<>();
  private long revision;

  private StrictCluster(ServerVersion version, InstantSource clock) {
    this.rules = ApiRules.of(version);
    this.clock = clock;
  }

  /** {@return an empty cluster, with the namespace {@code default}} */
  public static StrictCluster create(ServerVersion version, InstantSource clock) {
    StrictCluster cluster = new StrictCluster(version, clock);
    ObjectNode namespace = Trees.parse(
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"default\"}}");
    cluster.create(USER, namespace);
    return cluster;
  }

  /**
   * Stores a new object.
   *
   * @return the stored object
   * @throws ApiRefusal if it exists, its namespace does not, or it is invalid
   */
  @SuppressWarnings("unchecked")
  public <T extends HasMetadata> T create(String actor, T object) {
    return (T) Trees.toObject(create(actor, Trees.of(object)), object.getClass());
  }

  ObjectNode create(String actor, ObjectNode given) {
    ObjectKey namespace = new ObjectKey("", "Namespace", "", ObjectKey.of(given).namespace());
    if (!namespace.name().isEmpty() && !objects.containsKey(namespace)) {
      throw ApiRefusal.notFound(namespace);
    }
    ObjectNode object = rules.create(given, stamp());
    ObjectKey key = ObjectKey.of(object);
    if (objects.containsKey(key)) {
      throw ApiRefusal.alreadyExists(key);
    }
    commit(actor, ApiWrite.Verb.CREATE, key, null, object);
    return object;
  }

  /**
   * Writes an object over the stored one, except its status.
   *
   * @return as stored
   * @throws ApiRefusal if it is not there, has changed since the version given (if any is), or what
   *     may not change would
   */
  @SuppressWarnings("unchecked")
  public <T extends HasMetadata> T replace(String actor, T object) {
    return (T)
        Trees.toObject(update(actor, ApiWrite.Verb.REPLACE, Trees.of(object)), object.getClass());
  }

  /** Writes the status of an object, and nothing else; otherwise as {@link #replace}. */
  @SuppressWarnings("unchecked")
  public <T extends HasMetadata> T replaceStatus(String actor, T object) {
    return (T) Trees.toObject(
        update(actor, ApiWrite.Verb.REPLACE_STATUS, Trees.of(object)), object.getClass());
  }

  ObjectNode update(String actor, ApiWrite.Verb verb, ObjectNode given) {
    ObjectKey key = ObjectKey.of(given);
    ObjectNode old = stored(key);
    ObjectNode now = verb == ApiWrite.Verb.REPLACE
        ? rules.replace(old, given, nextVersion())
        : rules.replaceStatus(old, given, nextVersion());
    if (!now.equals(old)) {
      commit(actor, verb, key, old, ApiRules.isGone(now) ? null : now);
    }
    return now;
  }

  /** Changes the stored version of an object; null means no change. */
  public void edit(String actor, ApiWrite.Verb verb, ObjectKey key, Consumer<ObjectNode> change) {
    ObjectNode edited = stored(key).deepCopy();
    change.accept(edited);
    update(actor, verb, Trees.withoutNulls(edited));
  }

  /**
   * Binds a pod to a node, like the scheduler with the binding sub-resource.
   *
   * @throws IllegalStateException if it is gated, or bound already
   */
  public void bind(ObjectKey pod, String node) {
    ObjectNode old = stored(pod);
    if (!old.at("/spec/schedulingGates").isEmpty() || old.path("spec").has("nodeName")) {
      throw new IllegalStateException(pod + " is gated or bound, and cannot be bound to " + node);
    }
    ObjectNode now = old.deepCopy();
    Trees.child(now, "spec").put("nodeName", node);
    Trees.child(now, "metadata").put("resourceVersion", nextVersion());
    commit("scheduler", ApiWrite.Verb.REPLACE, pod, old, now);
  }

  /**
   * Changes what the first container of a pod requests, like a user with the sub-resource
   * {@code resize}; no effect if the pod has ended.
   */
  public void resize(String actor, ObjectKey pod, String cpus) {
    ObjectNode old = stored(pod);
    ObjectNode now = old.deepCopy();
    ObjectNode container = (ObjectNode) now.at("/spec/containers/0");
    container.withObjectProperty("resources").withObjectProperty("requests").put("cpu", cpus);
    if (!now.equals(old) && !old.at("/status/phase").asText().matches("Succeeded|Failed")) {
      Trees.child(now, "metadata").put("resourceVersion", nextVersion());
      commit(actor, ApiWrite.Verb.REPLACE, pod, old, now);
    }
  }

  /** Applies a JSON merge patch to an object, in which null removes a key. */
  public HasMetadata mergePatch(String actor, ObjectKey key, String patch) {
    ObjectNode merged = Trees.merged(stored(key), Trees.parsePatch(patch));
    return Trees.toObject(update(actor, ApiWrite.Verb.REPLACE, merged));
  }

  /**
   * Deletes an object, or marks it to be deleted if it has finalizers; with a namespace goes what
   * is in it. What the object owns stays until {@link #collectGarbage}.
   *
   * @throws ApiRefusal if it is not there
   */
  public void delete(String actor, ObjectKey key) {
    ObjectNode old = stored(key);
    Optional<ObjectNode> left = rules.delete(old, stamp());
    if (left.isEmpty() || !left.get().equals(old)) {
      commit(actor, ApiWrite.Verb.DELETE, key, old, left.orElse(null));
    }
    if (key.kind().equals("Namespace")) {
      keys(contained -> contained.namespace().equals(key.name()))
          .forEach(contained -> delete(actor, contained));
    }
  }

  /** Deletes an object if it is in the version given; otherwise as by its key. */
  public void delete(String actor, HasMetadata object) {
    ObjectNode old = stored(ObjectKey.of(object));
    rules.checkPreconditions(old, Trees.of(object));
    delete(actor, ObjectKey.of(object));
  }

  /** Deletes the objects of deleted owners; returns whether there were any. */
  public boolean collectGarbage() {
    List<String> uids = objects.values().stream()
        .map(object -> Trees.at(object, "metadata", "uid").asText())
        .toList();
    Set<String> alive = new HashSet<>(uids);
    List<ObjectKey> orphans = keys(key -> {
      JsonNode metadata = stored(key).path("metadata");
      List<String> owners = metadata.path("ownerReferences").findValuesAsText("uid");
      // What has finalizers stays until they are removed.
      return !metadata.has("deletionTimestamp")
          && !owners.isEmpty()
          && owners.stream().noneMatch(alive::contains);
    });
    orphans.forEach(orphan -> delete("garbage-collector", orphan));
    return !orphans.isEmpty();
  }

  /** {@return the object as it is stored, empty if there is none} */
  public Optional<HasMetadata> get(ObjectKey key) {
    return Optional.ofNullable(objects.get(key)).map(Trees::toObject);
  }

  /** {@return the object as it is stored, of that class; empty if there is none} */
  public <T extends HasMetadata> Optional<T> get(ObjectKey key, Class<T> type) {
    return Optional.ofNullable(objects.get(key)).map(tree -> Trees.toObject(tree, type));
  }

  /** {@return all objects, by kind and name} */
  public ImmutableList<HasMetadata> list() {
    return objects.values().stream().map(Trees::toObject).collect(ImmutableList.toImmutableList());
  }

  /** {@return the trees of all objects of a kind, by name; not to be modified} */
  public ImmutableList<ObjectNode> trees(String kind) {
    return trees((ObjectKey key) -> key.kind().equals(kind));
  }

  /** {@return the trees of the objects accepted by {@code wanted}, in order; not to be modified} */
  public ImmutableList<ObjectNode> trees(Predicate<ObjectKey> wanted) {
    return keys(wanted).stream().map(this::stored).collect(ImmutableList.toImmutableList());
  }

  /** {@return the version of the last write} */
  long revision() {
    return revision;
  }

  /** {@return the tree of an object, not to be modified; null if there is none} */
  public @Nullable ObjectNode tree(ObjectKey key) {
    return objects.get(key);
  }

  /** {@return the keys accepted by {@code wanted}, in order} */
  public ImmutableList<ObjectKey> keys(Predicate<ObjectKey> wanted) {
    return objects.keySet().stream().filter(wanted).collect(ImmutableList.toImmutableList());
  }

  /** Reports every write to {@code watcher} from now on. */
  public void watch(Consumer<ApiWrite> watcher) {
    watchers.add(watcher);
  }

  /** Ends a {@link #watch}. */
  public void unwatch(Consumer<ApiWrite> watcher) {
    watchers.remove(watcher);
  }

  /** {@return every write so far that changed something; a view} */
  public List<ApiWrite> log() {
    return Collections.unmodifiableList(log);
  }

  private void commit(
      String actor,
      ApiWrite.Verb verb,
      ObjectKey key,
      @Nullable ObjectNode before,
      @Nullable ObjectNode after) {
    revision++;
    if (after == null) {
      objects.remove(key);
    } else {
      objects.put(key, after);
    }
    ApiWrite write = new ApiWrite(revision, actor, verb, key, before, after);
    log.add(write);
    List.copyOf(watchers).forEach(watcher -> watcher.accept(write));
  }

  private ObjectNode stored(ObjectKey key) {
    ObjectNode object = objects.get(key);
    if (object == null) {
      throw ApiRefusal.notFound(key);
    }
    return object;
  }

  private ApiRules.Stamp stamp() {
    String count = Long.toString(revision + 1, 36);
    return new ApiRules.Stamp(
        "00000000-0000-4000-8000-%012d".formatted(revision + 1),
        "0".repeat(5 - Math.min(5, count.length())) + count,
        nextVersion(),
        clock.instant());
  }

  private String nextVersion() {
    return Long.toString(revision + 1);
  }
}
