package io.kueue4j.core.internal.versioned;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A map of the state, in no particular order. Its values are immutable. Not thread-safe.
 *
 * <p>Maps share their entries in constant time.
 */
public final class VersionedMap<K, V> {
  /*
   * A tree with up to 32 branches at each node, chosen by five bits of the hash of a key. A node has
   * only the branches that are used. Maps share nodes: a map changes only those that have its mark,
   * and copies the others first. Sharing takes the mark off all nodes of the origin at once, because
   * the origin gets a new one.
   */
  private static final int BITS = 5;

  private static final int BRANCH = (1 << BITS) - 1;

  private final Journal journal;
  private @Nullable Node root;
  private int size;
  private Object mark = this;

  /**
   * A node: each branch has two slots, either a key and its value, or null and the node below.
   * Where the bits of the hash are used up, all slots are keys and values with that hash.
   */
  private static final class Node {
    private final Object mark;
    private int branches;
    private @Nullable Object[] slots;

    Node(Object mark, int branches, @Nullable Object[] slots) {
      this.mark = mark;
      this.branches = branches;
      this.slots = slots;
    }

    Node copy(Object newMark) {
      return new Node(newMark, branches, slots.clone());
    }

    /** {@return the slot of a key or of the branch that it is on, or minus the slot, less 1} */
    int slot(Object key, int hash, int shift) {
      if (shift >= Integer.SIZE) {
        for (int slot = 0; slot < slots.length; slot += 2) {
          if (key.equals(slots[slot])) {
            return slot;
          }
        }
        return -(slots.length + 1);
      }
      int bit = bit(hash, shift);
      int slot = 2 * Integer.bitCount(branches & (bit - 1));
      return (branches & bit) != 0 ? slot : -(slot + 1);
    }

    /** {@return the value, or the node below, of the branch at a slot} */
    Object below(int slot) {
      return requireNonNull(slots[slot + 1]);
    }

    void insert(int slot, int bit, Object key, Object value) {
      @Nullable Object[] more = new @Nullable Object[slots.length + 2];
      System.arraycopy(slots, 0, more, 0, slot);
      more[slot] = key;
      more[slot + 1] = value;
      System.arraycopy(slots, slot, more, slot + 2, slots.length - slot);
      slots = more;
      branches |= bit;
    }

    void delete(int slot, int bit) {
      @Nullable Object[] fewer = new @Nullable Object[slots.length - 2];
      System.arraycopy(slots, 0, fewer, 0, slot);
      System.arraycopy(slots, slot + 2, fewer, slot, fewer.length - slot);
      slots = fewer;
      branches &= ~bit;
    }
  }

  /** Creates an empty map. */
  public VersionedMap(Journal journal) {
    this.journal = journal;
  }

  /**
   * Takes the entries of another map, unrecorded; later changes to either are not visible in the
   * other.
   */
  public void share(VersionedMap<K, V> origin) {
    root = origin.root;
    size = origin.size;
    origin.mark = new Object();
  }

  private static int hash(Object key) {
    int hash = key.hashCode();
    // The lower bits choose the first branches.
    return hash ^ (hash >>> 16);
  }

  /** {@return the bit of the branch, 0 where all bits of the hash are used up} */
  private static int bit(int hash, int shift) {
    return shift >= Integer.SIZE ? 0 : 1 << ((hash >>> shift) & BRANCH);
  }

  /** {@return whether there are no entries} */
  public boolean isEmpty() {
    return size == 0;
  }

  /** {@return the number of entries} */
  public int size() {
    return size;
  }

  /** {@return the value of a key, null if there is none} */
  @SuppressWarnings("unchecked") // only values are stored beside keys
  public @Nullable V get(K key) {
    int hash = hash(key);
    Node node = root;
    for (int shift = 0; node != null; shift += BITS) {
      int slot = node.slot(key, hash, shift);
      if (slot < 0) {
        return null;
      }
      Object stored = node.slots[slot];
      if (stored != null) {
        return stored.equals(key) ? (V) node.slots[slot + 1] : null;
      }
      node = (Node) node.slots[slot + 1];
    }
    return null;
  }

