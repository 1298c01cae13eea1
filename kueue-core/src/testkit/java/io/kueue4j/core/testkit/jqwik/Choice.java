package io.kueue4j.core.testkit.jqwik;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What a generator has chosen: a number, or the choices of each element of a list. Immutable. */
sealed interface Choice {
  /** {@return the simpler choices to try instead of this one, by dropping elements of lists} */
  Stream<Choice> shorter();

  /** {@return the simpler choices to try instead of this one, by decreasing numbers} */
  Stream<Choice> lower();

  /** {@return the number of elements of lists, elements of inner lists included} */
  long elements();

  /** {@return the sum of the numbers, at most {@link Long#MAX_VALUE}} */
  long sum();

  /**
   * A number that is at least 0.
   *
   * @param value the number
   */
  record Draw(long value) implements Choice {
    @Override
    public Stream<Choice> shorter() {
      return Stream.empty();
    }

    @Override
    public Stream<Choice> lower() {
      return LongStream.of(0, value / 2, value - 1)
          .filter(lower -> lower >= 0 && lower < value)
          .distinct()
          .mapToObj(Draw::new);
    }

    @Override
    public long elements() {
      return 0;
    }

    @Override
    public long sum() {
      return value;
    }
  }

  /**
   * A list.
   *
   * @param parts the choices of each element
   */
  record Parts(ImmutableList<Sequence> parts) implements Choice {
    @Override
    public Stream<Choice> shorter() {
      int size = parts.size();
      Stream<Choice> dropped = Stream.iterate(size, chunk -> chunk > 0, chunk -> chunk / 2)
          .flatMap(chunk -> IntStream.iterate(size - chunk, from -> from >= 0, from -> from - chunk)
              .mapToObj(from -> without(from, chunk)));
      Stream<Choice> inElements = IntStream.range(0, size)
          .boxed()
          .flatMap(i -> parts.get(i).shorter().map(shorter -> with(i, shorter)));
      return Stream.concat(dropped, inElements);
    }

    @Override
    public Stream<Choice> lower() {
      return IntStream.range(0, parts.size())
          .boxed()
          .flatMap(i -> parts.get(i).lower().map(lower -> with(i, lower)));
    }

    private Parts without(int from, int count) {
      return new Parts(ImmutableList.<Sequence>builder()
          .addAll(parts.subList(0, from))
          .addAll(parts.subList(from + count, parts.size()))
          .build());
    }

    private Parts with(int index, Sequence part) {
      List<Sequence> changed = new ArrayList<>(parts);
      changed.set(index, part);
      return new Parts(ImmutableList.copyOf(changed));
    }

    @Override
    public long elements() {
      return parts.size() + parts.stream().mapToLong(Sequence::elements).sum();
    }

    @Override
    public long sum() {
      return parts.stream().mapToLong(Sequence::sum).reduce(0, Choice::saturatedSum);
    }
  }

  /**
   * Choices that were made one after another.
   *
   * @param choices the choices
   */
  record Sequence(ImmutableList<Choice> choices) {
    static final Sequence EMPTY = new Sequence(ImmutableList.of());

    /** {@return the simpler sequences to try instead of this one, the simplest ones first} */
    Stream<Sequence> simpler() {
      return Stream.concat(shorter(), lower());
    }

    Stream<Sequence> shorter() {
      return IntStream.range(0, choices.size())
          .boxed()
          .flatMap(i -> choices.get(i).shorter().map(shorter -> with(i, shorter)));
    }

    Stream<Sequence> lower() {
      return Stream.concat(
          Stream.of(EMPTY).filter(unused -> sum() > 0),
          IntStream.range(0, choices.size())
              .boxed()
              .flatMap(i -> choices.get(i).lower().map(lower -> with(i, lower))));
    }

    private Sequence with(int index, Choice choice) {
      List<Choice> changed = new ArrayList<>(choices);
      changed.set(index, choice);
      return new Sequence(ImmutableList.copyOf(changed));
    }

    long elements() {
      return choices.stream().mapToLong(Choice::elements).sum();
    }

    long sum() {
      return choices.stream().mapToLong(Choice::sum).reduce(0, Choice::saturatedSum);
    }

    /** {@return the sequence of copies of {@code choices}} */
    static Sequence of(List<Choice> choices) {
      return new Sequence(choices.stream().collect(toImmutableList()));
    }
  }

  /** {@return the sum of two numbers that are at least 0, at most {@link Long#MAX_VALUE}} */
  private static long saturatedSum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }
}
