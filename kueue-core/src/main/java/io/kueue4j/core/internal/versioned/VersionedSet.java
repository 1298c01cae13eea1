package io.kueue4j.core.internal.versioned;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.AbstractIterator;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set of the state. Not thread-safe.
 *
 * <p>The elements are immutable, at least in what they are ordered by. A copy shares them with the
 * original, and takes time only for every {@value #MOST_IN_CHUNK}th element.
 */
public final class VersionedSet<E> implements Iterable<E> {
  /*
   * The elements are in chunks, in order; a change moves the elements of one chunk at most. The
   * chunks are shared with copies: a set changes only those that have its mark, and copies the
   * others first. A copy takes the mark off all chunks of the original at once, because the original
   * gets a new one.
   *
   * Most sets are small, or change at their ends, where nothing moves.
   */
  static final int MOST_IN_CHUNK = 512;

  private static final int FEWEST_SLOTS = 2;

  /** The most slots that an empty set keeps for what is added next. */
  private static final int MOST_SLOTS_OF_EMPTY = 8;

  private static final Chunk[] NONE = {};

  private final Journal journal;
  private final Comparator<? super E> order;

  /** The chunk if there is only one, which saves most sets an array; may be empty. */
  private @Nullable Chunk only;

  /** The chunks if there is none or more than one. */
  private Chunk[] chunks = NONE;

  private int size;
  private Object mark = this;

  /** Whether {@link #chunks} is not shared with a copy. */
  private boolean ownsChunks = true;

  /**
   * Some elements in order, from {@code start} to before {@code end}; empty only if it is alone.
   */
  private static final class Chunk {
    private final Object mark;
    private @Nullable Object[] elements;
    private int start;
    private int end;

    Chunk(Object mark, @Nullable Object[] elements, int start, int end) {
      this.mark = mark;
      this.elements = elements;
      this.start = start;
      this.end = end;
    }

    int size() {
      return end - start;
    }

    Object at(int index) {
      return requireNonNull(elements[start + index]);
    }

    Chunk part(Object newMark, int from, int to) {
      return new Chunk(
          newMark, Arrays.copyOfRange(elements, start + from, start + to), 0, to - from);
    }

    void insert(int index, Object element) {
      if (index == 0 && start > 0) {
        start--;
      } else {
        if (end == elements.length) {
          makeRoom();
        }
        int at = start + index;
        System.arraycopy(elements, at, elements, at + 1, end - at);
        end++;
      }
      elements[start + index] = element;
    }

    /**
     * Makes room at the end: moves the elements to the front if half of the slots there are free.
     */
    private void makeRoom() {
      @Nullable
      Object[] roomy = start > size()
          ? elements
          : new @Nullable Object[Math.max(FEWEST_SLOTS, size() + size() / 2 + 1)];
      int count = size();
      System.arraycopy(elements, start, roomy, 0, count);
      Arrays.fill(roomy, count, Math.min(roomy.length, Math.max(end, count)), null);
      elements = roomy;
      start = 0;
      end = count;
    }

    void remove(int index) {
      int at = start + index;
      if (index < size() / 2) {
        System.arraycopy(elements, start, elements, start + 1, index);
        elements[start] = null;
        start++;
      } else {
        System.arraycopy(elements, at + 1, elements, at, end - at - 1);
        end--;
        elements[end] = null;
      }
    }
  }

  /** Creates an empty set. */
  public VersionedSet(Journal journal, Comparator<? super E> order) {
    this.journal = journal;
    this.order = order;
  }

  /** {@return an empty set in natural order} */
  public static <E extends Comparable<E>> VersionedSet<E> inNaturalOrder(Journal journal) {
    return new VersionedSet<>(journal, Comparator.<E>naturalOrder());
  }

  /**
   * Takes the elements of another set, unrecorded; later changes to either are not visible in the
   * other.
   */
  public void share(VersionedSet<E> origin) {
    only = origin.only;
    chunks = origin.chunks;
    size = origin.size;
    ownsChunks = false;
    origin.ownsChunks = false;
    origin.mark = new Object();
  }

  /** {@return a set with the same elements; changes to either are not visible in the other} */
  public VersionedSet<E> copy(Journal journalOfCopy) {
    VersionedSet<E> copy = new VersionedSet<>(journalOfCopy, order);
    copy.share(this);
    return copy;
  }

  /**
   * Takes a copy of each element of another set, unrecorded.
   *
   * @param copies copies an element, which keeps its place in the order
   */
  public void copy(VersionedSet<E> origin, UnaryOperator<E> copies) {
    share(origin);
    for (int c = 0; c < chunkCount(); c++) {
      Chunk chunk = own(c);
      for (int i = chunk.start; i < chunk.end; i++) {
        chunk.elements[i] = copies.apply(element(requireNonNull(chunk.elements[i])));
      }
    }
  }

  // ----- look-ups

  /** {@return whether there are no elements} */
  public boolean isEmpty() {
    return size == 0;
  }

  /** {@return the number of elements} */
  public int size() {
    return size;
  }

  /** {@return the first element; there must be one} */
  public E first() {
    return element(chunk(0).at(0));
  }

  @SuppressWarnings("unchecked") // only elements are stored
  private E element(Object stored) {
    return (E) stored;
  }

  /**
   * {@return whether an element is in the set, and not only one with the same place in the order}
   */
  public boolean contains(E element) {
    int c = chunkOf(element);
    int index = c < 0 ? -1 : indexIn(chunk(c), element);
    return index >= 0 && chunk(c).at(index).equals(element);
  }

  private int chunkCount() {
    return only != null ? 1 : chunks.length;
  }

  private Chunk chunk(int c) {
    return only != null ? only : chunks[c];
  }

  /** {@return the chunk that an element is in or belongs to, negative if there are none} */
  private int chunkOf(E probe) {
    int low = 0;
    int high = chunkCount() - 1;
    // Most look-ups are for the first elements.
    if (high > 0 && order.compare(lastOf(0), probe) >= 0) {
      return 0;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (order.compare(lastOf(middle), probe) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private E lastOf(int c) {
    return element(chunk(c).at(chunk(c).size() - 1));
  }

  /** {@return the index of an element, or minus the index where it belongs, less 1} */
  private int indexIn(Chunk chunk, E probe) {
    int low = 0;
    int high = chunk.size() - 1;
    if (high < 0) {
      return -1;
    }
    // Most changes are at the ends.
    int byFirst = order.compare(probe, element(chunk.at(0)));
    if (byFirst <= 0) {
      return byFirst == 0 ? 0 : -1;
    }
    int byLast = order.compare(probe, element(chunk.at(high)));
    if (byLast >= 0) {
      return byLast == 0 ? high : -(high + 2);
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      int byMiddle = order.compare(probe, element(chunk.at(middle)));
      if (byMiddle == 0) {
        return middle;
      } else if (byMiddle < 0) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return -(high + 1);
  }

  @Override
  public Iterator<E> iterator() {
    return iterator(0, 0);
  }

  /** {@return the elements that are not before {@code probe}, in order} */
  public Iterator<E> from(E probe) {
    int c = chunkOf(probe);
    int index = c < 0 ? 0 : indexIn(chunk(c), probe);
    return iterator(Math.max(c, 0), index < 0 ? -(index + 1) : index);
  }

  private Iterator<E> iterator(int firstChunk, int firstIndex) {
    return new AbstractIterator<>() {
      private int c = firstChunk;
      private int index = firstIndex;

      @Override
      protected @Nullable E computeNext() {
        if (c < chunkCount() && index == chunk(c).size()) {
          c++;
          index = 0;
        }
        return c == chunkCount() ? endOfData() : element(chunk(c).at(index++));
      }
    };
  }

  /** {@return the elements, in order} */
  public List<E> toList() {
    List<E> all = new ArrayList<>(size);
    for (E element : this) {
      all.add(element);
    }
    return all;
  }

  // ----- changes

  /**
   * Adds an element.
   *
   * @return whether it was absent
   */
  @CanIgnoreReturnValue
  public boolean add(E element) {
    int c = chunkOf(element);
    int index = c < 0 ? -1 : indexIn(chunk(c), element);
    if (index >= 0) {
      return false;
    }
    // First, so that nothing changes unrecorded.
    journal.add(VersionedSet<E>::remove, this, element);
    insert(c, -(index + 1), element);
    return true;
  }

  /**
   * Removes an element, but no other with the same place in the order.
   *
   * @return whether it was present
   */
  @CanIgnoreReturnValue
  public boolean remove(E element) {
    int c = chunkOf(element);
    int index = c < 0 ? -1 : indexIn(chunk(c), element);
    if (index < 0 || !chunk(c).at(index).equals(element)) {
      return false;
    }
    journal.add(VersionedSet<E>::add, this, element(chunk(c).at(index)));
    delete(c, index);
    return true;
  }

  /** Adds or removes an element. */
  public void set(E element, boolean present) {
    boolean unused = present ? add(element) : remove(element);
  }

  private void insert(int c, int index, E element) {
    if (c < 0) {
      @Nullable Object[] slots = new @Nullable Object[FEWEST_SLOTS];
      slots[0] = element;
      replace(0, 0, new Chunk(mark, slots, 0, 1));
    } else if (chunk(c).size() == MOST_IN_CHUNK) {
      Chunk full = chunk(c);
      // A set that grows at an end fills its chunks.
      int middle = index == MOST_IN_CHUNK ? MOST_IN_CHUNK - 1 : index == 0 ? 1 : MOST_IN_CHUNK / 2;
      replace(c, 1, full.part(mark, 0, middle), full.part(mark, middle, MOST_IN_CHUNK));
      boolean inSecond = index > middle;
      chunks[inSecond ? c + 1 : c].insert(inSecond ? index - middle : index, element);
    } else {
      own(c).insert(index, element);
    }
    size++;
  }

  private void delete(int c, int index) {
    if (chunk(c).size() == 1 && (only == null || only.elements.length > MOST_SLOTS_OF_EMPTY)) {
      replace(c, 1);
    } else {
      Chunk chunk = own(c);
      chunk.remove(index);
      if (c + 1 < chunks.length && chunk.size() + chunks[c + 1].size() <= MOST_IN_CHUNK / 4) {
        replace(c, 2, merged(chunk, chunks[c + 1]));
      }
    }
    size--;
  }

  private Chunk merged(Chunk first, Chunk second) {
    @Nullable Object[] elements = new @Nullable Object[first.size() + second.size()];
    System.arraycopy(first.elements, first.start, elements, 0, first.size());
    System.arraycopy(second.elements, second.start, elements, first.size(), second.size());
    return new Chunk(mark, elements, 0, elements.length);
  }

  /** {@return a chunk that may be changed} */
  @SuppressWarnings("ReferenceEquality") // which set's mark it is
  private Chunk own(int c) {
    if (only != null) {
      only = only.mark == mark ? only : only.part(mark, 0, size);
      return only;
    }
    if (chunks[c].mark != mark) {
      Chunk copy = chunks[c].part(mark, 0, chunks[c].size());
      if (!ownsChunks) {
        chunks = chunks.clone();
        ownsChunks = true;
      }
      chunks[c] = copy;
    }
    return chunks[c];
  }

  /** Replaces some chunks by others. */
  private void replace(int from, int count, Chunk... others) {
    Chunk[] before = only == null ? chunks : new Chunk[] {only};
    Chunk[] changed = new Chunk[before.length - count + others.length];
    System.arraycopy(before, 0, changed, 0, from);
    System.arraycopy(others, 0, changed, from, others.length);
    System.arraycopy(
        before, from + count, changed, from + others.length, before.length - from - count);
    only = changed.length == 1 ? changed[0] : null;
    chunks = only == null ? changed : NONE;
    ownsChunks = true;
  }
}
