package io.kueue4j.examples.simulation;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.k8s.internal.tpu.SliceRequests;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.ObjectBinder;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestIssue;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.List;

/**
 * Finds the TPU slices that stored Workloads request: Kueue has no field for them, but the pod
 * templates have the annotations and node selectors of the job.
 */
final class StoredSliceRequests {
  private final Manifest manifest;
  private final ImmutableList.Builder<ManifestIssue> notes = ImmutableList.builder();

  private StoredSliceRequests(Manifest manifest) {
    this.manifest = manifest;
  }

  /**
   * {@return the workload with the slices that its pod sets request}
   *
   * <p>One that holds quota stays as it is, with a note, since its slices are not stored and it
   * cannot hold others.
   *
   * @param manifest the Workload
   * @param imported what was read from it
   */
  static ImportedWorkload addTo(Manifest manifest, ImportedWorkload imported) {
    return new StoredSliceRequests(manifest).addTo(imported);
  }

  private ImportedWorkload addTo(ImportedWorkload imported) {
    Workload workload = imported.workload();
    List<PodSet> podSets = podSets(workload);
    if (workload.elastic()
        || workload.replaces().isPresent()
        || podSets.equals(workload.podSets())) {
      return noted(imported, workload);
    }
    if (imported.admission().isPresent()) {
      notes.add(manifest.issue(
          "status.admission",
          "the TPU slices that the workload runs on are not stored; it holds its quota, and its"
              + " chips count as free in their pools"));
      return noted(imported, workload);
    }
    return noted(imported, Workload.builder().from(workload).podSets(podSets).build());
  }

  private ImportedWorkload noted(ImportedWorkload imported, Workload workload) {
    return new ImportedWorkload(
        workload,
        imported.admission(),
        imported.status(),
        imported.preempted(),
        ImmutableList.<ManifestIssue>builder()
            .addAll(imported.notes())
            .addAll(notes.build())
            .build());
  }

  private List<PodSet> podSets(Workload workload) {
    Issues issues = Issues.of(manifest);
    List<Fields> written = Fields.of(manifest, issues).object("spec").objects("podSets");
    ImmutableList.Builder<PodSet> podSets = ImmutableList.builder();
    for (int i = 0; i < written.size(); i++) {
      PodSet podSet = workload.podSets().get(i);
      String path = written.get(i).path("template");
      podSets.add(written
          .get(i)
          .value("template")
          .flatMap(node -> ObjectBinder.bind(node, PodTemplateSpec.class, path, issues))
          .map(template -> podSet(
              podSet,
              new PodTemplates.Located(
                  "Workload " + workload.id(), workload.namespace(), path, template)))
          .orElse(podSet));
    }
    return podSets.build();
  }

  private PodSet podSet(PodSet podSet, PodTemplates.Located template) {
    long chips = podSet.podRequests().orElse(podSet.requests()).getOrDefault(ResourceNames.TPU, 0L);
    SliceRequests slices = new SliceRequests(template, chips, podSet.count(), 1);
    for (Violation violation : slices.violations()) {
      notes.add(manifest.issue(
          violation.field(), violation.problem() + "; the workload counts without TPU slices"));
    }
    return PodSet.builder().from(podSet).sliceRequest(slices.request()).build();
  }
}
