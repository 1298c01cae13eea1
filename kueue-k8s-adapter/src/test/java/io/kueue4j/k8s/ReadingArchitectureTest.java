package io.kueue4j.k8s;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.common.collect.Lists;
import com.google.errorprone.annotations.CheckReturnValue;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.kueue4j.core.internal.support.Internal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReadingArchitectureTest {
  private static final String ROOT = "io.kueue4j.k8s";

  /** Every package may use only packages before it; the root comes after all. */
  private static final List<String> LAYERS = List.of(
      "metrics",
      "manifest",
      "internal.yaml",
      "pod",
      "internal.pod",
      "internal.tpu",
      "internal.topology",
      "topology",
      "internal.dra",
      "kueue",
      "internal.kueue",
      "status",
      "job",
      "internal.job");

  private static final Set<String> API = Stream.concat(
          Stream.of(ROOT),
          LAYERS.stream()
              .filter(layer -> !layer.startsWith("internal."))
              .map(layer -> ROOT + "." + layer))
      .collect(toSet());

  private static final JavaClasses CLASSES = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .importPackages(ROOT);

  /** What users read first, and what a release can never take back. */
  @Test
  void theApiHasFewTypes() {
    assertThat(CLASSES.stream()
            .filter(type -> API.contains(type.getPackageName())
                && type.isTopLevelClass()
                && type.getModifiers().contains(JavaModifier.PUBLIC)))
        .hasSizeLessThanOrEqualTo(45);
  }

  @Test
  void internalPackagesAreMarkedAndOthersAreNot() {
    assertThat(CLASSES)
        .allSatisfy(type -> assertThat(type.getPackage().isAnnotatedWith(Internal.class))
            .as(type.getName())
            .isNotEqualTo(API.contains(type.getPackageName())));
  }

  @Test
  void internalTypesDoNotAppearInTheApi() {
    assertThat(CLASSES.stream()
            .filter(type -> API.contains(type.getPackageName()) && isVisible(type))
            .flatMap(type -> Stream.concat(
                visibleUnits(type)
                    .filter(unit -> shows(unit, ReadingArchitectureTest::isInternal))
                    .map(JavaCodeUnit::getFullName),
                Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream())
                    .filter(ReadingArchitectureTest::isInternal)
                    .map(above -> type.getName() + " extends " + above.getName()))))
        .isEmpty();
  }

  private static boolean isInternal(JavaClass type) {
    return type.getPackageName().contains(".internal.");
  }

  @Test
  void releasesAreComparedInTheApi() throws IOException {
    assertThat(Pattern.compile("<include>(io\\.kueue4j[^<]*)</include>")
            .matcher(Files.readString(Path.of("pom.xml")))
            .results()
            .map(result -> result.group(1)))
        .containsExactlyInAnyOrderElementsOf(API);
  }

  @Test
  void resultsMustBeUsed() {
    assertThat(CLASSES.stream().map(JavaClass::getPackage))
        .isNotEmpty()
        .allMatch(each -> each.isAnnotatedWith(CheckReturnValue.class));
  }

  static Stream<Arguments> layers() {
    return IntStream.range(0, LAYERS.size())
        .mapToObj(i -> arguments(
            LAYERS.get(i),
            LAYERS.stream().skip(i + 1L).map(later -> ROOT + "." + later).toArray(String[]::new)));
  }

  @ParameterizedTest
  @MethodSource("layers")
  void aPackageUsesOnlyPackagesBeforeIt(String layer, String[] later) {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "." + layer)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(Lists.asList(ROOT, later).toArray(String[]::new))
        .check(CLASSES);
  }

  @Test
  void everyPackageHasALayer() {
    assertThat(CLASSES.stream().map(JavaClass::getPackageName).collect(toSet()))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(Stream.of(ROOT), LAYERS.stream().map(layer -> ROOT + "." + layer))
                .toList());
  }

  @Test
  void nothingElseDependsOnTheWritersOfStatus() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.kueue4j.k8s.status")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.kueue4j.k8s.status")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("io.kueue4j.k8s.status")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.kueue4j.k8s",
            "io.kueue4j.k8s.job",
            "io.kueue4j.k8s.internal.yaml",
            "io.kueue4j.k8s.pod")
        .check(CLASSES);
  }

  @Test
  void onlyOnePackageParsesYaml() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.kueue4j.k8s.internal.yaml")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.snakeyaml..")
        .check(CLASSES);
  }

  /** Guava stays inside, so that users need not have it to compile. */
  @Test
  void collectionsOfTheApiAreOfTheJdk() {
    assertThat(CLASSES.stream()
            .filter(type -> API.contains(type.getPackageName()) && isVisible(type))
            .flatMap(ReadingArchitectureTest::visibleUnits)
            .filter(unit ->
                shows(unit, shown -> shown.getPackageName().startsWith("com.google.common")))
            .map(JavaCodeUnit::getFullName)
            .distinct())
        .isEmpty();
  }

  private static Stream<JavaCodeUnit> visibleUnits(JavaClass type) {
    return Stream.<JavaCodeUnit>concat(
            type.getAllMethods().stream(), type.getConstructors().stream())
        .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC)
            && !unit.getModifiers().contains(JavaModifier.SYNTHETIC));
  }

  private static boolean shows(JavaCodeUnit unit, Predicate<JavaClass> type) {
    return Stream.concat(unit.getParameterTypes().stream(), Stream.of(unit.getReturnType()))
        .flatMap(shown -> shown.getAllInvolvedRawTypes().stream())
        .anyMatch(type);
  }

  private static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().filter(outer -> !isVisible(outer)).isEmpty();
  }

  @Test
  void jacksonIsNoPartOfTheApi() {
    DescribedPredicate<JavaClass> jackson =
        JavaClass.Predicates.resideInAPackage("com.fasterxml.jackson..");
    methods()
        .that()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .arePublic()
        .should()
        .notHaveRawReturnType(jackson)
        .check(CLASSES);
    classes()
        .that()
        .arePublic()
        .and()
        .resideInAnyPackage(
            "io.kueue4j.k8s",
            "io.kueue4j.k8s.kueue",
            "io.kueue4j.k8s.internal.kueue",
            "io.kueue4j.k8s.status")
        .should()
        .onlyDependOnClassesThat(DescribedPredicate.not(jackson))
        .check(CLASSES);
  }
}
