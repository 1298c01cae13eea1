package io.kueue4j.core;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Sets;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.internal.support.Internal;
import io.kueue4j.core.internal.support.TimeMath;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Layers, purity and the surface of the API. */
class ArchitectureTest {
  private static final String ROOT = "io.kueue4j.core";

  /** Every package may use those before it only; the root comes after all. */
  private static final List<String> LAYERS = List.of(
      "internal.support",
      "internal.versioned",
      "resource",
      "tpu",
      "model",
      "internal.validation",
      "decision",
      "internal.compiled",
      "internal.quota",
      "internal.topology",
      "internal.fleet",
      "internal.usage",
      "internal.lifecycle",
      "internal.attempt",
      "internal.queue",
      "internal.state",
      "internal.fairness",
      "internal.flavor",
      "internal.promise",
      "internal.preemption",
      "internal.cycle",
      "internal.view",
      "internal.assertion",
      "internal.explain",
      "internal.life",
      "internal.operation",
      "internal.remedy");

  /** What uses the facade, and is used by none of the packages before it. */
  private static final List<String> ABOVE_THE_FACADE = List.of("simulation", "lint");

  /** What module-info.java exports. */
  private static final Set<String> EXPORTED = ModuleFinder.of(
          CompiledClasses.of(AdmissionEngine.class))
      .find(ROOT)
      .orElseThrow()
      .descriptor()
      .exports()
      .stream()
      .filter(exports -> !exports.isQualified())
      .map(ModuleDescriptor.Exports::source)
      .collect(toImmutableSet());

  private static final Set<String> API = Sets.union(
      EXPORTED, Set.of(ROOT + ".testkit", ROOT + ".testkit.jqwik", ROOT + ".testkit.reference"));

  /** Of the module and of its testkit, which the build keeps beside the tests. */
  private static final JavaClasses CLASSES = new ClassFileImporter()
      .importPaths(
          CompiledClasses.of(AdmissionEngine.class),
          CompiledClasses.of(ArchitectureTest.class).resolveSibling("testkit-classes"));

  @Test
  void theTestkitIsChecked() {
    assertThat(CLASSES.contain(ROOT + ".testkit.HarnessRun")).isTrue();
    assertThat(CLASSES.contain(ArchitectureTest.class)).isFalse();
  }

  /** What users read first, and what a release can never take back. */
  @Test
  void theApiHasFewTypes() {
    assertThat(CLASSES.stream()
            .filter(type -> EXPORTED.contains(type.getPackageName())
                && type.isTopLevelClass()
                && type.getModifiers().contains(JavaModifier.PUBLIC)))
        .hasSizeLessThanOrEqualTo(110);
  }

  @Test
  void everyCallThatChangesTheEngineReturnsDecisions() {
    assertThat(Stream.of(AdmissionEngine.class, WorkloadLifecycle.class)
            .flatMap(type -> CLASSES.get(type).getMethods().stream())
            .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(method -> method.isAnnotatedWith(CanIgnoreReturnValue.class)
                || method.getRawReturnType().getName().equals("void")))
        .hasSizeGreaterThan(20)
        .allSatisfy(method -> assertThat(method.getRawReturnType().getName())
            .isIn(Decisions.class.getName(), StableRun.class.getName()));
  }

  static Stream<Arguments> layers() {
    return IntStream.range(0, LAYERS.size())
        .mapToObj(i -> Arguments.of(
            LAYERS.get(i), LAYERS.subList(i + 1, LAYERS.size()).toArray(String[]::new)));
  }

