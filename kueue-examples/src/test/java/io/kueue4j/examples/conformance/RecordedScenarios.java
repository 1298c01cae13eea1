package io.kueue4j.examples.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * A small recorded scenario: a queue of four cpu in a node with as many, {@code low} uses three of
 * them, {@code high} requests two and preempts it.
 */
public final class RecordedScenarios {
  private static final String LOW_HOLDS = "'default/low':{'clusterQueue':'cq','admission':"
      + "{'clusterQueue':'cq','podSetAssignments':[{'name':'main','count':3,'flavors':{'cpu':'f'},"
      + "'resourceUsage':{'cpu':'3'},'topologyAssignment':" + topology("universal", "n1", 3)
      + "}]}}";
  private static final String HIGH_HOLDS = "'default/high':{'clusterQueue':'cq','admission':"
      + "{'clusterQueue':'cq','podSetAssignments':[{'name':'main','count':1,'flavors':{'cpu':'f'},"
      + "'resourceUsage':{'cpu':'2'},'topologyAssignment':" + topology("universal", "n1", 1)
      + "}]}}";

  private RecordedScenarios() {}

  /** {@return the scenario, with one cycle} */
  public static String preemption(String name) {
    return scenario(name, workload("low", 0, 3, "1", admitted()) + "," + high());
  }

  /** {@return Kueue's decisions for {@link #preemption}} */
  public static String preempted(String name) {
    String stopped = workload(
        "low",
        0,
        3,
        "1",
        "'conditions':[" + condition("Evicted", "Preempted") + ","
            + condition("Preempted", "InClusterQueue") + "]");
    return cycle(
        name,
        state(workload("low", 0, 3, "1", admitted()) + "," + high(), LOW_HOLDS, "", ""),
        state(stopped + "," + high(), LOW_HOLDS, "'cq':['default/high']", ""));
  }

  /** {@return a scenario in which {@code high} is alone} */
  public static String alone(String name) {
    return scenario(name, high());
  }

  /** {@return Kueue's decisions for {@link #alone}} */
  public static String admittedAlone(String name) {
    return cycle(
        name, state(high(), "", "'cq':['default/high']", ""), state(high(), HIGH_HOLDS, "", ""));
  }

  /** {@return a scenario in which {@code low} requests more than the quota} */
  public static String tooLarge(String name) {
    return scenario(name, workload("low", 0, 5, "1", ""));
  }

  /** {@return Kueue's decisions for {@link #tooLarge}} */
  public static String parked(String name) {
    return cycle(
        name,
        state("", "", "'cq':['default/low']", ""),
        state(workload("low", 0, 5, "1", ""), "", "", "'cq':['default/low']"));
  }

  /** {@return a scenario that the engine rejects} */
  public static String invalid(String name) {
    return alone(name).replace("\"nominalQuota\":\"4\"", "\"nominalQuota\":\"-4\"");
  }

  /** {@return the record of a crash of Kueue} */
  public static String panic(String name) {
    return json("{'test':'" + name + "','panic':'index out of range'}");
  }

  /**
   * Writes both files of a suite, gzipped.
   *
   * @return the one with the scenarios
   */
  public static Path write(Path folder, String suite, String scenarios, String outcomes)
      throws IOException {
    gzip(folder.resolve(suite + ".up.jsonl.gz"), outcomes);
    return gzip(folder.resolve(suite + ".in.gz"), scenarios);
  }

  static Path gzip(Path path, String text) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(path))) {
      out.write(text.getBytes(UTF_8));
    }
    return path;
  }

  static String json(String text) {
    return text.replace('\'', '"');
  }

  private static String scenario(String name, String workloads) {
    return json("{'name':'" + name + "','gates':{},'fairSharing':null,"
        + "'now':'2026-01-01T10:00:00Z','objects':["
        + "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'default'}},"
        + "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Topology','metadata':{'name':'dc'},"
        + "'spec':{'levels':[{'nodeLabel':'kubernetes.io/hostname'}]}},"
        + "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ResourceFlavor','metadata':{'name':'f'},"
        + "'spec':{'nodeLabels':{'pool':'a'},'topologyName':'dc'}},"
        + "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n1','labels':{'pool':'a',"
        + "'kubernetes.io/hostname':'n1'}},'status':{'allocatable':{'cpu':'5','pods':'10'},"
        + "'conditions':[{'type':'Ready','status':'True'}]}},"
        + "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'daemon','namespace':'default'},"
        + "'spec':{'nodeName':'n1','containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}"
        + "]},'status':{'phase':'Running'}},"
        + "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue','metadata':{'name':'cq'},"
        + "'spec':{'namespaceSelector':{},'preemption':{'withinClusterQueue':'LowerPriority'},"
        + "'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':"
        + "[{'name':'cpu','nominalQuota':'4'}]}]}]}},"
        + "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue',"
        + "'metadata':{'name':'lq','namespace':'default'},'spec':{'clusterQueue':'cq'}}],"
        + "'workloads':[" + workloads + "],'cycles':1}");
  }

  private static String high() {
    return workload("high", 1, 1, "2", "");
  }

  private static String workload(String name, int priority, int count, String cpu, String status) {
    return "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','metadata':{'name':'" + name
        + "','namespace':'default','uid':'" + name
        + "','creationTimestamp':'2026-01-01T00:00:00Z'},'spec':{'queueName':'lq','priority':"
        + priority + ",'podSets':[{'name':'main','count':" + count + ",'template':{'spec':"
        + "{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'" + cpu
        + "'}}}]}}}]},'status':{" + status + "}}";
  }

  private static String admitted() {
    return "'conditions':[" + condition("QuotaReserved", "QuotaReserved") + ","
        + condition("Admitted", "Admitted") + "],"
        + LOW_HOLDS.substring(LOW_HOLDS.indexOf("'admission'"), LOW_HOLDS.length() - 1);
  }

  private static String condition(String type, String reason) {
    return "{'type':'" + type + "','status':'True','reason':'" + reason
        + "','message':'m','lastTransitionTime':'2026-01-01T01:00:00Z'}";
  }

  private static String topology(String form, String host, int count) {
    return "{'levels':['kubernetes.io/hostname'],'slices':[{'domainCount':1,'valuesPerLevel':[{'"
        + form + "':'" + host + "'}],'podCounts':{'universal':" + count + "}}]}";
  }

  private static String state(String workloads, String cache, String left, String inadmissible) {
    return "{'workloads':[" + workloads + "],'cache':{" + cache + "},'left':{" + left
        + "},'inadmissible':{" + inadmissible + "}}";
  }

  private static String cycle(String name, String pre, String post) {
    return json("{'test':'" + name + "','cycle':0,'pre':" + pre + ",'post':" + post + "}");
  }
}
