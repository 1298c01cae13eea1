package sample;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.ManifestSource;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;

/** The engine of this service. */
@Configuration
class AdmissionConfiguration {
  /**
   * The engine, with the queues of the manifests; an invalid manifest fails the start of the
   * service.
   */
  @Bean
  AdmissionEngine admissionEngine(AdmissionProperties properties, AdmissionMetrics metrics)
      throws IOException {
    AdmissionEngine engine = AdmissionEngine.builder()
        .settings(properties.settings())
        .listener(
            metrics,
            failure -> LoggerFactory.getLogger(AdmissionMetrics.class).error("metrics", failure))
        .build();
    List<ManifestSource> sources = new ArrayList<>();
    for (Resource manifest : properties.manifests()) {
      try (InputStream stream = manifest.getInputStream()) {
        sources.add(ManifestSource.of(manifest.getDescription(), stream));
      }
    }
    KubernetesAdmission.builder().engine(engine).build().apply(sources).throwIfRefused();
    return engine;
  }
}
