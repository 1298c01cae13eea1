package io.kueue4j.core;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.Sets;
import com.google.common.graph.GraphBuilder;
import com.google.common.graph.Graphs;
import com.google.common.graph.MutableGraph;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.operation.LockedEngine;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.quota.Forest;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.usage.UsageLedger;
import io.kueue4j.core.internal.versioned.Journal;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No knots inside of packages, a small facade, and one place that changes the state. */
class StructureTest {
  private static final String ROOT = "io.kueue4j.core";
  private static final String INTERNAL = ROOT + ".internal";

  /** Classes of one package that cannot be understood without each other. */
  private static final int LARGEST_COMPONENT = 10;

  private static final int MOST_TYPES_OF_THE_FACADE = 10;

  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPaths(CompiledClasses.of(AdmissionEngine.class));

  static Stream<String> packages() {
    return CLASSES.stream().map(JavaClass::getPackageName).distinct().sorted();
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(StructureTest::outermost).orElse(type);
  }

  /** {@return who uses whom among the top-level classes of a package} */
  private static MutableGraph<String> uses(String ofPackage) {
    MutableGraph<String> graph = GraphBuilder.directed().allowsSelfLoops(true).build();
    CLASSES.stream().filter(type -> type.getPackageName().equals(ofPackage)).forEach(type -> {
      String user = outermost(type).getName();
      graph.addNode(user);
      type.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType())
          .filter(used -> used.getPackageName().equals(ofPackage))
          .forEach(used -> graph.putEdge(user, outermost(used).getName()));
    });
    return graph;
  }

  @ParameterizedTest
  @MethodSource("packages")
  void noKnotIsLarge(String ofPackage) {
    MutableGraph<String> uses = uses(ofPackage);
    for (String type : uses.nodes()) {
      Set<String> knot = Sets.intersection(
          Graphs.reachableNodes(uses, type), Graphs.reachableNodes(Graphs.transpose(uses), type));
      assertThat(knot)
          .as("classes that %s uses and that use it, directly or not", type)
          .hasSizeLessThanOrEqualTo(LARGEST_COMPONENT);
    }
  }

  @Test
  void knotsAreFound() {
    MutableGraph<String> facade = uses(ROOT);
    assertThat(facade.hasEdgeConnecting(ROOT + ".AdmissionEngine", ROOT + ".EngineView"))
        .isTrue();
    assertThat(facade.hasEdgeConnecting(ROOT + ".EngineView", ROOT + ".AdmissionEngine"))
        .isTrue();
  }

  @Test
  void theFacadeIsSmallAndHidesNothing() {
    Set<JavaClass> types = CLASSES.stream()
        .filter(type -> type.getPackageName().equals(ROOT))
        .filter(JavaClass::isTopLevelClass)
        .filter(type -> !type.getSimpleName().equals("package-info"))
        .collect(toImmutableSet());
    assertThat(types).hasSizeLessThanOrEqualTo(MOST_TYPES_OF_THE_FACADE);
    assertThat(types)
        .allSatisfy(type -> assertThat(type.getModifiers()).contains(JavaModifier.PUBLIC));
  }

  /** The methods that change what the stores consist of. */
  private static final ImmutableSetMultimap<Class<?>, String> CHANGES =
      ImmutableSetMultimap.<Class<?>, String>builder()
          .putAll(PendingQueue.class, "push", "bring", "activate", "leave", "requeue")
          .putAll(PendingQueue.class, "replace", "requeueParked", "releaseDue")
          .putAll(PendingQueue.class, "setStrictFifo", "usageChanged")
          .putAll(QueueState.class, "setQuota", "setPending")
          .putAll(QueueQuota.class, "add", "remove", "replace", "advanceGeneration")
          .putAll(QueueQuota.class, "setWatching")
          .putAll(Forest.class, "own", "remove", "put", "removeCohort", "setActive")
          .putAll(Forest.class, "rebuild", "forgetChanges", "ensureColumns")
          .putAll(Inventories.class, "setTopology", "setNode", "setFlavor")
          .putAll(Inventories.class, "rebuild", "forgetCounts")
          .putAll(Fleets.class, "put", "setPoolSet", "setFlavor", "rebuild")
          .putAll(UsageLedger.class, "setInUse", "open", "close", "penalize", "drop", "settle")
          .putAll(UsageLedger.class, "restore", "sampleUntil")
          .putAll(Journal.class, "add")
          .build();

  private static boolean changesAStore(JavaClass owner, String method) {
    return CHANGES.entries().stream()
        .anyMatch(
            change -> owner.isEquivalentTo(change.getKey()) && method.equals(change.getValue()));
  }

  @Test
  void changesHaveTheirNames() {
    CHANGES.forEach((type, method) -> assertThat(CLASSES.get(type).getMethods())
        .as("methods of %s", type)
        .anyMatch(known -> known.getName().equals(method)));
  }

  /**
   * The packages above the state; those below it are what its stores consist of. Without
   * {@code flavor}, which puts TPU slices into pools in trials.
   */
  private static final ImmutableSet<String> ABOVE_THE_STATE = ImmutableSet.of(
      ROOT,
      INTERNAL + ".fairness",
      INTERNAL + ".promise",
      INTERNAL + ".preemption",
      INTERNAL + ".cycle",
      INTERNAL + ".explain",
      INTERNAL + ".life",
      INTERNAL + ".remedy",
      INTERNAL + ".operation");

  @Test
  void onlyTheStateChangesItsStores() {
    noClasses()
        .that(describe(
            "are above the state", type -> ABOVE_THE_STATE.contains(type.getPackageName())))
        .should()
        .callCodeUnitWhere(describe(
            "changes a store",
            access -> changesAStore(access.getTargetOwner(), access.getTarget().getName())))
        .check(CLASSES);
  }

  @Test
  void onlyTheEngineItselfUsesAssertionMode() {
    noClasses()
        .that()
        .resideOutsideOfPackage(INTERNAL + ".assertion")
        .and()
        .areNotAssignableTo(LockedEngine.class)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(INTERNAL + ".assertion")
        .check(CLASSES);
  }

  @Test
  void storesAreNotOpen() {
    fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(INTERNAL + ".state")
        .and()
        .areNotStatic()
        .should()
        .bePrivate()
        .check(CLASSES);
  }
}