  /** Passes each key and value to {@code action}, which must not change the map. */
  public void forEach(BiConsumer<? super K, ? super V> action) {
    if (root != null) {
      forEach(root, action);
    }
  }

  @SuppressWarnings("unchecked") // as stored
  private void forEach(Node node, BiConsumer<? super K, ? super V> action) {
    for (int slot = 0; slot < node.slots.length; slot += 2) {
      if (node.slots[slot] == null) {
        forEach((Node) node.below(slot), action);
      } else {
        action.accept((K) node.slots[slot], (V) node.slots[slot + 1]);
      }
    }
  }

  /** {@return the keys, in no particular order} */
  public List<K> keys() {
    List<K> keys = new ArrayList<>(size);
    forEach((key, value) -> keys.add(key));
    return keys;
  }

  /** {@return the values, in no particular order} */
  public List<V> values() {
    List<V> values = new ArrayList<>(size);
    forEach((key, value) -> values.add(value));
    return values;
  }

  /**
   * Sets the value of a key, null to remove it.
   *
   * @return the value before, null if there was none
   */
  @CanIgnoreReturnValue
  public @Nullable V set(K key, @Nullable V value) {
    V before = get(key);
    if (before != null || value != null) {
      // First, so that nothing changes unrecorded.
      journal.add(VersionedMap<K, V>::setUnrecorded, this, key, before);
      setUnrecorded(key, value);
    }
    return before;
  }

  /**
   * Sets the value of a key, null to remove it, without a record: because the value is an equal
   * copy of the one before, or because the caller records the change.
   */
  public void setUnrecorded(K key, @Nullable V value) {
    int hash = hash(key);
    if (value == null) {
      root = root == null ? null : without(root, key, hash, 0);
    } else {
      root = with(root == null ? new Node(mark, 0, new Object[0]) : root, key, hash, 0, value);
    }
  }

  @SuppressWarnings("ReferenceEquality") // which map's mark it is
  private Node own(Node node) {
    return node.mark == mark ? node : node.copy(mark);
  }

  private Node with(Node node, K key, int hash, int shift, V value) {
    Node own = own(node);
    int slot = own.slot(key, hash, shift);
    if (slot < 0) {
      own.insert(-(slot + 1), bit(hash, shift), key, value);
      size++;
      return own;
    }
    Object stored = own.slots[slot];
    if (stored == null) {
      own.slots[slot + 1] = with((Node) own.below(slot), key, hash, shift + BITS, value);
    } else if (stored.equals(key)) {
      own.slots[slot + 1] = value;
    } else {
      Node below = new Node(mark, 0, new Object[0]);
      int lower = shift + BITS;
      below.insert(0, bit(hash(stored), lower), stored, own.below(slot));
      own.slots[slot + 1] = with(below, key, hash, lower, value);
      own.slots[slot] = null;
    }
    return own;
  }

  /** {@return the node without a key, null if it is empty then} */
  private @Nullable Node without(Node node, K key, int hash, int shift) {
    int slot = node.slot(key, hash, shift);
    if (slot < 0) {
      return node;
    }
    Object stored = node.slots[slot];
    if (stored != null && !stored.equals(key)) {
      return node;
    }
    Node own = own(node);
    if (stored == null) {
      Node below = without((Node) own.below(slot), key, hash, shift + BITS);
      if (below != null && below.slots.length == 2 && below.slots[0] != null) {
        // A single entry needs no node of its own.
        own.slots[slot + 1] = below.slots[1];
        own.slots[slot] = below.slots[0];
        return own;
      }
      if (below != null) {
        own.slots[slot + 1] = below;
        return own;
      }
    } else {
      size--;
    }
    own.delete(slot, bit(hash, shift));
    return own.slots.length == 0 ? null : own;
  }

  /** Removes all entries. */
  public void clear() {
    if (root != null) {
      journal.add(VersionedMap<K, V>::restoreAll, this, root, size);
      restoreAll(null, 0);
    }
  }

  private void restoreAll(@Nullable Node before, int sizeBefore) {
    root = before;
    size = sizeBefore;
  }
}
