package io.kueue4j.core.internal.versioned;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map of the state, in the order of insertion. Its values are immutable. Not thread-safe. */
public final class VersionedMap<K, V> {
  private final Journal journal;
  private Map<K, V> entries = new LinkedHashMap<>();

  private record Entry<K, V>(K key, @Nullable V value) {}

  /** Creates an empty map. */
  public VersionedMap(Journal journal) {
    this.journal = journal;
  }

  /** {@return the value of a key, null if there is none} */
  public @Nullable V get(K key) {
    return entries.get(key);
  }

  /** Sets the value of a key, null to remove it. */
  public void set(K key, @Nullable V value) {
    journal.add(VersionedMap::restore, this, new Entry<>(key, entries.get(key)));
    restore(new Entry<>(key, value));
  }

  private void restore(Entry<K, V> entry) {
    if (entry.value == null) {
      entries.remove(entry.key);
    } else {
      entries.put(entry.key, entry.value);
    }
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
