package io.kueue4j.examples.conformance;

import com.google.common.base.Joiner;

/** A small scenario in JSON: one queue of four cpu, three workloads of two. */
final class Scenarios {
  private Scenarios() {}

  /** Kueue's decisions for {@link #STEP}. */
  static final String CYCLES = Joiner.on(',').join(cycle("default/a"), cycle("default/b"));

  static final String STEP =
      "{'advanceSeconds':300,'submit':['default/a','default/b','default/c'],'cycles':8}";

  static final String OUTCOME = outcome("", CYCLES, "", "'cq':['default/c']");

  static String good() {
    return scenario(STEP, OUTCOME);
  }

  static String scenario(String steps, String outcomes) {
    return ("{'name':'small','suite':'own','config':{},'objects':["
            + "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'default'}},"
            + "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ResourceFlavor','metadata':{'name':'f'}},"
            + "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue','metadata':{'name':'cq'},"
            + "'spec':{'namespaceSelector':{},'resourceGroups':[{'coveredResources':['cpu'],"
            + "'flavors':[{'name':'f','resources':[{'name':'cpu','nominalQuota':'4'}]}]}]}},"
            + "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue',"
            + "'metadata':{'name':'lq','namespace':'default'},'spec':{'clusterQueue':'cq'}}],"
            + "'workloads':[" + workload("a", 0) + "," + workload("b", 1) + "," + workload("c", 2)
            + "],'steps':[" + steps + "],'outcome':[" + outcomes + "]}")
        .replace('\'', '"');
  }

  static String outcome(String finished, String cycles, String pending, String inadmissible) {
    return "{'finished':[" + finished + "],'cycles':[" + cycles + "],'pending':{" + pending
        + "},'inadmissible':{" + inadmissible + "},'messages':{'not':'compared'}}";
  }

  static String cycle(String workload) {
    return "{'admitted':[{'workload':'" + workload + "','clusterQueue':'cq','podSets':"
        + "[{'name':'main','count':1,'flavors':{'cpu':'f'}}]}],'preempted':[]}";
  }

  private static String workload(String name, int second) {
    return "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','metadata':{'name':'" + name
        + "','namespace':'default','creationTimestamp':'2026-01-01T00:00:0" + second
        + "Z'},'spec':{'queueName':'lq','podSets':[{'name':'main','count':1,'template':{'spec':"
        + "{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'2'}}}]}}}]}}";
  }
}
