package io.kueue4j.examples.docs;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every link of every Markdown file of the repository leads somewhere. */
class LinksTest {
  private static final ImmutableMap<String, MarkdownPage> PAGES =
      MarkdownPage.everyPage().stream().collect(toImmutableMap(MarkdownPage::path, page -> page));

  /** A file or folder of the repository that no build makes. */
  private static final Pattern PATH =
      Pattern.compile("(?:\\.ci|docs|kueue-[a-z0-9-]+)/(?!target/)[\\w./-]+");

  static ImmutableList<MarkdownPage> pages() {
    return PAGES.values().asList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void leadsToAFileAndAnAnchorThatExist(MarkdownPage page) {
    ImmutableList<String> broken = page.links().stream()
        .flatMap(link -> problem(page, link).stream().map(why -> link + ": " + why))
        .collect(toImmutableList());

    assertThat(broken).isEmpty();
  }

  /** Not in the changelog, which names what there was. */
  @ParameterizedTest
  @MethodSource("pages")
  void pathsInTheTextExist(MarkdownPage page) {
    assumeFalse(page.path().equals("CHANGELOG.md"));
    assertThat(page.inlineCode().stream().filter(PATH.asMatchPredicate()))
        .allSatisfy(path -> assertThat(MarkdownPage.ROOT.resolve(path)).exists());
  }

  private static Optional<String> problem(MarkdownPage page, String link) {
    URI target = URI.create(link);
    if (target.isAbsolute()) {
      return target.getScheme().equals("https") && target.getHost() != null
          ? Optional.empty()
          : Optional.of("is neither a path nor https");
    }
    String path = pathOf(page, target);
    if (path.startsWith("..") || path.startsWith("/")) {
      return Optional.of("leaves the repository");
    }
    if (!Files.exists(MarkdownPage.ROOT.resolve(path))) {
      return Optional.of("there is no " + path);
    }
    MarkdownPage other = PAGES.get(path);
    if (target.getFragment() != null
        && other != null
        && !other.anchors().contains(target.getFragment())) {
      return Optional.of("its anchors are " + other.anchors());
    }
    return Optional.empty();
  }

  /** The path of what a relative link leads to, from the root. */
  private static String pathOf(MarkdownPage page, URI target) {
    if (target.getPath().isEmpty()) {
      return page.path();
    }
    Path resolved = Path.of(page.path()).resolveSibling(target.getPath()).normalize();
    return resolved.toString().replace('\\', '/');
  }

  @Test
  void everyPageOfTheDocumentationIsFoundFromTheReadme() {
    Set<String> found = new HashSet<>();
    Deque<String> next = new ArrayDeque<>();
    next.add("README.md");
    while (!next.isEmpty()) {
      String path = next.remove();
      MarkdownPage page = PAGES.get(path);
      if (page != null && found.add(path)) {
        page.links().stream()
            .map(URI::create)
            .filter(target -> !target.isAbsolute())
            .forEach(target -> next.add(pathOf(page, target)));
      }
    }

    assertThat(MarkdownPage.documentation()).extracting(MarkdownPage::path).isSubsetOf(found);
  }

  @Test
  void theIndexNamesEveryPage() {
    MarkdownPage index = Objects.requireNonNull(PAGES.get("docs/index.md"));

    assertThat(index.links().stream().map(link -> pathOf(index, URI.create(link))))
        .doesNotHaveDuplicates()
        .containsAll(MarkdownPage.documentation().stream()
            .map(MarkdownPage::path)
            .filter(path -> !path.equals("docs/index.md"))
            .toList());
  }

  /** Needs the network: {@code mvn test -Dkueue4j.online=true -Dtest=LinksTest}. */
  @Test
  @EnabledIfSystemProperty(named = "kueue4j.online", matches = "true")
  void leadsToAnAddressThatAnswers() {
    ImmutableSet<URI> addresses = pages().stream()
        .flatMap(page -> page.links().stream())
        .map(URI::create)
        .filter(URI::isAbsolute)
        .collect(toImmutableSet());
    HttpClient client = HttpClient.newBuilder()
        .followRedirects(HttpClient.Redirect.NORMAL)
        .connectTimeout(Duration.ofSeconds(20))
        .build();

    for (URI address : addresses) {
      HttpRequest request =
          HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(30)).build();
      assertThat(client.sendAsync(request, HttpResponse.BodyHandlers.discarding()))
          .as("%s", address)
          .succeedsWithin(Duration.ofSeconds(60))
          .satisfies(response -> assertThat(response.statusCode()).isLessThan(400));
    }
  }

  @Test
  void anchorsAreThoseOfGitHub() {
    MarkdownPage page = new MarkdownPage("page.md", """
        # kueue4j
        ## Why `explain` answers: quotas & more
        ## 17. Deliberate deviations, from [upstream](https://example.org)
        ## Same_name
        ## Same_name
        ```sh
        # no heading
        ```
        """);

    assertThat(page.anchors())
        .containsExactly(
            "kueue4j",
            "why-explain-answers-quotas--more",
            "17-deliberate-deviations-from-upstream",
            "same_name",
            "same_name-1");
  }

  @Test
  void linksAreFoundOutsideOfCode() {
    MarkdownPage page = new MarkdownPage("page.md", """
        [a](a.md#b), [![badge](badge.svg)](https://example.org "title"), `[no](link)`
        <img src="dark.svg" alt="x">
        ```java
        String[] no = array[i](link);
        ```
        [1.0]: https://example.org/1.0
        """);

    assertThat(page.links())
        .containsExactly(
            "a.md#b", "badge.svg", "https://example.org", "dark.svg", "https://example.org/1.0");
  }

  @Test
  void brokenLinksAreReported() {
    MarkdownPage page = new MarkdownPage("docs/page.md", "");

    assertThat(problem(page, "../README.md")).isEmpty();
    assertThat(problem(page, "../README.md#no-such-heading")).isPresent();
    assertThat(problem(page, "none.md")).isPresent();
    assertThat(problem(page, "../../outside.md")).isPresent();
    assertThat(problem(page, "http://example.org")).isPresent();
  }
}
