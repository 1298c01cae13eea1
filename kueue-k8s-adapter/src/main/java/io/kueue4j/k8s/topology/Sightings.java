package io.kueue4j.k8s.topology;

import com.google.common.base.Strings;
import com.google.common.primitives.Longs;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Detects late and repeated notifications about objects of one kind.
 *
 * <p>A notification is late if its {@code resourceVersion} is lower than the last one and both are
 * numbers, or if its {@code uid} belongs to a deleted object. The number of remembered deleted
 * objects is limited.
 */
final class Sightings {
  private static final int MAX_GONE = 10_000;

  /** The last notification about an object; a version of -1 is unknown. */
  private record Sighting(String uid, long version) {
    static Sighting of(ObjectMeta metadata) {
      Long version = Longs.tryParse(Strings.nullToEmpty(metadata.getResourceVersion()));
      return new Sighting(
          Strings.nullToEmpty(metadata.getUid()), version == null ? -1 : Math.max(version, -1));
    }

    boolean isOlderThan(Sighting other) {
      return version >= 0 && other.version >= 0 && version < other.version;
    }

    boolean isAnotherThan(Sighting other) {
      return !uid.isEmpty() && !other.uid.isEmpty() && !uid.equals(other.uid);
    }
  }

  private final Map<String, Sighting> present = new LinkedHashMap<>();
  private final Map<String, Boolean> gone = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
      return size() > MAX_GONE;
    }
  };

  /** {@return whether {@code metadata} belongs to the object seen last} */
  boolean isSame(String key, ObjectMeta metadata) {
    Sighting last = present.get(key);
    return last != null && !last.uid().isEmpty() && last.uid().equals(metadata.getUid());
  }

  /** {@return whether the notification about an existing object is new} */
  boolean see(String key, ObjectMeta metadata) {
    Sighting sighting = Sighting.of(metadata);
    Sighting last = present.get(key);
    if (gone.containsKey(sighting.uid()) || (last != null && sighting.isOlderThan(last))) {
      return false;
    }
    if (last != null && sighting.isAnotherThan(last) && last.isOlderThan(sighting)) {
      gone.put(last.uid(), true);
    }
    present.put(key, sighting);
    return true;
  }

  /** {@return whether an object was removed; false if another object of its name exists} */
  boolean lose(String key, ObjectMeta metadata) {
    Sighting sighting = Sighting.of(metadata);
    if (!sighting.uid().isEmpty()) {
      gone.put(sighting.uid(), true);
    }
    Sighting last = present.get(key);
    if (last == null || sighting.isAnotherThan(last)) {
      return false;
    }
    lose(key);
    return true;
  }

  /** {@return whether an object of that key existed, which is removed} */
  @CanIgnoreReturnValue
  boolean lose(String key) {
    Sighting last = present.remove(key);
    if (last != null && !last.uid().isEmpty()) {
      gone.put(last.uid(), true);
    }
    return last != null;
  }

  /** {@return the keys of the existing objects} */
  Set<String> keys() {
    return present.keySet();
  }
}