  @ParameterizedTest
  @MethodSource("layers")
  void aPackageUsesThoseBeforeItOnly(String layer, String[] later) {
    String[] forbidden = Stream.of(
            Stream.of(later), ABOVE_THE_FACADE.stream(), Stream.of("testkit"))
        .flatMap(names -> names)
        .map(name -> ROOT + "." + name + "..")
        .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(ROOT + "." + layer + "..")
        .should()
        .dependOnClassesThat(JavaClass.Predicates.resideInAnyPackage(forbidden)
            .or(JavaClass.Predicates.resideInAPackage(ROOT)))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  /** What both were to share would be wrong in both. */
  @Test
  void theReferenceModelSharesNothingWithTheEnginesDecisions() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".testkit.reference..")
        .should()
        .dependOnClassesThat(describe(
                "are internal",
                (JavaClass type) -> type.getPackageName().startsWith(ROOT + ".internal.")
                    && !type.getPackageName().endsWith(".support"))
            .or(describe(
                "are of the engine itself",
                type -> type.getPackageName().equals(ROOT)
                    || (type.getPackageName().equals(ROOT + ".decision")
                        && !Set.of(
                                "Settings",
                                "FeatureGate",
                                "KueueFix",
                                "QuotaCheckStrategy",
                                "FairSharingStrategy",
                                "ConsumedUsage")
                            .contains(type.getSimpleName())))))
        .check(CLASSES);
  }

  @Test
  void releasesAreComparedInWhatIsExported() throws IOException {
    assertThat(Pattern.compile("<include>(io\\.kueue4j[^<]*)</include>")
            .matcher(Files.readString(Path.of("pom.xml")))
            .results()
            .map(result -> result.group(1)))
        .containsExactlyInAnyOrderElementsOf(EXPORTED);
  }

  @Test
  void everyPackageHasItsPlaceInTheLayers() {
    assertThat(CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> !name.equals(ROOT))
            .map(name -> name.substring(ROOT.length() + 1))
            .filter(name -> !name.startsWith("testkit"))
            .distinct())
        .isSubsetOf(Sets.union(Set.copyOf(LAYERS), Set.copyOf(ABOVE_THE_FACADE)));
  }

  @Test
  void packagesAreFreeOfCycles() {
    slices().matching("io.kueue4j.(core..)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void nothingReachesOutOfTheProcess() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..", "java.net..")
        .check(CLASSES);
  }

  @Test
  void nothingWritesToTheConsole() {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .accessField(System.class, "in")
        .check(CLASSES);
  }

  @Test
  void timeComesFromTheInjectedSourceOnly() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethodWhere(describe(
            "the time is read from the system",
            call -> call.getTarget().getName().equals("now")
                && Stream.of(
                        Instant.class,
                        LocalDate.class,
                        LocalDateTime.class,
                        OffsetDateTime.class,
                        ZonedDateTime.class)
                    .anyMatch(call.getTargetOwner()::isEquivalentTo)))
        .orShould()
        .dependOnClassesThat(
            belongToAnyOf(Clock.class, java.util.Date.class, java.util.Calendar.class))
        .check(CLASSES);
  }

  /** What a duration or a clock reading can make overflow would make a call fail half-way. */
  @Test
  void arithmeticOnTimesSaturates() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(TimeMath.class.getName())
        .and()
        .resideOutsideOfPackage(ROOT + ".testkit..")
        .should()
        .callMethodWhere(describe(
            "may overflow",
            call -> Set.of(Instant.class.getName(), Duration.class.getName())
                    .contains(call.getTargetOwner().getName())
                && call.getName()
                    .matches("(plus|minus|multiplied|divided|until|negated|abs|toMillis|toNanos"
                        + "|toEpochMilli).*")))
        .check(CLASSES);
  }

  @Test
  void onlyItsOwnPartOfTheTestkitUsesJqwik() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".testkit.jqwik")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("net.jqwik..")
        .check(CLASSES);
  }

  /** But the testkit, whose scenarios come from seeds. */
  @Test
  void nothingIsRandom() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(ROOT + ".testkit.Dice")
        .and()
        .resideOutsideOfPackage(ROOT + ".testkit.jqwik")
        .should()
        .dependOnClassesThat(belongToAnyOf(
            java.util.Random.class,
            java.util.SplittableRandom.class,
            java.util.concurrent.ThreadLocalRandom.class,
            java.security.SecureRandom.class))
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("java.util.random..")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callMethod(UUID.class, "randomUUID")
        .orShould()
        .callMethod(System.class, "identityHashCode", Object.class)
        .check(CLASSES);
  }

  @Test
  void nothingStartsThreads() {
    noClasses()
        .should()
        .dependOnClassesThat(describe(
            "start or hold threads",
            type -> type.isEquivalentTo(Thread.class)
                || type.isEquivalentTo(ThreadLocal.class)
                || type.isAssignableTo(java.util.Timer.class)
                || type.isAssignableTo(java.util.concurrent.Executor.class)
                || type.isEquivalentTo(java.util.concurrent.Executors.class)
                || type.isAssignableTo(java.util.concurrent.CompletableFuture.class)))
        .check(CLASSES);
  }

  @Test
  void onlyMonitorsAreLocks() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.util.concurrent.locks..")
        .check(CLASSES);
  }

  /** Except assertion mode, which compares every field, so that none can be forgotten. */
  @Test
  void nothingReflectsOrLogsOrKnowsKubernetesOrJson() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".internal.assertion")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.lang.reflect..",
            "java.util.logging..",
            "org.slf4j..",
            "org.apache.logging..",
            "io.fabric8..",
            "io.kubernetes..",
            "com.fasterxml..",
            "org.snakeyaml..",
            "org.yaml..")
        .orShould()
        .callMethod(Class.class, "forName", String.class)
        .check(CLASSES);
  }

  private static final DescribedPredicate<JavaClass> API_TYPE = describe(
      "are public in the API",
      type -> API.contains(type.getPackageName())
          && Stream.iterate(
                  type, each -> each != null, each -> each.getEnclosingClass().orElse(null))
              .allMatch(each -> each.getModifiers().contains(JavaModifier.PUBLIC)));

  @Test
  void internalPackagesAreMarkedAndExportedOnesAreNot() {
    classes()
        .that()
        .resideInAnyPackage(ROOT + "..")
        .and(describe(
            "are no part of the testkit", type -> !type.getPackageName().contains("testkit")))
        .should(new ArchCondition<>("be in a package marked @Internal unless it is exported") {
          @Override
          public void check(JavaClass type, ConditionEvents events) {
            boolean right = isInternal(type) != EXPORTED.contains(type.getPackageName());
            events.add(new SimpleConditionEvent(type, right, type.getName()));
          }
        })
        .check(CLASSES);
  }

  @Test
  void internalTypesDoNotAppearInTheApi() {
    classes()
        .that(API_TYPE)
        .should(new ArchCondition<>("have no internal types in their signatures") {
          @Override
          public void check(JavaClass type, ConditionEvents events) {
            type.getCodeUnits().stream()
                .filter(unit -> isVisible(unit.getModifiers()))
                .forEach(unit -> signature(unit)
                    .filter(ArchitectureTest::isInternal)
                    .forEach(used -> events.add(SimpleConditionEvent.violated(
                        unit, unit.getFullName() + " shows " + used.getName()))));
            Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream())
                .filter(ArchitectureTest::isInternal)
                .forEach(above -> events.add(SimpleConditionEvent.violated(
                    type, type.getName() + " extends " + above.getName())));
          }
        })
        .check(CLASSES);
  }

  /** Guava stays inside, so that users need not have it on their module path to compile. */
  @Test
  void collectionsOfTheApiAreOfTheJdk() {
    classes()
        .that(API_TYPE)
        .should(new ArchCondition<>("have no types of Guava in their signatures") {
          @Override
          public void check(JavaClass type, ConditionEvents events) {
            Stream.concat(type.getAllMethods().stream(), type.getConstructors().stream())
                .filter(unit -> isVisible(unit.getModifiers()))
                .forEach(unit -> signature(unit)
                    .filter(used -> used.getPackageName().startsWith("com.google.common"))
                    .forEach(used -> events.add(SimpleConditionEvent.violated(
                        unit, unit.getFullName() + " shows " + used.getName()))));
          }
        })
        .check(CLASSES);
  }

  private static Stream<JavaClass> signature(JavaCodeUnit unit) {
    Stream<JavaType> parameters = unit.getParameterTypes().stream();
    return Stream.concat(parameters, Stream.of(unit.getReturnType()))
        .flatMap(type -> type.getAllInvolvedRawTypes().stream());
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC);
  }

  @Test
  void resultsOfTheApiMustBeUsed() {
    assertThat(CLASSES.stream()
            .map(JavaClass::getPackage)
            .filter(each -> EXPORTED.contains(each.getName())))
        .isNotEmpty()
        .allMatch(each -> each.isAnnotatedWith(CheckReturnValue.class));
  }

  private static boolean isInternal(JavaClass type) {
    return type.getPackage().isAnnotatedWith(Internal.class);
  }

  @Test
  void classesOfTheApiCannotBeExtendedOutside() {
    classes()
        .that(API_TYPE)
        .and()
        .areNotInterfaces()
        .should(new ArchCondition<>("be final, or abstract with hidden constructors only") {
          @Override
          public void check(JavaClass type, ConditionEvents events) {
            boolean isFinal = type.getModifiers().contains(JavaModifier.FINAL);
            boolean isClosed = type.getModifiers().contains(JavaModifier.ABSTRACT)
                && type.getConstructors().stream()
                    .noneMatch(constructor -> isVisible(constructor.getModifiers()));
            events.add(new SimpleConditionEvent(
                type, isFinal || isClosed || type.isEnum(), type.getName()));
          }
        })
        .check(CLASSES);
  }

  @Test
  void publicFieldsAreConstants() {
    fields()
        .that()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .arePublic()
        .should()
        .beStatic()
        .andShould()
        .beFinal()
        .allowEmptyShould(true)
        .check(CLASSES);
  }
}
