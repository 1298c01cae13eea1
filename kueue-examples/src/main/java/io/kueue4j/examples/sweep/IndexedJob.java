package io.kueue4j.examples.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.UnreadableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An Indexed Job of Kubernetes that simulates a grid, a part in each pod, and prints the results to
 * the logs of the pods. The input is in a ConfigMap, or on a volume that exists.
 */
public final class IndexedJob {
  /** The limit of Kubernetes for the content of a ConfigMap. */
  private static final int MAX_CONFIG_MAP_BYTES = 1 << 20;

  /** For the keys. */
  private static final int MARGIN_BYTES = 1 << 14;

  private static final String FOLDER = "/sweep";
  private static final String VOLUME = "inputs";

  private final GridInputs inputs;
  private final Options options;

  private IndexedJob(GridInputs inputs, Options options) {
    this.inputs = inputs;
    this.options = options;
  }

  /**
   * How the Job runs.
   *
   * @param name the name of the Job and the ConfigMap
   * @param namespace the namespace, empty to leave it open
   * @param image the image of this program
   * @param parts the number of parts, each of which is a pod
   * @param queue the LocalQueue of Kueue that admits the Job
   * @param inputsClaim the PersistentVolumeClaim with the input, the file of the grid in its root;
   *     empty for a ConfigMap
   * @param cpu the processors of a pod
   * @param memory the memory of a pod
   */
  public record Options(
      String name,
      Optional<String> namespace,
      String image,
      int parts,
      Optional<String> queue,
      Optional<String> inputsClaim,
      String cpu,
      String memory) {}

  /**
   * {@return the objects to create}
   *
   * @throws InputException if the input does not fit into a ConfigMap, or is not below the folder
   *     of the grid
   */
  public static ImmutableList<HasMetadata> of(GridInputs inputs, Options options) {
    IndexedJob job = new IndexedJob(inputs, options);
    Map<String, Path> files = job.files();
    if (options.inputsClaim().isPresent()) {
      return ImmutableList.of(job.job(new VolumeBuilder()
          .withName(VOLUME)
          .withNewPersistentVolumeClaim(options.inputsClaim().get(), true)
          .build()));
    }
    return job.withConfigMap(files);
  }

  private String gridName() {
    return inputs
        .grid()
        .path()
        .map(path -> String.valueOf(path.getFileName()))
        .orElseThrow(() -> new InputException(
            "standard input: expected the grid in a file, beside which the others are"));
  }

  /** {@return the files that the grid names, which must be below its folder} */
  private Map<String, Path> files() {
    Map<String, Path> files = inputs.files();
    files.keySet().forEach(name -> {
      Path path = Path.of(name);
      if (path.isAbsolute() || !path.normalize().equals(path) || path.startsWith("..")) {
        throw new InputException(
            inputs.grid() + ": the file " + name + " is not below the folder of"
                + " the grid, or its name has '.' or '..'; expected a plain relative path, since the"
                + " pods see that folder alone");
      }
    });
    return files;
  }

  private ImmutableList<HasMetadata> withConfigMap(Map<String, Path> files) {
    checkSize(files);
    ImmutableMap.Builder<String, String> texts = ImmutableMap.builder();
    ImmutableMap.Builder<String, String> binaries = ImmutableMap.builder();
    List<KeyToPath> paths = new ArrayList<>();
    contents(files).forEach((name, content) -> {
      String key = "file-" + paths.size();
      text(content)
          .ifPresentOrElse(
              text -> texts.put(key, text),
              () -> binaries.put(key, Base64.getEncoder().encodeToString(content)));
      paths.add(new KeyToPath(key, null, name));
    });
    HasMetadata configMap = new ConfigMapBuilder()
        .withNewMetadata()
        .withName(options.name())
        .withNamespace(options.namespace().orElse(null))
        .endMetadata()
        .withData(texts.buildOrThrow())
        .withBinaryData(binaries.buildOrThrow())
        .build();
    return ImmutableList.of(
        configMap,
        job(new VolumeBuilder()
            .withName(VOLUME)
            .withNewConfigMap()
            .withName(options.name())
            .withItems(paths)
            .endConfigMap()
            .build()));
  }

  private void checkSize(Map<String, Path> files) {
    long bytes = inputs.text().getBytes(UTF_8).length;
    for (Path file : files.values()) {
      try {
        bytes += Files.size(file);
      } catch (IOException e) {
        throw UnreadableFiles.failure(file, e);
      }
    }
    if (bytes > MAX_CONFIG_MAP_BYTES - MARGIN_BYTES) {
      throw new InputException(String.format(
          Locale.ROOT,
          "%s: the input has %,d bytes in %d files, but a ConfigMap holds %,d; compress histories by"
              + " gzip, or copy the folder to a volume and name its claim by --inputs-claim",
          inputs.grid(),
          bytes,
          files.size() + 1,
          MAX_CONFIG_MAP_BYTES - MARGIN_BYTES));
    }
  }

  private ImmutableMap<String, byte[]> contents(Map<String, Path> files) {
    ImmutableMap.Builder<String, byte[]> contents = ImmutableMap.builder();
    contents.put(gridName(), inputs.text().getBytes(UTF_8));
    files.forEach((name, file) -> {
      try {
        contents.put(name, Files.readAllBytes(file));
      } catch (IOException e) {
        throw UnreadableFiles.failure(file, e);
      }
    });
    return contents.buildOrThrow();
  }

  private static Optional<String> text(byte[] bytes) {
    try {
      return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private Job job(Volume volume) {
    Map<String, Quantity> resources = ImmutableMap.of(
        "cpu", new Quantity(options.cpu()), "memory", new Quantity(options.memory()));
    JobBuilder job = new JobBuilder(template())
        .editMetadata()
        .withName(options.name())
        .withNamespace(options.namespace().orElse(null))
        .endMetadata()
        .editSpec()
        .withCompletions(options.parts())
        .withParallelism(options.parts())
        .withBackoffLimit(options.parts())
        .editTemplate()
        .editSpec()
        .editFirstContainer()
        .withImage(options.image())
        // The index of the pod is in the variable JOB_COMPLETION_INDEX, which the command reads.
        .withArgs("sweep", FOLDER + "/" + gridName(), "--of=" + options.parts(), "--output=json")
        .withNewResources()
        .withRequests(resources)
        .withLimits(resources)
        .endResources()
        .endContainer()
        .withVolumes(volume)
        .endSpec()
        .endTemplate()
        .endSpec();
    options
        .queue()
        .ifPresent(queue -> job.editMetadata()
            .addToLabels("kueue.x-k8s.io/queue-name", queue)
            .endMetadata()
            .editSpec()
            .withSuspend(true)
            .endSpec());
    return job.build();
  }

  private static Job template() {
    try (InputStream yaml = Resources.getResource(IndexedJob.class, "job.yaml").openStream()) {
      return Serialization.unmarshal(yaml, Job.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
