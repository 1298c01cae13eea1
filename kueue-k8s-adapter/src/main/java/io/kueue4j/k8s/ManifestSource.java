package io.kueue4j.k8s;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import com.google.common.io.ByteStreams;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.TextPosition;
import io.kueue4j.k8s.internal.yaml.YamlReader;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Where Kubernetes objects come from: a text with its name, or live objects as a client holds them.
 * Immutable, as far as live objects are not modified.
 *
 * <p>Bytes are read as UTF-8, with or without a byte order mark. Bytes that are no text are a
 * problem for {@link ManifestReader#read} to report, so it can report all sources together.
 *
 * <p>Live objects are model classes of fabric8, {@code GenericKubernetesResource}s, or objects of
 * any other class that Jackson writes as the API server would. The same object gives the same
 * result in each of these forms; only places differ: text has lines, and a live object is called by
 * its kind, namespace and name.
 *
 * @since 0.1.0
 */
public final class ManifestSource {
  private static final long MAX_BYTES = 4L * YamlReader.MAX_CHARACTERS;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final String name;
  private final Optional<String> text;
  private final ImmutableList<HasMetadata> objects;
  private final Optional<ManifestIssue> problem;

  private ManifestSource(
      String name,
      Optional<String> text,
      ImmutableList<HasMetadata> objects,
      Optional<ManifestIssue> problem) {
    this.name = name;
    this.text = text;
    this.objects = objects;
    this.problem = problem;
  }

  /**
   * {@return the source of live objects}
   *
   * @param objects the objects; {@link ManifestReader#read} does not modify them
   * @throws NullPointerException if one is null
   * @since 0.1.0
   */
  public static ManifestSource of(HasMetadata... objects) {
    return of(Arrays.asList(objects));
  }

  /**
   * {@return the source of live objects}
   *
   * @param objects the objects, for example the items of a list that a client has fetched;
   *     {@link ManifestReader#read} does not modify them
   * @throws NullPointerException if one is null
   * @since 0.1.0
   */
  public static ManifestSource of(Iterable<? extends HasMetadata> objects) {
    ImmutableList.Builder<HasMetadata> live = ImmutableList.builder();
    int index = 0;
    for (HasMetadata object : objects) {
      live.add(checkNotNull(
          object, "the object at index %s is null; expected a Kubernetes object", index));
      index++;
    }
    return new ManifestSource("live objects", Optional.empty(), live.build(), Optional.empty());
  }

  /** {@return the source with {@code text}, which messages call {@code name}} */
  public static ManifestSource of(String name, String text) {
    boolean marked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
    return new ManifestSource(
        name, Optional.of(marked ? text.substring(1) : text), ImmutableList.of(), Optional.empty());
  }

  /**
   * Reads a stream to its end; the caller closes it.
   *
   * @throws IOException if the stream does
   */
  public static ManifestSource of(String name, InputStream stream) throws IOException {
    // One byte too many is enough for the reader to refuse the source as too long.
    ByteBuffer bytes =
        ByteBuffer.wrap(ByteStreams.toByteArray(ByteStreams.limit(stream, MAX_BYTES + 1)));
    CharBuffer text = CharBuffer.allocate(bytes.remaining());
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CoderResult result = decoder.decode(bytes, text, bytes.remaining() <= MAX_BYTES);
    text.flip();
    if (!result.isError()) {
      return of(name, text.toString());
    }
    Issues issues = new Issues(name, 1);
    issues.problem(
        TextPosition.after(text.toString()),
        "",
        String.format(
            "byte 0x%02X at offset %d is not UTF-8; is this a text file?",
            bytes.get(bytes.position()), bytes.position()));
    return new ManifestSource(
        name,
        Optional.empty(),
        ImmutableList.of(),
        Optional.of(issues.problems().get(0)));
  }

  /**
   * Reads a file; messages call it by its path as given.
   *
   * @throws FileSystemException with the path of {@code file}, if it cannot be read or is a folder
   */
  public static ManifestSource of(Path file) throws FileSystemException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "a folder; expected a file");
    }
    try (InputStream stream = Files.newInputStream(file)) {
      return of(file.toString(), stream);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      FileSystemException located =
          new FileSystemException(file.toString(), null, String.valueOf(e.getMessage()));
      located.initCause(e);
      throw located;
    }
  }

  /** {@return the name of a text, which messages use; {@code live objects} for those} */
  public String name() {
    return name;
  }

  /** {@return the text, absent if it could not be read or if these are live objects} */
  Optional<String> text() {
    return text;
  }

  /** {@return the live objects} */
  ImmutableList<HasMetadata> objects() {
    return objects;
  }

  Optional<ManifestIssue> problem() {
    return problem;
  }

  /** {@return the name} */
  @Override
  public String toString() {
    return name;
  }
}
