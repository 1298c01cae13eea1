package io.kueue4j.core.internal.versioned;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map of the state, in the order of insertion. Its values are immutable. Not thread-safe. */
public final class VersionedMap<K, V> {
  private final Journal journal;
  private Map<K, V> entries = new LinkedHashMap<>();

  private record Before<K, V>(K key, @Nullable V value) {}

  /** Creates an empty map. */
  public VersionedMap(Journal journal) {
    this.journal = journal;
  }

  /** {@return the value of a key, null if there is none} */
  public @Nullable V get(K key) {
    return entries.get(key);
  }

  /**
   * Sets the value of a key, null to remove it.
   *
   * @return the value before, null for none
   */
  @CanIgnoreReturnValue
  public @Nullable V set(K key, @Nullable V value) {
    V before = put(key, value);
    journal.add(VersionedMap::restore, this, new Before<>(key, before));
    return before;
  }

  private @Nullable V put(K key, @Nullable V value) {
    return value == null ? entries.remove(key) : entries.put(key, value);
  }

  private void restore(Before<K, V> before) {
    V unused = put(before.key, before.value);
  }

  /**
   * Removes all entries.
   *
   * @return the entries
   */
  public Map<K, V> clear() {
    Map<K, V> all = entries;
    if (!all.isEmpty()) {
      journal.add(VersionedMap::restoreAll, this, all);
      entries = new LinkedHashMap<>();
    }
    return all;
  }

  private void restoreAll(Map<K, V> before) {
    entries = before;
  }

  /** {@return the entries; a view} */
  public Map<K, V> all() {
    return Collections.unmodifiableMap(entries);
  }
}
