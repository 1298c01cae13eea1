package io.kueue4j.examples.controller.object;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Longs;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The newest known version of each object, regardless of late and repeated events.
 *
 * <p>An object with another uid is another object. Of two objects, and of two versions of an
 * object, the one with the greater {@code resourceVersion} is newer; a version without it is always
 * new.
 */
public final class ObjectCache {
  private static final int MAX_GONE = 20_000;

  private final NavigableMap<ObjectKey, HasMetadata> present = new TreeMap<>();
  private final Map<ObjectKey, Sighting> gone = new LinkedHashMap<>();

  /** What distinguishes versions of an object. */
  private record Sighting(String uid, long version) {
    static Sighting of(HasMetadata object) {
      return new Sighting(
          Strings.nullToEmpty(object.getMetadata().getUid()), ObjectCache.version(object));
    }
  }

  /** {@return the version of an object as a number, -1 if it has none} */
  public static long version(HasMetadata object) {
    Long version = Longs.tryParse(Strings.nullToEmpty(object.getMetadata().getResourceVersion()));
    return version == null ? -1 : version;
  }

  /**
   * Receives an event.
   *
   * @return the object after the change, or before its deletion; empty if the event is outdated
   */
  public Optional<HasMetadata> follow(ClusterEvent event) {
    ObjectKey key = ObjectKey.of(event.object());
    HasMetadata known = present.get(key);
    Sighting last = known == null ? gone.get(key) : Sighting.of(known);
    Sighting seen = Sighting.of(event.object());
    long version = seen.version();
    long lastVersion = last == null ? -1 : last.version();
    boolean isSame = last != null && last.uid().equals(seen.uid());
    if (event.isDeleted()) {
      if (!isSame && version >= 0 && version < lastVersion) {
        return Optional.empty();
      }
      gone.remove(key);
      gone.put(key, isSame ? new Sighting(seen.uid(), Math.max(version, lastVersion)) : seen);
      if (gone.size() > MAX_GONE) {
        gone.remove(gone.keySet().iterator().next());
      }
      // Only the name of a deleted object may be known.
      return Optional.ofNullable(present.remove(key));
    }
    if (version >= 0 && (version <= lastVersion || (known == null && isSame))) {
      return Optional.empty();
    }
    gone.remove(key);
    present.put(key, event.object());
    return Optional.of(event.object());
  }

  public Optional<HasMetadata> get(ObjectKey key) {
    return Optional.ofNullable(present.get(key));
  }

  /** {@return the object, empty if there is none of that class} */
  public <T> Optional<T> get(ObjectKey key, Class<T> type) {
    return get(key).filter(type::isInstance).map(type::cast);
  }

  /** {@return the objects of a kind, by namespace and name} */
  public <T> ImmutableList<T> all(String group, String kind, Class<T> type) {
    return present.tailMap(new ObjectKey(group, kind, "", ""), true).entrySet().stream()
        .takeWhile(entry -> entry.getKey().is(group, kind))
        .map(entry -> type.cast(entry.getValue()))
        .collect(ImmutableList.toImmutableList());
  }
}
