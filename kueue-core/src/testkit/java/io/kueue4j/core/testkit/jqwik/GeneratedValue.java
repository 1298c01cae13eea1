package io.kueue4j.core.testkit.jqwik;

import io.kueue4j.core.testkit.jqwik.Choice.Sequence;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.ShrinkingDistance;

/**
 * A value that shrinks by being generated again from simpler choices.
 *
 * @param generator the generator
 * @param choices the choices that the generator made
 * @param value what it has built from them
 */
record GeneratedValue<T>(
    Function<? super Choices, ? extends T> generator, Sequence choices, T value)
    implements Shrinkable<T> {
  static <T> GeneratedValue<T> random(
      Function<? super Choices, ? extends T> generator, Random random) {
    return of(generator, Choices.of(random));
  }

  private static <T> GeneratedValue<T> of(
      Function<? super Choices, ? extends T> generator, Choices choices) {
    T value = generator.apply(choices);
    return new GeneratedValue<>(generator, choices.recorded(), value);
  }

  @Override
  public Stream<Shrinkable<T>> shrink() {
    ShrinkingDistance distance = distance();
    return choices
        .simpler()
        .flatMap(this::from)
        .filter(smaller -> smaller.distance().compareTo(distance) < 0)
        .map(smaller -> smaller);
  }

  private Stream<GeneratedValue<T>> from(Sequence simpler) {
    try {
      return Stream.of(of(generator, Choices.repeating(simpler)));
    } catch (Choices.NeverEndingException neverEnding) {
      return Stream.empty();
    }
  }

  @Override
  public ShrinkingDistance distance() {
    return ShrinkingDistance.of(choices.elements(), choices.sum());
  }
}
