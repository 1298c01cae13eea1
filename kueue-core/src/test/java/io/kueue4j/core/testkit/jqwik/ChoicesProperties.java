package io.kueue4j.core.testkit.jqwik;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Shrinkable;

class ChoicesProperties {
  /** A value whose second half depends on the first, drawn without knowing that it shrinks. */
  private record Row(int size, ImmutableList<Integer> numbers) {
    static Row draw(Random random) {
      ImmutableList.Builder<Integer> numbers = ImmutableList.builder();
      int size = random.nextInt(20);
      for (int i = 0; i < size; i++) {
        numbers.add(random.nextInt(1000));
      }
      return new Row(size, numbers.build());
    }
  }

  private static <T> Shrinkable<T> smallest(Shrinkable<T> failing, Predicate<T> fails) {
    Optional<Shrinkable<T>> next = Optional.of(failing);
    Shrinkable<T> smallest = failing;
    while (next.isPresent()) {
      smallest = next.get();
      next = smallest.shrink().filter(each -> fails.test(each.value())).findFirst();
    }
    return smallest;
  }

  /** {@return the smallest failing value found from a random one, which must fail as well} */
  private static <T> T smallest(
      Function<? super Choices, ? extends T> generator, Random random, Predicate<T> fails) {
    GeneratedValue<T> first = GeneratedValue.random(generator, random);
    Assume.that(fails.test(first.value()));
    return smallest(first, fails).value();
  }

  @Property(tries = 100)
  void aListShrinksToTheElementsThatFail(@ForAll Random random) {
    List<Integer> smallest = smallest(
        choices -> choices.list(60, each -> each.nextInt(1000)),
        random,
        list -> list.stream().filter(number -> number >= 700).count() >= 2);

    assertThat(smallest).containsExactly(700, 700);
  }

  @Property(tries = 100)
  void elementsOfInnerListsAreDroppedAsWell(@ForAll Random random) {
    List<List<Boolean>> smallest = smallest(
        choices -> choices.list(8, outer -> outer.list(1, 5, Choices::nextBoolean)),
        random,
        lists -> lists.stream().flatMap(List::stream).filter(each -> each).count() >= 3);

    assertThat(smallest.stream().mapToLong(List::size).sum()).isEqualTo(3);
    assertThat(smallest).allMatch(list -> !list.isEmpty());
  }

  @Property(tries = 100)
  void aGeneratorThatKnowsOnlyRandomShrinks(@ForAll Random random) {
    Row smallest = smallest(
        Row::draw, random, row -> row.numbers().stream().anyMatch(number -> number >= 500));

    assertThat(smallest.numbers()).contains(500).allMatch(each -> each == 0 || each == 500);
    assertThat(smallest.numbers()).endsWith(500);
  }

  @Property(tries = 100)
  void allThatRandomDrawsIsRepeated(@ForAll Random random) {
    long seed = random.nextLong();
    Choices first = Choices.ofSeed(seed);
    List<Object> drawn = draws(first);

    assertThat(draws(Choices.repeating(first.recorded()))).isEqualTo(drawn);
    assertThat(draws(Choices.ofSeed(seed))).isEqualTo(drawn);
  }

  private static List<Object> draws(Choices choices) {
    List<Object> drawn = new ArrayList<>();
    drawn.add(choices.nextInt());
    drawn.add(choices.nextLong());
    drawn.add(choices.nextDouble());
    drawn.add(choices.nextGaussian());
    drawn.add(choices.nextInt(-5, Integer.MAX_VALUE));
    drawn.add(choices.oneIn(3));
    drawn.add(choices.of("a", "b", "c"));
    drawn.add(choices.of(List.of(1, 2, 3)));
    drawn.add(choices.list(4, each -> each.list(2, Choices::nextInt)));
    drawn.add(choices.shuffled(List.of(1, 2, 3, 4, 5)));
    drawn.add(choices.ints(3, 0, 10).boxed().toList());
    return drawn;
  }

  @Property(tries = 100)
  void numbersAreWithinTheirBounds(@ForAll Random random) {
    Choices choices = Choices.of(random);
    List<Integer> drawn = choices.list(50, each -> each.nextInt(-3, 4));

    assertThat(drawn).allMatch(number -> number >= -3 && number < 4).hasSize(50);
    assertThat(drawn.stream().distinct()).hasSizeGreaterThan(3);
  }

  @Property(tries = 50)
  void eachStepOfShrinkingIsSmaller(@ForAll Random random) {
    Shrinkable<Row> value = GeneratedValue.random(Row::draw, random);

    value.shrink().forEach(smaller -> assertThat(smaller.distance()).isLessThan(value.distance()));
  }

  /** With the simplest choices this generator would never end. */
  @Example
  void aGeneratorThatWaitsForAChoiceIsNotShrunkForEver() {
    Function<Choices, Integer> patient = choices -> {
      int drawn = choices.nextInt(10);
      while (drawn < 5) {
        drawn = choices.nextInt(10);
      }
      return drawn;
    };

    assertThat(GeneratedValue.random(patient, new Random(1)).shrink())
        .allMatch(smaller -> smaller.value() >= 5);
  }

  @Example
  void whatIsRareShrinksAway() {
    Shrinkable<Boolean> rare = GeneratedValue.random(choices -> choices.oneIn(2), new Random(5));

    assertThat(smallest(rare, each -> true).value()).isFalse();
  }

  /** A stack that may hold three at most, found out while it is filled. */
  @Property(tries = 50)
  void aRunShrinksToTheChoicesUntilItFails(@ForAll Random random) {
    Arbitrary<Run> runs = Run.of(choices -> {
      int pushed = choices.fold(40, 0, (size, each) -> {
        boolean pushes = each.nextBoolean();
        choices.note("%s", pushes ? "push" : "pop");
        assertThat(size).isLessThan(4);
        return pushes ? size + 1 : Math.max(0, size - 1);
      });
      assertThat(pushed).isNotNegative();
    });
    Shrinkable<Run> run = runs.generator(1000).next(random);
    Predicate<Run> fails = each -> catchThrowable(each::check) != null;
    Assume.that(fails.test(run.value()));

    assertThat(smallest(run, fails).value())
        .hasToString("push\n    push\n    push\n    push\n    pop");
  }

  @Example
  void aRunThrowsWhatTheTestThrows() {
    Arbitrary<Run> runs = Run.of(choices -> {
      throw new IllegalStateException("thrown " + choices.nextInt(1));
    });

    assertThatIllegalStateException()
        .isThrownBy(() -> runs.generator(1000).next(new Random(0)).value().check())
        .withMessage("thrown 0");
  }

  @Example
  void aListIsNotSmallerThanItsMinimum() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Choices.ofSeed(0).list(3, 2, Choices::nextInt))
        .withMessage("minSize 3, expected 0 to the size 2");
  }

  @Example
  void anOperationIsPrintedInWords() {
    Operation<List<String>> add = Operation.run("add a", list -> list.add("a"));
    Operation<List<String>> size = Operation.of("size", List::size);
    List<String> list = new ArrayList<>();

    assertThat(add.on(list)).isEqualTo("done");
    assertThat(size.on(list)).isEqualTo(1);
    assertThat(List.of(add, size)).hasToString("[add a, size]");
  }
}
