package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.k8s.internal.dra.DeviceCharges;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.ObjectBinder;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.pod.PodTemplates;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads Workload objects of {@code kueue.x-k8s.io/v1beta1} and {@code v1beta2}, as Kueue creates
 * them for jobs; immutable if its converter is.
 *
 * <pre>{@code
 * ImportedWorkload imported = new WorkloadReader(templates).read(manifest);
 * }</pre>
 *
 * <p>Rules: M-21, M-22, M-25, M-26, M-27, M-28, M-29, M-30, M-31, M-32, L-1.
 *
 * @since 0.1.0
 */
public final class WorkloadReader {
  private static final DeviceCharges NO_DEVICES =
      new DeviceCharges(ImmutableSortedMap.of(), ImmutableSortedMap.of(), ImmutableList.of());

  private final PodTemplates templates;
  private final Function<PodTemplates.Located, DeviceCharges> devices;

  /**
   * Creates a reader that does not count devices.
   *
   * @param templates how the requests of pods are counted
   */
  public WorkloadReader(PodTemplates templates) {
    this(templates, template -> NO_DEVICES);
  }

  /**
   * Creates a reader.
   *
   * @param templates how the requests of pods are counted
   * @param devices how the devices of pods are counted
   */
  public WorkloadReader(
      PodTemplates templates, Function<PodTemplates.Located, DeviceCharges> devices) {
    this.templates = templates;
    this.devices = devices;
  }

  /**
   * Reads a workload.
   *
   * @throws ManifestException with every problem found, if there is any
   * @throws IllegalArgumentException if {@code manifest} is not a Workload of a known version
   */
  public ImportedWorkload read(Manifest manifest) {
    KueueApiVersion version = KueueApiVersion.of(manifest.version())
        .filter(known -> !VersionDifferences.hasQuotasPerResource(known))
        .filter(known -> manifest.is(KueueApiVersion.GROUP, KueueReader.WORKLOAD))
        .orElseThrow(() -> new IllegalArgumentException(manifest
            .issue(
                "",
                "given " + manifest.kind() + " of " + manifest.apiVersion()
                    + "; expected Workload of kueue.x-k8s.io/v1beta1 or v1beta2")
            .toString()));
    Issues issues = Issues.of(manifest);
    Fields object = Fields.of(manifest, issues);
    object.ignore("apiVersion", "kind");
    Fields metadata = object.object("metadata");
    metadata.ignoreAll();
    object
        .value("metadata")
        .ifPresent(node -> ObjectBinder.check(node, ObjectMeta.class, "metadata", issues));

    WorkloadId id = WorkloadId.of(manifest.namespace().orElse(""), metadata.requiredText("name"));
    Workload.Builder workload = Workload.builder().namespace(id.namespace()).name(id.name());
    metadata.text("uid").filter(uid -> !uid.isEmpty()).ifPresent(workload::uid);
    workload.creationTime(time(metadata, "creationTimestamp"));
    WorkloadAnnotations.read(metadata.object("annotations"), workload);
    workload.ownedBySinglePod(isOwnedBySinglePod(metadata));
    Fields spec = object.object("spec");
    WorkloadSpecReader specReader =
        new WorkloadSpecReader(spec, version, manifest, templates, devices, issues);
    specReader.read(workload);
    Fields status = object.object("status");
    WorkloadStatusReader statusReader = new WorkloadStatusReader(status, version);
    Optional<Admission> admission = statusReader.read(id, specReader.counts());
    WorkloadStatus stored = statusReader.status();
    object.noteUnknown();
    issues.throwProblems();
    return new ImportedWorkload(
        workload.build(),
        admission,
        stored,
        admission.flatMap(unused -> statusReader.preempted()),
        ImmutableList.copyOf(issues.notes()));
  }

  /** {@return whether a plain pod is the only owner; rule T-87} */
  private static boolean isOwnedBySinglePod(Fields metadata) {
    List<Fields> owners = metadata.objects("ownerReferences");
    owners.forEach(Fields::ignoreAll); // They are checked with the metadata.
    return owners.size() == 1
        && owners.get(0).text("kind").equals(Optional.of("Pod"))
        && owners.get(0).text("apiVersion").equals(Optional.of("v1"))
        && !WorkloadAnnotations.isOfPodGroup(metadata.object("annotations"));
  }

  /** {@return the time in the field, in RFC 3339 format} */
  static Optional<Instant> time(Fields holder, String name) {
    Optional<String> text = holder.text(name);
    try {
      return text.map(value -> OffsetDateTime.parse(value).toInstant());
    } catch (DateTimeException e) {
      holder.problem(
          name,
          YamlScalar.quote(text.orElse("")) + "; expected a time such as 2026-01-31T12:00:00Z");
      return Optional.empty();
    }
  }
}
