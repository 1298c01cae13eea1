package io.kueue4j.k8s.internal.yaml;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.k8s.manifest.ManifestException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Builds the trees of the documents of one source from parser events.
 *
 * <p>The composer of the YAML library limits neither nesting nor the expansion of aliases, and does
 * not support {@code <<}, which Kubernetes does. An alias shares the node of its anchor, so only
 * traversals of the tree can explode; therefore aliased nodes are counted each time they are used.
 */
final class YamlComposer {
  static final int MAX_DEPTH = 100;
  static final int MAX_NODES = 2_000_000;
  static final int MAX_ALIASED_NODES = 100_000;

  private static final String MERGE = "<<";
  private static final String NO_TAG = "!";
  private static final String TAG_PREFIX = "tag:yaml.org,2002:";
  private static final ImmutableSet<String> SCALAR_TAGS =
      ImmutableSet.of("int", "float", "bool", "null");

  private record Anchored(YamlNode node, int size, int height) {}

  private final String source;
  private final Iterator<Event> events;
  private final Map<Anchor, Anchored> anchors = new HashMap<>();
  private int document;
  private @Nullable Event last;
  private int nodes;
  private int aliasedNodes;
  private int deepest;

  YamlComposer(String source, Iterator<Event> events) {
    this.source = source;
    this.events = events;
  }

  /** {@return the number of the current document, from 1} */
  int document() {
    return Math.max(document, 1);
  }

  /** {@return the start of the last event that was read without an error} */
  TextPosition position() {
    return last == null ? TextPosition.START : new TextPosition(line(last), column(last));
  }

  @CanIgnoreReturnValue
  private Event next() {
    Event event = events.next();
    last = event;
    return event;
  }

  List<YamlDocument> compose() {
    ImmutableList.Builder<YamlDocument> documents = ImmutableList.builder();
    next();
    while (next().getEventId() == Event.ID.DocumentStart) {
      document++;
      anchors.clear();
      aliasedNodes = 0;
      documents.add(new YamlDocument(document, node(next(), 1)));
      next();
    }
    return documents.build();
  }

  private YamlNode node(Event event, int depth) {
    enter(event, depth);
    if (event instanceof AliasEvent alias) {
      return aliased(alias, depth);
    }
    int sizeBefore = nodes + aliasedNodes;
    int deepestBefore = deepest;
    deepest = depth;
    YamlNode node = event instanceof ScalarEvent scalar
        ? scalar(scalar)
        : collection((CollectionStartEvent) event, depth);
    int size = nodes + aliasedNodes - sizeBefore + 1;
    int height = deepest - depth;
    Optional<Anchor> anchor = ((NodeEvent) event).getAnchor();
    if (anchor.isPresent()) {
      anchors.put(anchor.get(), new Anchored(node, size, height));
    }
    deepest = Math.max(deepest, deepestBefore);
    return node;
  }

  private void enter(Event event, int depth) {
    nodes++;
    if (nodes > MAX_NODES) {
      throw failure(event, "more than " + MAX_NODES + " values; split the file");
    }
    checkDepth(event, depth);
  }

  private void checkDepth(Event event, int depth) {
    deepest = Math.max(deepest, depth);
    if (depth > MAX_DEPTH) {
      throw failure(event, "nested more than " + MAX_DEPTH + " levels deep");
    }
  }

  private YamlNode aliased(AliasEvent alias, int depth) {
    Anchored anchored = anchors.get(alias.getAlias());
    if (anchored == null) {
      throw failure(
          alias,
          "alias " + YamlScalar.quote(alias.getAlias().getValue())
              + " of an anchor that is not complete before it");
    }
    aliasedNodes += anchored.size();
    if (aliasedNodes > MAX_ALIASED_NODES) {
      throw failure(alias, "aliases expand to more than " + MAX_ALIASED_NODES + " values");
    }
    checkDepth(alias, depth + anchored.height());
    return anchored.node();
  }

