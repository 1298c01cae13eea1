package sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.containsString;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.k8s.manifest.ManifestException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.actuate.observability.AutoConfigureObservability;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.json.JsonCompareMode;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

@SpringBootTest(
    properties = {
      "kueue.fair-sharing=LessThanInitialShare",
      "kueue.feature-gates.PartialAdmission=false"
    })
@AutoConfigureMockMvc
@AutoConfigureObservability(tracing = false)
@DirtiesContext(classMode = DirtiesContext.ClassMode.AFTER_EACH_TEST_METHOD)
class BatchServiceTest {
  @Autowired
  private MockMvc service;

  @Autowired
  private AdmissionProperties properties;

  private ResultActions submit(String name, int priority, int processes) throws Exception {
    String job = """
        {"queue": "queue", "priority": %d, "processes": %d, "requests": {"cpu": "1", "memory": "1Gi"}}
        """.formatted(priority, processes);
    return service.perform(
        put("/jobs/team/{name}", name).contentType(MediaType.APPLICATION_JSON).content(job));
  }

  private ResultActions explain(String name) throws Exception {
    return service.perform(get("/actuator/admission/team/{name}", name));
  }

  @Test
  void whatFitsStartsAndTheOthersSayWhyTheyWait() throws Exception {
    submit("first", 0, 6).andExpect(status().isAccepted());
    submit("second", 0, 4).andExpect(status().isAccepted());

    explain("first").andExpect(jsonPath("$.phase").value("admitted"));
    explain("second").andExpect(content().json("""
        {
          "phase": "pending",
          "position": 0,
          "because": [
            "pod set main: cpu in flavor on-demand: requests 4, 2 available, 2 more needed (in use 6, nominal quota 8), and no workload may be preempted for it"
          ],
          "remedies": [
            "ClusterQueue research has more nominal quota: cpu in flavor on-demand from 8 to 10 (+2)",
            "workload team/first stops"
          ]
        }
        """, JsonCompareMode.STRICT));
    service
        .perform(get("/actuator/admission"))
        .andExpect(jsonPath("$[0].name").value("research"))
        .andExpect(jsonPath("$[0].admitted").value(1))
        .andExpect(jsonPath("$[0].waiting").value(1))
        .andExpect(jsonPath("$[0].usage[?(@.resource == 'cpu')].used").value(6000));

    service.perform(delete("/jobs/team/first")).andExpect(status().isNoContent());
    explain("second").andExpect(jsonPath("$.phase").value("admitted"));
    explain("first").andExpect(status().isNotFound());
  }

  @Test
  void metricsCountAdmissionsAndPreemptions() throws Exception {
    submit("usual", 0, 6);
    submit("urgent", 100, 6);
    explain("urgent").andExpect(jsonPath("$.phase").value("admitted"));
    explain("usual").andExpect(jsonPath("$.phase").value("pending"));

    String research = "{cluster_queue=\"research\"} ";
    service
        .perform(get("/actuator/prometheus"))
        .andExpect(content().string(containsString("kueue_pending" + research + "1.0")))
        .andExpect(
            content().string(containsString("kueue_admission_wait_seconds_count" + research + "2")))
        .andExpect(content()
            .string(containsString(
                "kueue_evictions_total{cluster_queue=\"research\",reason=\"Preempted\"} 1.0")));
  }

  @Test
  void aJobThatBreaksRulesIsRefused() throws Exception {
    submit("no-processes", 0, -1)
        .andExpect(status().isBadRequest())
        .andExpect(content().string(containsString("-1")));
    submit("first", 0, 6).andExpect(status().isAccepted());
    submit("first", 0, 6).andExpect(status().isAccepted());
    submit("first", 0, 7).andExpect(status().isBadRequest());
    service.perform(delete("/jobs/team/unknown")).andExpect(status().isNotFound());
  }

  @Test
  void settingsComeFromProperties() {
    Settings settings = properties.settings();

    assertThat(settings.fairSharing().orElseThrow())
        .containsExactly(FairSharingStrategy.LESS_THAN_INITIAL_SHARE);
    assertThat(settings.isEnabled(FeatureGate.PARTIAL_ADMISSION)).isFalse();
    assertThat(settings.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY)).isTrue();
  }

  @Test
  void aWrongManifestIsRefusedAtTheStart() {
    Resource manifest = new ByteArrayResource("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: research}
        spec: {queueingStrategy: Sometimes}
        """.getBytes(UTF_8), "wrong.yaml");
    AdmissionProperties wrong =
        new AdmissionProperties(List.of(manifest), List.of(), Map.of(), false, properties.tick());

    assertThatThrownBy(() -> new AdmissionConfiguration()
            .admissionEngine(wrong, new AdmissionMetrics(new SimpleMeterRegistry())))
        .isInstanceOf(ManifestException.class)
        .hasMessageContainingAll("wrong.yaml", "queueingStrategy");
  }
}
