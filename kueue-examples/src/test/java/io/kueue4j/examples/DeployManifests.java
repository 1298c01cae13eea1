package io.kueue4j.examples;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.MoreCollectors;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The manifests that install the controller, as their files have them. */
public final class DeployManifests {
  /** The folder with the parts and overlays. */
  public static final Path ROOT = Path.of("src/main/deploy");

  /** The part for every cluster. */
  public static final Path BASE = ROOT.resolve("base");

  private DeployManifests() {}

  /** {@return a YAML file with one document, as a map} */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> map(Path file) throws IOException {
    return new KubernetesSerialization().unmarshal(Files.readString(file), Map.class);
  }

  /** {@return the files that a folder's kustomization lists as resources} */
  public static ImmutableList<Path> resources(Path folder) throws IOException {
    Object listed = map(folder.resolve("kustomization.yaml")).getOrDefault("resources", List.of());
    return ((List<?>) listed)
        .stream()
            .map(name -> folder.resolve(String.valueOf(name)))
            .collect(ImmutableList.toImmutableList());
  }

  /** {@return the objects of {@link #BASE}} */
  public static ImmutableList<HasMetadata> base() throws IOException {
    return of(BASE);
  }

  /** {@return the objects that a folder's kustomization lists} */
  public static ImmutableList<HasMetadata> of(Path folder) throws IOException {
    ImmutableList.Builder<HasMetadata> all = ImmutableList.builder();
    for (Path file : resources(folder)) {
      all.addAll(objects(Files.readString(file)));
    }
    return all.build();
  }

  /** {@return the objects of an optional part, such as {@code pods}} */
  public static ImmutableList<HasMetadata> option(String name) throws IOException {
    return objects(Files.readString(ROOT.resolve("options/" + name + "/rbac.yaml")));
  }

  /** {@return the objects of a text with any number of documents} */
  public static ImmutableList<HasMetadata> objects(String yaml) {
    Object read = new KubernetesSerialization().unmarshal(yaml);
    ImmutableList.Builder<HasMetadata> all = ImmutableList.builder();
    if (read instanceof List<?> several) {
      several.forEach(object -> all.add((HasMetadata) object));
    } else {
      all.add((HasMetadata) read);
    }
    return all.build();
  }

  /** {@return the only object of a class} */
  public static <T> T find(Class<T> type) throws IOException {
    return base().stream()
        .filter(type::isInstance)
        .map(type::cast)
        .collect(MoreCollectors.onlyElement());
  }
}
