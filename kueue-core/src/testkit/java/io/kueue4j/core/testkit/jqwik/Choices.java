package io.kueue4j.core.testkit.jqwik;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.kueue4j.core.testkit.jqwik.Choice.Draw;
import io.kueue4j.core.testkit.jqwik.Choice.Parts;
import io.kueue4j.core.testkit.jqwik.Choice.Sequence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntConsumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import org.jspecify.annotations.Nullable;

/**
 * The random choices from which a generator builds a value, recorded so that the value shrinks.
 * {@link #arbitrary} turns a generator, which is ordinary code, into an arbitrary: a failing value
 * is generated again from simpler choices, in which lists have fewer elements and numbers are
 * closer to 0. So a generator that chooses the simplest case at 0 shrinks to that.
 *
 * <pre>{@code
 * @Provide
 * Arbitrary<List<Operation<AdmissionEngine>>> calls() {
 *   return Choices.lists(60, choices -> choices.oneIn(2)
 *       ? Operation.of("cycle", AdmissionEngine::runCycle)
 *       : submit(choices.nextInt(10)));
 * }
 * }</pre>
 *
 * <p>The value must depend on nothing but the choices, and be immutable. Elements that are drawn by
 * {@link #list} shrink one by one; where a loop draws them, simpler choices for one change the
 * meaning of those that follow. Not thread-safe.
 */
public final class Choices extends Random {
  private static final long serialVersionUID = 1;

  /** More choices than this are missing only if a generator tries until it likes a choice. */
  private static final int MAX_MISSING = 10_000;

  /** The source of new choices, null if choices are repeated. */
  private final transient @Nullable Random source;

  private transient Iterator<Choice> repeated = Collections.emptyIterator();
  private transient List<Choice> recorded = new ArrayList<>();
  private transient int missing;
  private final transient List<String> notes = new ArrayList<>();

  private Choices(@Nullable Random source) {
    super(0);
    this.source = source;
  }

  /** {@return choices that are determined by {@code seed}} */
  public static Choices ofSeed(long seed) {
    return new Choices(new Random(seed));
  }

  static Choices of(Random source) {
    return new Choices(source);
  }

  /** {@return choices that repeat {@code choices}, and are 0 where these are missing} */
  static Choices repeating(Sequence choices) {
    Choices repeating = new Choices(null);
    repeating.repeated = choices.choices().iterator();
    return repeating;
  }

  /**
   * {@return values that are built by {@code generator}, and shrink}
   *
   * @param generator builds an immutable value from choices alone
   */
  public static <T> Arbitrary<T> arbitrary(Function<? super Choices, ? extends T> generator) {
    return Arbitraries.fromGenerator(random -> GeneratedValue.random(generator, random));
  }

  /**
   * {@return lists of {@code size} elements built by {@code generator}, which shrink to shorter
   * lists of simpler elements}
   */
  public static <T> Arbitrary<List<T>> lists(
      int size, Function<? super Choices, ? extends T> generator) {
    return arbitrary(choices -> choices.list(size, generator));
  }

  /** {@return {@code size} elements, or less when the list shrinks} */
  public <T> List<T> list(int size, Function<? super Choices, ? extends T> generator) {
    return list(0, size, generator);
  }

  /**
   * Draws a list.
   *
   * @param minSize the size to which it may shrink
   * @param size the size
   * @param generator builds an element
   */
  public <T> List<T> list(int minSize, int size, Function<? super Choices, ? extends T> generator) {
    checkArgument(
        minSize >= 0 && minSize <= size, "minSize %s, expected 0 to the size %s", minSize, size);
    ImmutableList<Sequence> old = ImmutableList.of();
    int count = size;
    if (source == null) {
      old = repeated.hasNext() && repeated.next() instanceof Parts parts
          ? parts.parts()
          : ImmutableList.of();
      count = Math.max(minSize, Math.min(size, old.size()));
    }
    Iterator<Choice> repeatedAfterwards = repeated;
    List<Choice> recordedBefore = recorded;
    List<Sequence> parts = new ArrayList<>();
    ImmutableList.Builder<T> elements = ImmutableList.builder();
    try {
      for (int i = 0; i < count; i++) {
        repeated = (i < old.size() ? old.get(i) : Sequence.EMPTY).choices().iterator();
        recorded = new ArrayList<>();
        elements.add(draw(generator, parts));
      }
      return elements.build();
    } finally {
      repeated = repeatedAfterwards;
      recorded = recordedBefore;
      recorded.add(new Parts(ImmutableList.copyOf(parts)));
    }
  }

