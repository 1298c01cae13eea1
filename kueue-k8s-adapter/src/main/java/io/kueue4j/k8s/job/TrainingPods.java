package io.kueue4j.k8s.job;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.model.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a TrainJob: the pods of the JobSet in its runtime, with the patches that other
 * controllers have written into the job, and with the number of nodes and the resources from the
 * trainer of the job.
 */
final class TrainingPods {
  private static final String ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step";
  private static final String TRAINER = "trainer";
  private static final String NODE = "node";
  private static final RawPath JOBS = RawPath.of("spec.template.spec.replicatedJobs");
  private static final RawPath POLICY = RawPath.of("spec.mlPolicy");
  private static final RawPath PATCHES = RawPath.of("spec.runtimePatches");
  private static final RawPath PATCHED = RawPath.of("trainingRuntimeSpec.template.spec");
  private static final RawPath NUM_NODES = RawPath.of("spec.trainer.numNodes");

  /** The steps of which a job has exactly one, whatever the runtime says. */
  private static final ImmutableList<String> SINGLE =
      ImmutableList.of("dataset-initializer", "model-initializer", TRAINER);

  private final JobFields job;
  private final JobFields runtime;

  private TrainingPods(JobFields job, JobFields runtime) {
    this.job = job;
    this.runtime = runtime;
  }

  /** Equal jobs of the JobSet. */
  record Replicated(
      String name, String path, PodTemplateSpec template, int replicas, int podsPerJob, int count) {
    String podSetName() {
      return Ascii.toLowerCase(name);
    }

    JobPodSet podSet(PodTemplateSpec effective) {
      return JobPodSet.of(podSetName(), path, effective, count)
          .withIndex(JobPodSet.Index.ofSubGroups(
              BatchJobKind.COMPLETION_INDEX, JobSetKind.JOB_INDEX, replicas));
    }
  }

  /**
   * {@return the jobs of the runtime, in its order; its problems are reported as problems of the
   * job}
   *
   * @param own the patch to ignore, which a start has written
   */
  static ImmutableList<Replicated> read(
      JobFields job, GenericKubernetesResource runtime, RawPath own) {
    Object patched = patched(job, runtime.getAdditionalProperties(), own);
    TrainingPods pods = new TrainingPods(job, new JobFields(GenericJobKind.with(runtime, patched)));
    ImmutableList<Replicated> read = pods.read();
    for (Violation problem : pods.runtime.problems()) {
      job.problem(
          RawPath.of("spec.runtimeRef.name"),
          problem.object() + ": " + problem.field() + ": " + problem.problem());
    }
    return read;
  }

  private ImmutableList<Replicated> read() {
    ImmutableList.Builder<Replicated> jobs = ImmutableList.builder();
    int count = runtime.items(JOBS).size();
    for (int i = 0; i < count; i++) {
      RawPath path = JOBS.item(i);
      String name = runtime.text(path.field("name")).orElse("");
      String step =
          runtime.text(path.fields("template.metadata.labels").field(ANCESTOR)).orElse("");
      RawPath template = path.fields("template.spec.template");
      int replicas =
          SINGLE.contains(step) ? 1 : runtime.count(path.field("replicas")).orElse(1);
      int podsPerJob = podsPerJob(path, name, step);
      jobs.add(new Replicated(
          name,
          template.text(),
          template(template, name, step),
          replicas,
          podsPerJob,
          runtime.product(path.field("replicas"), replicas, podsPerJob)));
    }
    return jobs.build();
  }

  private int podsPerJob(RawPath path, String name, String step) {
    int pods = runtime.count(path.fields("template.spec.parallelism")).orElse(1);
    boolean trains = step.equals(TRAINER);
    if (trains && runtime.isWritten(POLICY)) {
      pods = runtime.count(POLICY.field("numNodes")).orElse(1);
    }
    boolean mpi = runtime.isWritten(POLICY.field("mpi"));
    if (mpi ? name.equals(NODE) : trains) {
      int byDefault = pods;
      // The MPI launcher may be one of the nodes.
      int wanted = job.count(NUM_NODES).orElse(byDefault);
      pods = mpi && launcherIsNode() && job.isWritten(NUM_NODES) ? wanted - 1 : wanted;
    }
    return Math.max(pods, 1);
  }

