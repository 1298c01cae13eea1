package sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/** A service that runs jobs for several teams, each as soon as its queue has quota. */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class BatchServiceApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(BatchServiceApplication.class, arguments);
  }
}
