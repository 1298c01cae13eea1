package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.internal.yaml.Elements;
import io.kueue4j.k8s.internal.yaml.FieldPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether a job still matches its workload.
 *
 * <p>Compares the name and uid of the job, its maximum execution time, the number and order of its
 * pod sets, and of each the counts, the complete containers, and the tolerations. Labels,
 * annotations, node selectors, affinity, priority, volumes, overhead and queue are not compared: a
 * start changes some of them, and changes of the others are handled separately.
 *
 * <p>If a suspended job differs, its workload is replaced; a running job is stopped first.
 *
 * <p>Immutable and thread-safe. Rules: J-3.
 *
 * @since 0.1.0
 */
public final class JobSync {
  private final JobKinds kinds;

  private JobSync(JobKinds kinds) {
    this.kinds = kinds;
  }

  /** {@return an instance for jobs of these kinds} */
  public static JobSync of(JobKinds kinds) {
    return new JobSync(kinds);
  }

  /**
   * {@return the form of {@code job}; take it when the workload is created}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if its pod sets cannot be read
   * @throws IllegalArgumentException if the kind of the job is unknown
   */
  public <J extends HasMetadata> Form form(J job) {
    return new Form(
        JobMetadata.name(job),
        Strings.nullToEmpty(JobMetadata.metadata(job).getUid()),
        new JobMetadata(job, ImmutableList.<Violation>builder()).maximumExecutionTimeSeconds(),
        podSets(job).map(JobSync::form).collect(ImmutableList.toImmutableList()));
  }

  /**
   * {@return the pod sets; the pod sets of a group by name, since a start changes what orders them}
   */
  private <J extends HasMetadata> Stream<JobPodSet> podSets(J job) {
    Stream<JobPodSet> podSets = kinds.get(job).podSets(job).stream();
    return job instanceof PodGroup
        ? podSets.sorted(Comparator.comparing(JobPodSet::name))
        : podSets;
  }

  /**
   * {@return how a job without quota differs from its form; empty if it does not}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if the pod sets of the job cannot
   *     be read
   * @throws IllegalArgumentException if the kind of the job is unknown
   */
  public <J extends HasMetadata> List<String> differences(J job, Form form) {
    return differences(form(job), form, false);
  }

  /**
   * {@return how a job with quota differs from its form as it must run; a suspended job may also
   * match its original form}
   *
   * @param admission the admission; its workload may still wait for checks
   * @param admitted whether all checks have passed: then tolerations are not compared
   * @param flavors the flavors by name, at least the flavors of the admission
   * @throws IllegalArgumentException if a flavor is missing
   */
  public <J extends HasMetadata> List<String> differences(
      J job,
      Form form,
      Admission admission,
      boolean admitted,
      Map<String, ResourceFlavor> flavors) {
    Form now = form(job);
    ImmutableList<String> differences =
        differences(now, running(form, admission, flavors), admitted);
    return differences.isEmpty() || !kinds.get(job).isSuspended(job)
        ? differences
        : differences(now, form, admitted);
  }

  private static Form.PodSetForm form(JobPodSet podSet) {
    PodSpec spec = Objects.requireNonNullElseGet(podSet.template().getSpec(), PodSpec::new);
    return new Form.PodSetForm(
        podSet.name(),
        podSet.path(),
        podSet.count(),
        podSet.minCount(),
        copy(spec.getInitContainers()),
        copy(spec.getContainers()),
        Elements.<Toleration>of(spec.getTolerations()).stream()
            .map(toleration -> new TolerationBuilder(toleration).build())
            .collect(ImmutableList.toImmutableList()));
  }

  /**
   * {@return the form with the tolerations of the flavors, and with the admitted counts if the job
   * accepts fewer pods}
   */
  private static Form running(Form form, Admission admission, Map<String, ResourceFlavor> flavors) {
    Map<String, PodSetAssignment> assignments =
        Maps.uniqueIndex(admission.podSetAssignments(), PodSetAssignment::name);
    ImmutableList.Builder<Form.PodSetForm> podSets = ImmutableList.builder();
    for (Form.PodSetForm podSet : form.podSets()) {
      PodSetAssignment assignment = assignments.get(podSet.name());
      podSets.add(assignment == null ? podSet : running(podSet, assignment, flavors));
    }
    return new Form(form.name(), form.uid(), form.maximumExecutionTimeSeconds(), podSets.build());
  }

