package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * For any null, missing or malformed field of a job of any kind: the job is converted, or an error
 * names the field.
 */
class DamagedJobsTest {
  private static final Map<String, ResourceFlavor> FLAVORS =
      Jobs.flavors(ResourceFlavor.of("plain"));
  private static final SubmissionPolicy POLICY = SubmissionPolicy.builder()
      .resource("cpu")
      .schedulerName("other")
      .message("wrong scheduler")
      .thorough(true)
      .build();

  static ImmutableList<String> kinds() {
    return DamagedJobs.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theWholeJobIsConverted(String kind) {
    Object tree = DamagedJobs.tree(kind);
    assertThat(new Uses().of(fromText(tree)))
        .allMatch(conversion -> conversion instanceof JobConversion.Converted)
        .isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyOtherFormInAManifestIsReadOrNamed(String kind) {
    List<String> failures = new ArrayList<>();
    DamagedJobs.forEachOtherForm(
        DamagedJobs.tree(kind), (damage, tree) -> readManifest(damage, tree, failures));
    assertThat(failures).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyNullInAManifestIsReadOrNamed(String kind) {
    List<String> failures = new ArrayList<>();
    DamagedJobs.forEachNull(
        DamagedJobs.tree(kind), (damage, tree) -> readManifest(damage, tree, failures));
    assertThat(failures).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyNullInAnObjectIsReadOrNamed(String kind) {
    List<String> failures = new ArrayList<>();
    DamagedJobs.forEachNull(DamagedJobs.tree(kind), (damage, tree) -> {
      Optional<HasMetadata> job = fromTree(tree);
      try {
        if (job.isPresent()) {
          var unused = new Uses().of(job.get());
        }
      } catch (RuntimeException | AssertionError e) {
        failures.add(damage + ": " + trace(e));
      }
    });
    assertThat(failures).isEmpty();
  }

  private static void readManifest(String damage, Object tree, List<String> failures) {
    try {
      KindManifests.WORKLOADS.convertAll(fromText(tree)).forEach(conversion -> {
        if (conversion instanceof JobConversion.Invalid invalid) {
          Uses.checkNamed(invalid.violations());
        }
      });
    } catch (ManifestException e) {
      if (e.problems().stream().anyMatch(issue -> issue.field().isEmpty())) {
        failures.add(damage + ": " + e.getMessage());
      }
    } catch (RuntimeException | AssertionError e) {
      failures.add(damage + ": " + trace(e));
    }
  }

  private static String trace(Throwable e) {
    return e + " at "
        + List.of(e.getStackTrace()).subList(0, Math.min(e.getStackTrace().length, 3));
  }

  private static HasMetadata fromText(Object tree) {
    try {
      Manifest manifest = ManifestReader.create()
          .read(ManifestSource.of("job.yaml", Jobs.MAPPER.writeValueAsString(tree)))
          .items()
          .get(0);
      return manifest.as(type(manifest.group(), manifest.kind()));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  /** The object as read by a client; empty if Jackson rejects it. */
  private static Optional<HasMetadata> fromTree(Object tree) {
    Map<String, Object> fields = RawTree.mapping(tree);
    String version = String.valueOf(fields.get("apiVersion"));
    String group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    try {
      return Optional.of(
          Jobs.MAPPER.convertValue(tree, type(group, String.valueOf(fields.get("kind")))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Class<? extends HasMetadata> type(String group, String kind) {
    return JobKinds.all().type(group, kind).orElse(GenericKubernetesResource.class);
  }

  /** Performs all operations on a job. */
  private static final class Uses {
    List<JobConversion> of(HasMetadata job) {
      if (job.getKind().equals("ClusterTrainingRuntime")) {
        GenericKubernetesResource train = KindManifests.get("TrainJob");
        return of(
            JobKinds.all(JobKinds.TrainingRuntimes.of(List.of((GenericKubernetesResource) job))),
            train);
      }
      List<JobConversion> conversions = new ArrayList<>(of(KindManifests.KINDS, job));
      if (job instanceof Pod pod) {
        Pod first = PodGroup.member(pod, "g", 2, "");
        Pod second = new PodBuilder(first)
            .editOrNewMetadata()
            .withName("b")
            .endMetadata()
            .build();
        Pod third = PodGroup.member(Jobs.pod("other"), "g", 2, "role");
        if ("team-a".equals(first.getMetadata().getNamespace())) {
          conversions.addAll(of(KindManifests.KINDS, PodGroup.of(List.of(first, second))));
          conversions.addAll(of(KindManifests.KINDS, PodGroup.of(List.of(first, third))));
        }
      }
      return conversions;
    }

    private static <J extends HasMetadata> List<JobConversion> of(JobKinds kinds, J job) {
      JobWorkloads workloads = JobWorkloads.builder()
          .kinds(kinds)
          .addWorkloadPriorityClasses(new WorkloadPriorityClass("high", 7))
          .addPriorityClasses(new PriorityClassBuilder()
              .withNewMetadata()
              .withName("p")
              .endMetadata()
              .withValue(3)
              .build())
          .build();
      JobKind<J> kind = kinds.get(job);
      List<JobConversion> conversions = workloads.convertAll(job);
      for (JobConversion conversion : conversions) {
        if (conversion instanceof JobConversion.Invalid invalid) {
          checkNamed(invalid.violations());
        } else if (conversion instanceof JobConversion.Converted converted) {
          ask(() -> WorkloadWriter.of(KueueApiVersion.V1BETA2, workloads)
              .write(job, converted.workload()));
        }
      }
      ask(() -> kind.outcome(job));
      ask(() -> kind.isActive(job));
      ask(() -> kind.podsReady(job));
      ask(() -> kind.isSuspended(job));
      ask(() -> kind.reclaimablePods(job));
      ask(() -> kind.priorityClassName(job));
      ask(() -> JobSync.of(kinds).form(job));
      ask(() -> SubmissionPolicy.check(kinds, job, Map.of(), List.of(POLICY)));
      ask(() -> JobEditor.of(kinds).suspend(job));
      ask(() -> startAndStop(kinds, job, conversions.get(0)));
      return conversions;
    }

    /** {@return the job after it has been started and stopped, as far as it can be} */
    private static <J extends HasMetadata> J startAndStop(
        JobKinds kinds, J job, JobConversion conversion) {
      JobEditor editor = JobEditor.of(kinds);
      JobSnapshot snapshot = editor.snapshot(job);
      if (conversion instanceof JobConversion.Converted converted) {
        Workload workload = converted.workload();
        J started = editor.start(job, workload, Jobs.admission(workload, "plain"), FLAVORS);
        return editor.stop(started, snapshot);
      }
      return job;
    }

    private static void ask(Supplier<?> question) {
      try {
        var unused = question.get();
      } catch (InvalidConfigurationException e) {
        checkNamed(e.violations());
      } catch (JobStartException e) {
        // Reports why it cannot be started or stopped, as for an undamaged job.
      }
    }

    private static void checkNamed(List<Violation> violations) {
      assertThat(violations)
          .isNotEmpty()
          .allSatisfy(violation -> assertThat(violation.field()).isNotEmpty());
    }
  }
}
