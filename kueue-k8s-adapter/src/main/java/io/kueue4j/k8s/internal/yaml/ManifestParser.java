package io.kueue4j.k8s.internal.yaml;

import com.google.common.base.CharMatcher;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Splits one source, a text or a live object, into Kubernetes objects.
 *
 * <p>Documents without content are skipped, lists flattened.
 *
 * @since 0.1.0
 */
public final class ManifestParser {
  /** Determines the known kinds, and the namespaces of their objects. */
  public interface Scope {
    /** {@return whether the fields of objects of a kind matter; true by default} */
    default boolean isKnown(String group, String kind) {
      return true;
    }

    /** {@return the namespace of an object of a kind that specifies the namespace {@code given}} */
    Optional<String> namespace(String group, String kind, Optional<String> given);
  }

  private static final String LIST = "List";

  /** The document of a live object; the documents of a text count from 1. */
  private static final int LIVE = 0;

  private final String source;
  private final Scope scope;
  private final List<Manifest> manifests = new ArrayList<>();
  private final List<ManifestIssue> problems = new ArrayList<>();
  private final List<ManifestIssue> notes = new ArrayList<>();

  /** Creates the parser of the source with this name. */
  public ManifestParser(String source, Scope scope) {
    this.source = source;
    this.scope = scope;
  }

  /** Reads {@code text}, which is the whole source. */
  public void parse(String text) {
    if (CharMatcher.whitespace().matchesAllOf(text)) {
      Issues issues = new Issues(source, 1);
      issues.problem(TextPosition.START, "", "empty; expected a Kubernetes object");
      problems.addAll(issues.problems());
      return;
    }
    List<YamlDocument> documents;
    try {
      documents = YamlReader.read(source, text);
    } catch (ManifestException e) {
      problems.addAll(e.problems());
      return;
    }
    for (YamlDocument document : documents) {
      Issues issues = new Issues(source, document.index());
      if (!document.root().isNull()) {
        parse(document, issues);
      }
      problems.addAll(issues.problems());
      notes.addAll(issues.notes());
    }
  }

  /**
   * Reads an object, which is the whole source. Of an object of an unknown kind only the header is
   * read.
   */
  public void parse(HasMetadata object) {
    Issues issues = new Issues(source, LIVE);
    try {
      YamlMapping content = isKnown(object) ? ObjectTree.of(object) : ObjectTree.header(object);
      parse(LIVE, content, object, "", "", issues);
    } catch (IOException e) {
      issues.problem(
          TextPosition.NONE, "", "cannot be read: " + e.getMessage() + "; expected plain values");
    }
    problems.addAll(issues.problems());
    notes.addAll(issues.notes());
  }

  private boolean isKnown(HasMetadata object) {
    String kind = Strings.nullToEmpty(object.getKind());
    return kind.endsWith(LIST)
        || scope.isKnown(group(Strings.nullToEmpty(object.getApiVersion())), kind);
  }

  /** {@return kind, namespace and name of a live object, such as {@code Job team-a/train}} */
  public static String describe(HasMetadata object) {
    ObjectMeta metadata = Objects.requireNonNullElseGet(object.getMetadata(), ObjectMeta::new);
    String kind = Optional.ofNullable(Strings.emptyToNull(object.getKind()))
        .orElseGet(() -> object.getClass().getSimpleName());
    return ParsedManifest.describe(
        kind,
        Optional.ofNullable(Strings.emptyToNull(metadata.getNamespace())),
        Stream.of(metadata.getName(), metadata.getGenerateName())
            .filter(name -> !Strings.isNullOrEmpty(name))
            .findFirst());
  }

  /** {@return the objects whose header could be read} */
  public List<Manifest> manifests() {
    return ImmutableList.copyOf(manifests);
  }

  /** {@return the problems} */
  public List<ManifestIssue> problems() {
    return ImmutableList.copyOf(problems);
  }

  /** {@return the notes} */
  public List<ManifestIssue> notes() {
    return ImmutableList.copyOf(notes);
  }

  private void parse(YamlDocument document, Issues issues) {
    if (document.root() instanceof YamlMapping mapping) {
      parse(document.index(), mapping, null, "", "", issues);
    } else {
      issues.problem(
          document.root(),
          "",
          document.root().describe() + "; expected a Kubernetes object, which is a mapping");
    }
  }

  /** Reads an object whose type may be implied by the enclosing list. */
  private void parse(
      int document,
      YamlMapping content,
      @Nullable HasMetadata live,
      String listVersion,
      String itemKind,
      Issues issues) {
    Fields object = Fields.of(content, "", issues);
    String apiVersion = object.has("apiVersion") || listVersion.isEmpty()
        ? object.requiredText("apiVersion")
        : listVersion;
    String kind = object.has("kind") || itemKind.isEmpty() ? object.requiredText("kind") : itemKind;
    if (apiVersion.isEmpty() || kind.isEmpty()) {
      return;
    }
    if (CharMatcher.is('/').countIn(apiVersion) > 1) {
      object.problem("apiVersion", YamlScalar.quote(apiVersion) + "; expected group/version");
    } else if (isList(kind, object)) {
      String kindOfItems = kind.substring(0, kind.length() - LIST.length());
      String versionOfItems = kindOfItems.isEmpty() ? "" : apiVersion;
      object
          .objects("items")
          .forEach(item -> parse(
              document, item.mapping().orElseThrow(), null, versionOfItems, kindOfItems, issues));
    } else {
      add(document, content, live, apiVersion, kind, object.object("metadata"), issues);
    }
  }

  private static boolean isList(String kind, Fields object) {
    return kind.equals(LIST) || (kind.endsWith(LIST) && object.has("items"));
  }

  private void add(
      int document,
      YamlMapping content,
      @Nullable HasMetadata live,
      String apiVersion,
      String kind,
      Fields metadata,
      Issues issues) {
    int before = issues.problemCount();
    Optional<String> given = metadata.text("namespace");
    Optional<String> namespace = scope.namespace(group(apiVersion), kind, given);
    if (given.isPresent() && namespace.isEmpty()) {
      metadata.note("namespace", "ignored: a " + kind + " lives in no namespace");
    }
    Manifest manifest =
        new ParsedManifest(source, document, content, live, apiVersion, kind, namespace, metadata);
    // With a broken header the rest would only repeat its problems.
    if (issues.problemCount() == before) {
      manifests.add(manifest);
    }
  }

  private static String group(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }
}
