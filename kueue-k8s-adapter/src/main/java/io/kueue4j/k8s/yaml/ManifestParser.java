package io.kueue4j.k8s.yaml;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Splits one source into Kubernetes objects.
 *
 * <p>Documents without content are skipped, lists flattened.
 */
public final class ManifestParser {
  /** Knows where objects live. */
  public interface Scope {
    /** {@return the namespace of an object of a kind for which {@code given} is written down} */
    Optional<String> namespace(String group, String kind, Optional<String> given);
  }

  private static final String LIST = "List";

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
    ImmutableList<YamlDocument> documents;
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

  /** {@return the objects whose header could be read} */
  public ImmutableList<Manifest> manifests() {
    return ImmutableList.copyOf(manifests);
  }

  /** {@return what is wrong} */
  public ImmutableList<ManifestIssue> problems() {
    return ImmutableList.copyOf(problems);
  }

  /** {@return what else there is to say} */
  public ImmutableList<ManifestIssue> notes() {
    return ImmutableList.copyOf(notes);
  }

  private void parse(YamlDocument document, Issues issues) {
    if (document.root() instanceof YamlMapping mapping) {
      parse(document.index(), mapping, "", "", issues);
    } else {
      issues.problem(
          document.root(),
          "",
          document.root().describe() + "; expected a Kubernetes object, which is a mapping");
    }
  }

  /** Reads an object whose type may be implied by the list that it stands in. */
  private void parse(
      int document, YamlMapping content, String listVersion, String itemKind, Issues issues) {
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
          .forEach(item ->
              parse(document, item.mapping().orElseThrow(), versionOfItems, kindOfItems, issues));
    } else {
      add(document, content, apiVersion, kind, object.object("metadata"), issues);
    }
  }

  private static boolean isList(String kind, Fields object) {
    return kind.equals(LIST) || (kind.endsWith(LIST) && object.has("items"));
  }

  private void add(
      int document,
      YamlMapping content,
      String apiVersion,
      String kind,
      Fields metadata,
      Issues issues) {
    int before = issues.problemCount();
    Optional<String> given = metadata.text("namespace");
    int slash = apiVersion.indexOf('/');
    Optional<String> namespace =
        scope.namespace(slash < 0 ? "" : apiVersion.substring(0, slash), kind, given);
    if (given.isPresent() && namespace.isEmpty()) {
      metadata.note("namespace", "ignored: a " + kind + " lives in no namespace");
    }
    Manifest manifest =
        new Manifest(source, document, content, apiVersion, kind, namespace, metadata);
    // With a broken header the rest would only repeat its problems.
    if (issues.problemCount() == before) {
      manifests.add(manifest);
    }
  }
}
