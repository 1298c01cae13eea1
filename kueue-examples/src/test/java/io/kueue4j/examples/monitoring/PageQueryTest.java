package io.kueue4j.examples.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageQueryTest {
  private static final JobName JOB = new JobName("Job", "team", "train");

  @Test
  void anAddressIsReadAgain() {
    PageQuery query = PageQuery.ALL.with("q", "a&b=ü %").with("queue", "x/y");
    assertThat(PageQuery.parse(query.address().substring(1))).isEqualTo(query);
    assertThat(PageQuery.ALL.address()).isEqualTo("?");
    assertThat(query.with("q", "").get("q")).isEmpty();
  }

  @Test
  void anythingMayBeInAnAddress() {
    assertThat(PageQuery.parse(null)).isEqualTo(PageQuery.ALL);
    assertThat(PageQuery.parse("&&=&=x&q&queue=&q=+")).isEqualTo(PageQuery.ALL);
    assertThat(PageQuery.parse("q=%zz").get("q")).isEqualTo("%zz");
    assertThat(PageQuery.parse("q=" + "x".repeat(2000))).isEqualTo(PageQuery.ALL);
    assertThat(PageQuery.parse("waiting=-3").page("waiting")).isEqualTo(1);
    assertThat(PageQuery.parse("waiting=99999999999").page("waiting")).isEqualTo(1);
    assertThat(PageQuery.parse("waiting=7").page("waiting")).isEqualTo(7);
  }

  @Test
  void anotherFilterBeginsOnTheFirstPage() {
    PageQuery query = PageQuery.parse("pause=1&q=x&waiting=2&reasons=3&job=a");
    assertThat(query.filter("queue", "vision"))
        .isEqualTo(PageQuery.parse("pause=1&q=x&queue=vision"));
    assertThat(query.filter("q", "y")).isEqualTo(PageQuery.parse("pause=1&q=y"));
    assertThat(query.withoutFilter()).isEqualTo(PageQuery.parse("pause=1"));
  }

  @Test
  void aJobIsShownIfAllPartsOfTheFilterMatch() {
    assertThat(PageQuery.ALL.shows(JOB, "main", "research")).isTrue();
    assertThat(PageQuery.parse("q=job+team/TR").shows(JOB, "main", "research")).isTrue();
    assertThat(PageQuery.parse("q=sear&queue=research").shows(JOB, "main", "research"))
        .isTrue();
    assertThat(PageQuery.parse("q=sear&queue=vision").shows(JOB, "main", "research"))
        .isFalse();
    assertThat(PageQuery.parse("namespace=tea").shows(JOB, "main", "research")).isFalse();
  }
}