  private PodTemplateSpec template(RawPath path, String name, String step) {
    boolean trains = step.equals(TRAINER) || (launcherIsNode() && name.equals(NODE));
    RawPath resources = RawPath.of("spec.trainer.resourcesPerNode");
    if (!trains || !runtime.isWritten(POLICY) || !job.isWritten(resources)) {
      return runtime.template(path);
    }
    Object tree = runtime.root();
    RawPath containers = path.fields("spec.containers");
    int count = runtime.items(containers).size();
    for (int i = 0; i < count; i++) {
      if (runtime.text(containers.item(i).field("name")).orElse("").equals(NODE)) {
        RawPath own = containers.item(i).field("resources");
        tree = RawTree.with(
            tree, own, merged(RawTree.get(tree, own), RawTree.get(job.root(), resources)));
      }
    }
    JobFields edited = new JobFields(GenericJobKind.with(runtime.job(), tree));
    PodTemplateSpec template = edited.template(path);
    edited.problems().forEach(problem -> runtime.problem(path, problem.problem()));
    return template;
  }

  private boolean launcherIsNode() {
    return runtime.bool(POLICY.fields("mpi.runLauncherAsNode")).orElse(false);
  }

  /** {@return the runtime with the patches of other controllers applied in order} */
  private static Object patched(JobFields job, Object runtime, RawPath own) {
    Object patched = runtime;
    int count = job.items(PATCHES).size();
    for (int i = 0; i < count; i++) {
      RawPath patch = PATCHES.item(i);
      if (!patch.equals(own)) {
        var unused = job.mapping(patch);
        RawPath spec = RawPath.of("spec.template.spec");
        patched = RawTree.with(
            patched,
            spec,
            merged(
                RawTree.get(patched, spec), RawTree.get(RawTree.get(job.root(), patch), PATCHED)));
      }
    }
    return patched;
  }

  /**
   * {@return the merged value, as by the API server: mappings by field, lists of named items by
   * name} The items of the patch keep their order, and precede other items unless these precede
   * them already.
   */
  private static @Nullable Object merged(@Nullable Object base, @Nullable Object patch) {
    if (patch == null) {
      return base;
    }
    if (base instanceof Map<?, ?> && patch instanceof Map<?, ?>) {
      Map<String, Object> fields = RawTree.mapping(base);
      RawTree.mapping(patch)
          .forEach((name, value) -> fields.put(name, merged(fields.get(name), value)));
      return fields;
    }
    if (base instanceof List<?> present && patch instanceof List<?> added && isNamed(added)) {
      return mergedByName(new ArrayList<>(present), new ArrayList<>(added));
    }
    return patch;
  }

  private static List<Object> mergedByName(List<Object> present, List<Object> added) {
    List<Object> items = new ArrayList<>();
    int next = 0;
    for (Object item : added) {
      int place = place(present, RawTree.mapping(item).get("name"));
      for (; next < place; next++) {
        addUnlessIn(added, present.get(next), items);
      }
      items.add(place < 0 ? item : merged(present.get(place), item));
    }
    for (; next < present.size(); next++) {
      addUnlessIn(added, present.get(next), items);
    }
    return items;
  }

  private static void addUnlessIn(List<Object> patch, Object item, List<Object> items) {
    if (place(patch, RawTree.mapping(item).get("name")) < 0) {
      items.add(item);
    }
  }

  private static boolean isNamed(List<?> items) {
    return items.stream().allMatch(item -> RawTree.mapping(item).get("name") instanceof String);
  }

  private static int place(List<Object> items, @Nullable Object name) {
    for (int i = 0; i < items.size(); i++) {
      if (RawTree.mapping(items.get(i)).get("name") instanceof String given && given.equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
