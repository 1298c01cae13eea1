package io.kueue4j.core.internal.versioned;

import com.google.common.collect.ImmutableList;

/**
 * A multimap of the state: each pair of key and value at most once. Its values are immutable. Not
 * thread-safe.
 */
public final class VersionedMultimap<K, V> {
  private final VersionedMap<K, ImmutableList<V>> values;

  /** Creates an empty multimap. */
  public VersionedMultimap(Journal journal) {
    this.values = new VersionedMap<>(journal);
  }

  /**
   * Takes the entries of another multimap, unrecorded; later changes to either are not visible in
   * the other.
   */
  public void share(VersionedMultimap<K, V> origin) {
    values.share(origin.values);
  }

  /** {@return the values of a key, in the order in which they were added} */
  public ImmutableList<V> get(K key) {
    ImmutableList<V> known = values.get(key);
    return known == null ? ImmutableList.of() : known;
  }

  /** Adds or removes a value of a key; searches all its values. */
  public void set(K key, V value, boolean present) {
    ImmutableList<V> before = get(key);
    if (before.contains(value) == present) {
      return;
    }
    if (present) {
      add(key, value);
    } else if (before.size() == 1) {
      values.set(key, null);
    } else {
      values.set(
          key,
          before.stream()
              .filter(other -> !other.equals(value))
              .collect(ImmutableList.toImmutableList()));
    }
  }

  /** Adds a value that a key does not have. */
  public void add(K key, V value) {
    ImmutableList<V> before = get(key);
    values.set(
        key,
        ImmutableList.<V>builderWithExpectedSize(before.size() + 1)
            .addAll(before)
            .add(value)
            .build());
  }
}
