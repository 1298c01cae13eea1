package io.kueue4j.examples;

import static com.google.common.collect.ImmutableMultiset.toImmutableMultiset;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import com.google.common.reflect.ClassPath;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The packages of the examples and their allowed dependencies. */
class ArchitectureTest {
  private static final String ROOT = "io.kueue4j.examples";

  private static final JavaClasses CLASSES = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .importPackages(ROOT);

  @Test
  void packagesAreFreeOfCycles() {
    slices().matching("io.kueue4j.(examples..)").should().beFreeOfCycles().check(CLASSES);
  }

  /** Names of all modules but their test kits, since readers and search see them side by side. */
  @Test
  void noNameOfAClassStandsTwice() throws IOException {
    Multiset<String> names = ClassPath.from(ArchitectureTest.class.getClassLoader())
        .getTopLevelClassesRecursive("io.kueue4j")
        .stream()
        .filter(type -> !type.url().getPath().contains("/test-classes/"))
        .filter(type -> !type.getPackageName().contains(".testkit"))
        .map(ClassPath.ClassInfo::getSimpleName)
        .filter(name -> !name.equals("package-info"))
        .collect(toImmutableMultiset());
    assertThat(names.contains("AdmissionEngine")).isTrue();
    assertThat(Multisets.difference(names, HashMultiset.create(names.elementSet())))
        .isEmpty();
  }

  @Test
  void everyPackageSaysWhatItIsFor() {
    classes()
        .should(new ArchCondition<>("be in a package with a package-info") {
          @Override
          public void check(JavaClass type, ConditionEvents events) {
            events.add(new SimpleConditionEvent(
                type, type.getPackage().isAnnotatedWith(NullMarked.class), type.getPackageName()));
          }
        })
        .check(CLASSES);
  }

  @Test
  void onlyTheEntryPointAndTutorialsUseTheCommandLine() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT, ROOT + ".cli", ROOT + ".tutorial")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT, ROOT + ".cli", "picocli..")
        .check(CLASSES);
  }

  @Test
  void nothingUsesTheControllerButItsCommandAndCompanion() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT + ".controller..", ROOT + ".dryrun", ROOT + ".provisioning", ROOT + ".cli")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".controller..")
        .check(CLASSES);
  }

  /** Users copy the controller and the snippets, and internals may change in any release. */
  @Test
  void whatUsersCopyUsesNoInternals() throws IOException {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + ".controller..", ROOT + ".provisioning", ROOT + ".docs..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.kueue4j.core.internal..", "io.kueue4j.k8s.internal..")
        .check(CLASSES);
    for (Path samples : List.of(Path.of("src/it"), Path.of("../kueue-k8s-adapter/src/it"))) {
      try (Stream<Path> files = Files.walk(samples)) {
        assertThat(files.filter(file -> file.toString().endsWith(".java")).toList())
            .isNotEmpty()
            .allSatisfy(file -> assertThat(Files.readString(file))
                .doesNotContainPattern("io\\.kueue4j\\.\\w+\\.internal"));
      }
    }
  }

  @Test
  void thePackagesOfTheControllerHaveADirection() {
    ImmutableList<String> packages = Stream.of(
            ".object", ".write", ".configuration", ".state", ".record", ".job", "")
        .map(name -> ROOT + ".controller" + name)
        .collect(ImmutableList.toImmutableList());
    for (int i = 0; i < packages.size() - 1; i++) {
      noClasses()
          .that()
          .resideInAPackage(packages.get(i))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(packages.subList(i + 1, packages.size()).toArray(String[]::new))
          .check(CLASSES);
    }
  }

  @Test
  void theHarnessIsUsedWhereDecisionsAreCompared() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".cli", ROOT + ".conformance", ROOT + ".docs")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.kueue4j.core.testkit..")
        .check(CLASSES);
  }
}
