package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Preconditions;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Operations validate, then decide, then commit: a commit reports no errors. */
class CommitStructureTest {
  private static final String INTERNAL = "io.kueue4j.core.internal.";

  /** Where operations and their consequences are; what they use below are stores and values. */
  private static final Set<String> PACKAGES = Set.of(
      INTERNAL + "operation", INTERNAL + "transition", INTERNAL + "elastic", INTERNAL + "variant");

  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPaths(CompiledClasses.of(AdmissionEngine.class));

  /** The methods that a commit reaches, each with one that calls it. */
  private static final Map<JavaCodeUnit, String> COMMITTING = reached();

  private static Map<JavaCodeUnit, String> reached() {
    Map<JavaCodeUnit, String> reached = new LinkedHashMap<>();
    Queue<JavaCodeUnit> next = new ArrayDeque<>();
    CLASSES.stream()
        .filter(type -> type.getPackageName().equals(INTERNAL + "operation"))
        .flatMap(type -> type.getCodeUnits().stream())
        .filter(unit -> unit.getName().startsWith("commit"))
        .forEach(unit -> {
          reached.put(unit, "a commit");
          next.add(unit);
        });
    while (!next.isEmpty()) {
      JavaCodeUnit from = next.remove();
      uses(from)
          .flatMap(used -> used.stream())
          .filter(unit -> PACKAGES.contains(unit.getOwner().getPackageName()))
          .filter(unit -> reached.putIfAbsent(unit, from.getFullName()) == null)
          .forEach(next::add);
    }
    return reached;
  }

  /** {@return the methods that a method calls or refers to, as far as they are in the module} */
  private static Stream<Set<JavaCodeUnit>> uses(JavaCodeUnit unit) {
    return Stream.concat(
            unit.getCallsFromSelf().stream().map(JavaAccess::getTarget),
            unit.getMethodReferencesFromSelf().stream().map(JavaAccess::getTarget))
        .map(AccessTarget.CodeUnitAccessTarget.class::cast)
        .map(target -> target.resolveMember().map(Set::<JavaCodeUnit>of).orElse(Set.of()));
  }

  @Test
  void commitsReachTransitions() {
    assertThat(COMMITTING.keySet())
        .extracting(unit -> unit.getOwner().getSimpleName() + "." + unit.getName())
        .contains(
            "AttemptCommitter.admit",
            "WorkloadTransitions.evict",
            "ElasticSlices.settle",
            "VariantSettlement.settle");
  }

  @Test
  void aCommitNeitherValidatesNorDecides() {
    assertThat(COMMITTING)
        .allSatisfy((unit, caller) -> assertThat(unit.getName())
            .as(caller)
            .doesNotStartWith("validate")
            .isNotEqualTo("decide"));
  }

  @Test
  void aCommitReportsNoErrors() {
    assertThat(COMMITTING).allSatisfy((unit, caller) -> {
      List<String> errors = unit.getCallsFromSelf().stream()
          .filter(call -> call.getTargetOwner().isAssignableTo(RuntimeException.class)
              || call.getTargetOwner().isEquivalentTo(Preconditions.class))
          .map(JavaAccess::getDescription)
          .toList();
      assertThat(errors).as("%s, reached from %s", unit.getFullName(), caller).isEmpty();
    });
  }
}