  /** Draws an element, and records its choices even if the generator fails. */
  private <T> T draw(Function<? super Choices, ? extends T> generator, List<Sequence> parts) {
    try {
      return generator.apply(this);
    } finally {
      parts.add(recorded());
    }
  }

  /** {@return the choices made so far} */
  Sequence recorded() {
    return Sequence.of(recorded);
  }

  /**
   * Draws the steps from one value to the next.
   *
   * @param size the number of steps; there are fewer when it shrinks
   * @param first the first value
   * @param step returns the next value
   * @return the last value
   */
  public <T> T fold(int size, T first, BiFunction<? super T, ? super Choices, ? extends T> step) {
    List<T> last = new ArrayList<>();
    last.add(first);
    repeat(size, number -> last.set(0, step.apply(last.get(0), this)));
    return last.get(0);
  }

  /**
   * Makes steps, each of which may draw choices.
   *
   * @param size the number of steps; there are fewer when it shrinks
   * @param step makes the step of that number, counted from 0
   */
  public void repeat(int size, IntConsumer step) {
    AtomicInteger number = new AtomicInteger();
    List<Integer> unused = list(size, each -> {
      step.accept(number.get());
      return number.getAndIncrement();
    });
  }

  /** Notes what has been chosen or done, for the sample that a failing {@link Run} prints. */
  @FormatMethod
  public void note(@FormatString String format, @Nullable Object... values) {
    notes.add(String.format(Locale.ROOT, format, values));
  }

  List<String> notes() {
    return ImmutableList.copyOf(notes);
  }

  /** {@return true with probability 1 / {@code times}; false is the simplest choice} */
  public boolean oneIn(int times) {
    return nextInt(times) == times - 1;
  }

  /** {@return one of {@code values}; the first one is the simplest} */
  public <T> T of(List<T> values) {
    return values.get(nextInt(values.size()));
  }

  /** {@return one of {@code values}; the first one is the simplest} */
  @SafeVarargs
  public final <T> T of(T... values) {
    return values[nextInt(values.length)];
  }

  /** {@return {@code values} in any order} */
  public <T> List<T> shuffled(List<T> values) {
    List<T> shuffled = new ArrayList<>(values);
    Collections.shuffle(shuffled, this);
    return ImmutableList.copyOf(shuffled);
  }

  /** {@return some of {@code values}, in any order} */
  public <T> List<T> someOf(List<T> values) {
    return shuffled(values).subList(0, nextInt(values.size() + 1));
  }

  @Override
  public boolean nextBoolean() {
    return nextInt(2) != 0;
  }

  @Override
  public int nextInt(int bound) {
    return nextInt(0, bound);
  }

  @Override
  public int nextInt(int origin, int bound) {
    checkArgument(origin < bound, "bound %s, expected more than %s", bound, origin);
    long range = (long) bound - origin;
    return (int) (origin + choose(range, source == null ? 0 : source.nextLong(range)));
  }

  @Override
  protected int next(int bits) {
    return (int) choose(1L << bits, source == null ? 0 : source.nextLong(1L << bits));
  }

  /** {@return {@code fresh}, or the repeated choice if there is one} */
  private long choose(long bound, long fresh) {
    long choice = fresh;
    if (source == null) {
      if (repeated.hasNext()) {
        choice = repeated.next() instanceof Draw draw ? Math.min(draw.value(), bound - 1) : 0;
      } else if (++missing > MAX_MISSING) {
        throw new NeverEndingException();
      }
    }
    recorded.add(new Draw(choice));
    return choice;
  }

  /** Thrown when a generator never ends with the simplest choices. */
  static final class NeverEndingException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