  private YamlScalar scalar(ScalarEvent event) {
    String text = event.getValue();
    if (isUnquoted(event)) {
      return YamlScalar.plain(text, line(event), column(event));
    }
    return new YamlScalar(text, YamlScalar.Type.TEXT, line(event), column(event));
  }

  private boolean isUnquoted(ScalarEvent event) {
    String tag = shortTag(event.getTag());
    if (SCALAR_TAGS.contains(tag)) {
      return true;
    }
    checkTag(event, tag, "str");
    return event.isPlain() && event.getTag().isEmpty();
  }

  private YamlNode collection(CollectionStartEvent event, int depth) {
    boolean mapping = event instanceof MappingStartEvent;
    checkTag(event, shortTag(event.getTag()), mapping ? "map" : "seq");
    return mapping ? mapping(event, depth) : sequence(event, depth);
  }

  private YamlSequence sequence(Event start, int depth) {
    List<YamlNode> items = new ArrayList<>();
    Event event = next();
    while (event.getEventId() != Event.ID.SequenceEnd) {
      items.add(node(event, depth + 1));
      event = next();
    }
    return new YamlSequence(ImmutableList.copyOf(items), line(start), column(start));
  }

  private YamlMapping mapping(Event start, int depth) {
    Map<String, YamlField> fields = new LinkedHashMap<>();
    @Nullable YamlNode merged = null;
    Event event = next();
    while (event.getEventId() != Event.ID.MappingEnd) {
      if (!(node(event, depth + 1) instanceof YamlScalar key)) {
        throw failure(
            event,
            "a list or mapping as the name of a field; expected text, or render the template first");
      }
      YamlNode value = node(next(), depth + 1);
      boolean merge = isMerge(event);
      YamlField field = new YamlField(key.text(), value, line(event), column(event));
      YamlField earlier = fields.putIfAbsent(key.text(), field);
      if (earlier != null) {
        throw failure(
            event,
            YamlScalar.quote(key.text()) + " is given twice, first in line " + earlier.line());
      }
      merged = merge ? value : merged;
      event = next();
    }
    if (merged != null) {
      fields.remove(MERGE);
      merge(merged, fields);
    }
    return new YamlMapping(ImmutableMap.copyOf(fields), line(start), column(start));
  }

  private static boolean isMerge(Event key) {
    return key instanceof ScalarEvent name && name.isPlain() && name.getValue().equals(MERGE);
  }

  private void merge(YamlNode merged, Map<String, YamlField> fields) {
    if (merged instanceof YamlMapping mapping) {
      mapping.fields().forEach(fields::putIfAbsent);
    } else if (merged instanceof YamlSequence sequence
        && sequence.items().stream().allMatch(YamlMapping.class::isInstance)) {
      sequence.items().forEach(item -> merge(item, fields));
    } else {
      throw failure(
          merged, "<< merges " + merged.describe() + "; expected a mapping or a list of mappings");
    }
  }

  private static String shortTag(Optional<String> tag) {
    return tag.map(name -> name.startsWith(TAG_PREFIX) ? name.substring(TAG_PREFIX.length()) : name)
        .orElse(NO_TAG);
  }

  private void checkTag(Event event, String tag, String expected) {
    if (!tag.equals(NO_TAG) && !tag.equals(expected)) {
      throw failure(event, "tag " + YamlScalar.quote(tag) + " is not supported; remove it");
    }
  }

  private ManifestException failure(Event event, String message) {
    return failure(new TextPosition(line(event), column(event)), message);
  }

  private ManifestException failure(YamlPosition at, String message) {
    Issues issues = new Issues(source, document());
    issues.problem(at, "", message);
    return new ManifestException(issues.problems());
  }

  private static int line(Event event) {
    Optional<Mark> mark = event.getStartMark();
    return mark.isPresent() ? mark.get().getLine() + 1 : 1;
  }

  private static int column(Event event) {
    Optional<Mark> mark = event.getStartMark();
    return mark.isPresent() ? mark.get().getColumn() + 1 : 1;
  }
}