  private static Form.PodSetForm running(
      Form.PodSetForm podSet, PodSetAssignment assignment, Map<String, ResourceFlavor> flavors) {
    return new Form.PodSetForm(
        podSet.name(),
        podSet.path(),
        podSet.minCount().isPresent() ? assignment.count() : podSet.count(),
        podSet.minCount(),
        podSet.initContainers(),
        podSet.containers(),
        PodTemplateEditor.tolerations(
            podSet.tolerations(), PodSetInfo.tolerations(assignment, flavors)));
  }

  private static ImmutableList<String> differences(Form now, Form then, boolean ignoreTolerations) {
    List<String> differences = new ArrayList<>();
    compare("metadata.name", now.name(), then.name(), differences);
    compare("metadata.uid", now.uid(), then.uid(), differences);
    compare(
        MetadataKeys.label(MetadataKeys.MAX_EXEC_TIME_SECONDS),
        text(now.maximumExecutionTimeSeconds()),
        text(then.maximumExecutionTimeSeconds()),
        differences);
    if (now.podSets().size() != then.podSets().size()) {
      compare(
          "pod sets",
          Lists.transform(now.podSets(), Form.PodSetForm::name),
          Lists.transform(then.podSets(), Form.PodSetForm::name),
          differences);
      return ImmutableList.copyOf(differences);
    }
    for (int i = 0; i < now.podSets().size(); i++) {
      compare(now.podSets().get(i), then.podSets().get(i), ignoreTolerations, differences);
    }
    return ImmutableList.copyOf(differences);
  }

  private static void compare(
      Form.PodSetForm now,
      Form.PodSetForm then,
      boolean ignoreTolerations,
      List<String> differences) {
    String podSet = "pod set " + now.name() + ": ";
    compare(podSet + "count", now.count(), then.count(), differences);
    compare(podSet + "minimum", text(now.minCount()), text(then.minCount()), differences);
    String spec = podSet + FieldPath.join(now.path(), "spec") + ".";
    if (!PodContainers.same(now.initContainers(), then.initContainers())) {
      differences.add(spec + "initContainers is edited");
    }
    if (!PodContainers.same(now.containers(), then.containers())) {
      differences.add(spec + "containers is edited");
    }
    if (!ignoreTolerations && !now.tolerations().equals(then.tolerations())) {
      differences.add(spec + "tolerations is edited");
    }
  }

  private static void compare(String field, Object now, Object then, List<String> differences) {
    if (!now.equals(then)) {
      differences.add(field + " is " + now + ", was " + then);
    }
  }

  private static String text(OptionalInt number) {
    return number.isPresent() ? String.valueOf(number.getAsInt()) : "none";
  }

  private static ImmutableList<Container> copy(@Nullable List<Container> containers) {
    return Elements.<Container>of(containers).stream()
        .map(container -> new ContainerBuilder(container).build())
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * The parts of a job that its workload depends on: after a change of these, the job no longer
   * matches its admission. Store it with the workload; see {@link JobSync}.
   *
   * @param name the name of the job
   * @param uid the uid of the job, empty if it has none
   * @param maximumExecutionTimeSeconds the maximum execution time, empty for no limit
   * @param podSets the pod sets, in the order of the job
   * @since 0.1.0
   */
  public record Form(
      String name, String uid, OptionalInt maximumExecutionTimeSeconds, List<PodSetForm> podSets) {
    /** Copies what it is given. */
    public Form {
      podSets = ImmutableList.copyOf(podSets);
    }

    /**
     * The form of one pod set.
     *
     * @param name the name of the pod set
     * @param path the field of the job that contains its template
     * @param count the number of pods
     * @param minCount the minimum number of pods, empty if all are needed
     * @param initContainers the complete init containers; not to be modified
     * @param containers the complete containers; not to be modified
     * @param tolerations the tolerations; not to be modified
     */
    public record PodSetForm(
        String name,
        String path,
        int count,
        OptionalInt minCount,
        List<Container> initContainers,
        List<Container> containers,
        List<Toleration> tolerations) {
      /** Copies what it is given. */
      public PodSetForm {
        initContainers = ImmutableList.copyOf(initContainers);
        containers = ImmutableList.copyOf(containers);
        tolerations = ImmutableList.copyOf(tolerations);
      }
    }
  }
}
