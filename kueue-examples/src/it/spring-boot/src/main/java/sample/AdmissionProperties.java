package sample;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;

/**
 * The properties {@code kueue.*}.
 *
 * @param manifests the files with flavors and queues, as for Kueue
 * @param fairSharing the strategies of fair sharing in their order; none turns it off
 * @param featureGates the feature gates that differ from Kueue's defaults
 * @param strictQuota whether workloads never exceed quotas, where Kueue allows it
 * @param tick how often to act on what is due by the clock, such as the end of a backoff
 */
@ConfigurationProperties("kueue")
public record AdmissionProperties(
    List<Resource> manifests,
    @DefaultValue List<FairSharingStrategy> fairSharing,
    @DefaultValue Map<FeatureGate, Boolean> featureGates,
    @DefaultValue("false") boolean strictQuota,
    @DefaultValue("1s") Duration tick) {
  /** {@return the settings of an engine} */
  Settings settings() {
    Settings.Builder settings = Settings.builder().strictQuota(strictQuota);
    featureGates.forEach(settings::putFeatureGates);
    if (!fairSharing.isEmpty()) {
      settings.fairSharing(fairSharing.toArray(FairSharingStrategy[]::new));
    }
    return settings.build();
  }
}
