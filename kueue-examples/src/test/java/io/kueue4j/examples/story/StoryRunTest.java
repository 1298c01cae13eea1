package io.kueue4j.examples.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each action does, and when each expectation fails. */
class StoryRunTest {
  private static final String SMALL = "- submit: " + StoryFolder.job("small", "queue", 2);
  private static final String LARGE = "- submit: " + StoryFolder.job("large", "queue", 8);
  private static final String LESSON = "- submit: " + StoryFolder.job("lesson", "lessons", 4);

  private static final String LOOP = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: p}
      spec:
        cohortName: all
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: any, resources: [{name: cpu, nominalQuota: 2}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: q}
      spec:
        cohortName: all
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any,
                     borrowWithinCohort: {policy: LowerPriority}}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: any, resources: [{name: cpu, nominalQuota: 2}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: p},
       spec: {clusterQueue: p}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: q},
       spec: {clusterQueue: q}}
      """;

  private static final String NODES = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: hosts},
       spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: spot},
       spec: {topologyName: hosts, nodeLabels: {pool: a}}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {pool: a, kubernetes.io/hostname: n1}},
       status: {allocatable: {cpu: 4, pods: 10}, conditions: [{type: Ready, status: "True"}]}}
      """;

  @TempDir
  Path path;

  private StoryFolder folder;

  @BeforeEach
  void create() {
    folder = new StoryFolder(path);
  }

  @Test
  void aJobIsAdmittedOnAFlavor() {
    folder.passes("- submit: job.yaml\n  expect: {admitted: {job: spot}}");
    folder.passes("- submit: job.yaml\n  expect: {admitted: {job: {cpu: spot}}}");
    folder.passes("- submit: job.yaml\n  expect: {admitted: {job: {main: {cpu: spot}}}}");
    folder.passes("- submit: job.yaml\n  expect: {admitted: job}");
    folder.fails(
        "- submit: job.yaml\n  expect:\n    admitted:\n      job: gold",
        4,
        "job is admitted on spot, expected gold");
    folder.fails(
        "- submit: job.yaml\n  expect:\n    admitted:\n      job: {memory: spot}",
        4,
        "job is admitted on spot, expected memory spot");
    folder.fails(
        "- submit: job.yaml\n  expect:\n    admitted:\n    - job\n    - jobs",
        5,
        "there is no job jobs; there are job");
  }

  @Test
  void aJobIsPendingForAReason() {
    folder.passes(LARGE + LESSON + "  expect: {pending: {large: INSUFFICIENT_QUOTA}}");
    folder.passes(LARGE + LESSON + "  expect: {pending: {large: requests 8}}");
    folder.fails(
        LARGE + "  expect:\n    pending: [large]", 3, "large is Admitted, expected Pending");
    StoryResult result = folder.play(LARGE + LESSON + "  expect:\n    pending: {large: the moon}");
    assertThat(result.failures()).singleElement().satisfies(failure -> {
      assertThat(failure.line()).isEqualTo(7);
      assertThat(failure.message())
          .isEqualTo("large is Pending for another reason, expected \"the moon\"");
      assertThat(failure.job().orElseThrow().explanation()).isPresent();
    });
  }

  @Test
  void aJobWithAWrongNameIsRejected() {
    folder.fails(
        "- submit: job.yaml\n  name: My_Job\n  expect:\n    admitted: My_Job",
        4,
        "My_Job is Rejected, expected Admitted");
  }

  @Test
  void aJobFinishes() {
    folder.passes(SMALL + "- finish: small\n  expect: {finished: small}");
    folder.fails(SMALL + "  expect: {finished: small}", 2, "small is Admitted, expected Finished");
    folder.fails("- finish: small", 1, "there is no job small that could finish; there is none");
  }

  @Test
  void aJobIsDeleted() {
    folder.passes(
        LARGE + "- delete: large\n" + LESSON + "  expect: {admitted: lesson, evicted: []}");
    folder.fails(
        "- delete: small", 1, "there is no job small that could be deleted; there is none");
  }

  @Test
  void copiesAreNumbered() {
    folder.passes("- submit: job.yaml\n  copies: 3\n  expect: {admitted: [job-1, job-2, job-3]}");
    folder.passes("- submit: job.yaml\n  name: x\n  copies: 2\n  expect: {admitted: [x-1, x-2]}");
    folder.passes("- submit: job.yaml\n  name: z\n  expect: {admitted: z}");
    folder.write(
        "any.yaml", StoryFolder.job("any", "queue", 1).replace("name: any", "generateName: any-"));
    folder.passes("- {submit: any.yaml, copies: 2, expect: {admitted: [any-00001, any-00002]}}");
    folder.fails(
        SMALL + SMALL,
        2,
        "there is a job small in namespace default that has not finished; expected another name");
  }

  @Test
  void oneJobOfAFileIsChosen() {
    folder.write(
        "two.yaml",
        StoryFolder.job("one", "queue", 1) + "---\n" + StoryFolder.job("two", "queue", 1));
    folder.passes("- submit: two.yaml\n  job: two\n  expect: {admitted: two}");
    folder.fails(
        "- submit: two.yaml\n  job: two\n  expect:\n    admitted: one",
        4,
        "there is no job one; there are two");
    folder.fails(
        "- submit: two.yaml\n  name: x",
        1,
        "the name x is for one job; there are one, two, choose by job");
    folder.fails("- submit: two.yaml\n  job: three", 1, "there is no job three to submit");
    folder.fails(
        "- submit: " + StoryFolder.job("x", "queue", 1).replace("kueue.x-k8s.io/queue-name", "a/b"),
        1,
        "there is no job of a queue to submit");
  }

  @Test
  void aPreemptorIsKnownByItsNamespace() {
    folder.write(
        "queues.yaml",
        folder.text("queues.yaml")
            + "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lessons,"
            + " namespace: other}, spec: {clusterQueue: teaching}}\n");
    folder.passes("- submit: " + StoryFolder.job("same", "queue", 2)
        + "- submit: " + StoryFolder.job("large", "queue", 6)
        + "- submit: "
        + StoryFolder.job("same", "lessons", 4)
            .replace("name: same", "name: same, namespace: other")
        + "  expect: {preempts: {other/same: large, default/same: []}}");
  }

  @Test
  void aJobPreemptsOthers() {
    folder.passes(LARGE + LESSON + "  expect: {preempts: {lesson: large}, evicted: [large]}");
    folder.fails(
        LARGE + LESSON + "  expect:\n    preempts: {lesson: []}",
        4,
        "lesson preempts [large], expected []");
    folder.fails(
        LARGE + LESSON + "  expect:\n    evicted: []",
        4,
        "evicted in this step: [large], expected []");
  }

  @Test
  void evictedJobsStopByStep() {
    String steps = LARGE + LESSON
        + "  expect: {preempts: {lesson: large}, pending: {lesson: WAITING_FOR_PREEMPTED_WORKLOADS}}\n"
        + "- stopped: large\n  expect: {admitted: lesson, evicted: []}\n";
    Path file = folder.write(
        "a.scenario.yaml",
        "name: by step\ngiven: queues.yaml\nstops: by step\nsteps:\n" + steps
            + "- stopped: large\n");
    StoryResult result =
        StoryRun.play(Story.read(file, note -> {}), manifests -> Settings.defaults());
    assertThat(result.failures())
        .extracting(StoryFailure::message)
        .containsExactly("job large cannot stop: it is Pending, expected a job that was evicted and"
            + " has not stopped");
  }

  @Test
  void usageIsExact() {
    folder.passes(
        SMALL + "  expect: {usage: {research: {spot: {cpu: 2}}, all: {spot: {cpu: 2000m}}}}");
    folder.fails(
        SMALL + "  expect:\n    usage:\n      research:\n        spot:\n          cpu: 3",
        6,
        "cpu in flavor spot of research is used up to 2, expected 3");
    folder.fails(
        SMALL + "  expect:\n    usage: {everyone: {spot: {cpu: 3}}}",
        3,
        "there is no quota of cpu in flavor spot of everyone");
  }

  @Test
  void usageIsNeverAboveABound() {
    folder.passes(SMALL + "  expect: {neverAbove: {research: {spot: {cpu: 8}}}}\n"
        + SMALL.replace("small", "other"));
    folder.fails(
        SMALL + "  expect:\n    neverAbove: {research: {spot: {cpu: 4}}}\n" + "- submit: "
            + StoryFolder.job("large", "queue", 6) + "- finish: large",
        3,
        "cpu in flavor spot of research is used up to 8 from here on, expected never above 4");
  }

  @Test
  void aJobStartsInTime() {
    String waiting =
        LARGE + LESSON.replace("4", "2") + "  expect:\n    startsWithin: {large: PT1H}\n";
    folder.passes(waiting + "- wait: PT30M\n- finish: lesson");
    folder.fails(
        waiting + "- wait: PT2H\n- finish: lesson",
        4,
        "large starts after PT2H1S, expected within PT1H");
    folder.fails(
        waiting + "- wait: PT30M",
        4,
        "large has not started at the end of the scenario, after PT30M, expected within PT1H");
  }

  @Test
  void aStepIsStableWithinCycles() {
    folder.passes(SMALL + "  expect: {stableWithin: 1}");
    folder.fails(
        LARGE + LESSON + "  expect:\n    stableWithin: 1",
        4,
        "stable after 3 cycles, expected at most 1");
  }

  @Test
  void configurationChanges() {
    folder.passes(SMALL + "- remove: LocalQueue default/queue\n" + SMALL.replace("small", "late")
        + "  expect: {pending: {late: LOCAL_QUEUE_NOT_FOUND}}\n"
        + "- apply: queues.yaml\n  expect: {admitted: [late]}");
    folder.fails(
        "- remove: LocalQueue default/queues",
        1,
        "there is no LocalQueue default/queues; did you mean \"LocalQueue default/queue\"?");
  }

  @Test
  void aQueueInUseIsNotRemoved() {
    folder.fails(
        SMALL + "- remove: ClusterQueue research",
        2,
        "ClusterQueue research cannot be removed while its quota is held; finish or release the"
            + " workloads that hold it first: 1");
  }

  @Test
  void nodesFailAndRecover() {
    folder.write("nodes.yaml", NODES);
    String steps = """
        - apply: nodes.yaml
        - submit: job.yaml
          expect: {admitted: job}
        - failNode: n1
        """;
    folder.passes(steps + "  expect: {evicted: [job], pending: {job: TOPOLOGY_DOES_NOT_FIT}}\n"
        + "- recoverNode: n1\n  expect: {admitted: [job]}");
    folder.fails(
        steps + "- failNode: n1", 5, "node n1 has failed before; expected recoverNode first");
    folder.fails(
        "- apply: nodes.yaml\n- recoverNode: n1",
        2,
        "node n1 has not failed; expected failNode first");
    folder.fails("- apply: nodes.yaml\n- failNode: n2", 2, "there is no Node n2");
    folder.fails(
        "- apply: nodes.yaml\n- remove: Node n1",
        2,
        "Node n1 cannot be removed; expected failNode for a node");
  }

  @Test
  void aJobIsEvictedWhenItsTimeIsOver() {
    String limited = "- submit: "
        + StoryFolder.job("job", "queue", 1)
            .replace("labels: {", "labels: {kueue.x-k8s.io/max-exec-time-seconds: '60', ");
    folder.passes(limited + "- wait: PT50S\n  expect: {admitted: job, evicted: []}\n"
        + "- wait: PT1H\n  expect: {evicted: job, pending: {job: DEACTIVATED}}");
  }

  @Test
  void aStepThatEndsInALoopFails() {
    folder.write("queues.yaml", LOOP);
    String steps = "- submit: " + workload("l2", "p", 4, 10)
        + "- submit: " + workload("h1", "q", 2, 1)
        + "- submit: " + workload("h2", "q", 4, 10);
    assertThat(folder.play(steps).failures()).singleElement().satisfies(failure -> {
      assertThat(failure.line()).isEqualTo(6);
      assertThat(failure.message())
          .startsWith("workloads stop again and again, and would in Kueue: default/h1 preempts");
    });
  }

  private static String workload(String name, String queue, int cores, int priority) {
    return String.format(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: %s}, spec:"
            + " {queueName: %s, priority: %d, podSets: [{name: main, count: 1, template: {spec:"
            + " {containers: [{name: main, resources: {requests: {cpu: %d}}}]}}}]}}%n",
        name, queue, priority, cores);
  }

  @Test
  void anEmptyExpectationFails() {
    folder.fails(SMALL + "  expect:", 2, "expect is empty; --update fills it in");
  }

  @Test
  void nothingIsPlayedAfterAStepThatCannotBe() {
    folder.fails(
        "- finish: x\n- submit: job.yaml\n  expect: {pending: job}",
        1,
        "there is no job x that could finish; there is none");
  }
}
