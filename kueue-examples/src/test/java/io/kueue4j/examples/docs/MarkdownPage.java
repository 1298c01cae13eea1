package io.kueue4j.examples.docs;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.stream.Collectors.joining;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Multiset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Markdown file of the repository: its code blocks, anchors and links, as GitHub sees them. */
record MarkdownPage(String path, String text) {
  /** The root of the repository; tests run in the folder of their module. */
  static final Path ROOT = Path.of("..");

  private static final Pattern FENCE = Pattern.compile(
      "^( *)(`{3,})([^\\n`]*)\\n(.*?)^\\1\\2 *$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern INLINE_CODE = Pattern.compile("(`+)(?!`).+?(?<!`)\\1(?!`)");
  private static final Pattern HEADING =
      Pattern.compile("^#{1,6} +(.+?)(?: +#+)? *$", Pattern.MULTILINE);
  private static final Pattern NO_PART_OF_ANCHORS = Pattern.compile("[^\\p{L}\\p{M}\\p{N}_ -]");
  private static final Pattern LINK = Pattern.compile(
      "\\]\\(([^)\\s]+)(?:\\s+\"[^\"]*\")?\\)"
          + "|^\\[[^\\]]+\\]: +(\\S+)|\\b(?:href|src|srcset)=\"([^\"]+)\"",
      Pattern.MULTILINE);

  /** An empty line, or the begin of an item, a row of a table or a heading. */
  private static final Pattern PARAGRAPH_END =
      Pattern.compile("\\n\\s*\\n|\\n(?=\\s*(?:[-*|#]|\\d+\\.) ?)");

  private static final Pattern CELL_END = Pattern.compile("(?<!\\\\)\\|");
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:;])\\s+");

  /** A fenced block of code, and where it starts. */
  record Block(String path, int line, String language, String code) {
    @Override
    public String toString() {
      return path + ":" + line + " " + language;
    }
  }

  /** {@return README.md and the pages below docs, the code blocks of which are checked} */
  static ImmutableList<MarkdownPage> documentation() {
    return everyPage().stream()
        .filter(page -> page.path.equals("README.md") || page.path.startsWith("docs/"))
        .collect(toImmutableList());
  }

  /** {@return every Markdown file of the repository} */
  static ImmutableList<MarkdownPage> everyPage() {
    try (Stream<Path> top = Files.list(ROOT)) {
      return top.filter(path -> !ROOT.relativize(path).toString().startsWith("."))
          .flatMap(MarkdownPage::filesBelow)
          .sorted()
          .map(MarkdownPage::read)
          .collect(toImmutableList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> filesBelow(Path path) {
    try (Stream<Path> files = Files.walk(path)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !ImmutableSet.copyOf(file).contains(Path.of("target")))
          .collect(toImmutableList())
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MarkdownPage read(Path file) {
    try {
      String path = ROOT.relativize(file).toString().replace('\\', '/');
      return new MarkdownPage(path, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@return the fenced blocks, in order} */
  ImmutableList<Block> blocks() {
    return FENCE
        .matcher(text)
        .results()
        .map(match -> new Block(
            path,
            1 + (int) text.substring(0, match.start()).lines().count(),
            match.group(3).strip(),
            withoutIndent(match.group(4), match.group(1))))
        .collect(toImmutableList());
  }

  private static String withoutIndent(String code, String indent) {
    return code.lines()
        .map(line -> line.startsWith(indent) ? line.substring(indent.length()) : line)
        .map(line -> line + "\n")
        .collect(joining());
  }

  /** {@return the fenced blocks of a language, in order} */
  ImmutableList<Block> blocks(String language) {
    return blocks().stream()
        .filter(block -> block.language().equals(language))
        .collect(toImmutableList());
  }

  /** {@return the sentences outside of blocks, without the targets of links} */
  ImmutableList<String> sentences() {
    return PARAGRAPH_END
        .splitAsStream(FENCE.matcher(text).replaceAll("\n\n"))
        .flatMap(paragraph ->
            paragraph.startsWith("|") ? CELL_END.splitAsStream(paragraph) : Stream.of(paragraph))
        .map(part -> LINK.matcher(part).replaceAll("]"))
        .flatMap(SENTENCE_END::splitAsStream)
        .map(String::strip)
        .filter(sentence -> !sentence.isEmpty())
        .collect(toImmutableList());
  }

  /** {@return the names that links to headings of this page use} */
  ImmutableSet<String> anchors() {
    Multiset<String> seen = HashMultiset.create();
    return HEADING
        .matcher(FENCE.matcher(text).replaceAll(""))
        .results()
        .map(match -> anchor(match.group(1)))
        .map(name -> {
          int before = seen.count(name);
          seen.add(name);
          return before == 0 ? name : name + "-" + before;
        })
        .collect(toImmutableSet());
  }

  private static String anchor(String heading) {
    String shown = heading.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT);
    return NO_PART_OF_ANCHORS.matcher(shown).replaceAll("").replace(' ', '-');
  }

  /** {@return the targets of links and images, in order} */
  ImmutableList<String> links() {
    String prose = INLINE_CODE.matcher(FENCE.matcher(text).replaceAll("")).replaceAll("code");
    return LINK.matcher(prose)
        .results()
        .flatMap(match -> Stream.of(1, 2, 3).map(match::group).filter(target -> target != null))
        .collect(toImmutableList());
  }

  /** {@return the inline code, without its back quotes} */
  ImmutableList<String> inlineCode() {
    return INLINE_CODE
        .matcher(FENCE.matcher(text).replaceAll(""))
        .results()
        .map(match -> match.group().replace("`", "").strip())
        .collect(toImmutableList());
  }

  @Override
  public String toString() {
    return path;
  }
}
