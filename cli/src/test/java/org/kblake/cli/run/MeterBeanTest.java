package org.kblake.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

final class MeterBeanTest {

  @Test
  void metricsAreAttributesWhileItIsOpen() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(MeterBean.NAME);
    try (RunMetrics metrics = new RunMetrics(Statuses.running());
        MeterBean bean = MeterBean.register(metrics)) {
      assertThat(bean.getMBeanInfo().getAttributes()).isNotEmpty();
      assertThat(server.getAttribute(name, "kblake.lag.seconds{group=RF/AnalogData}"))
          .isEqualTo(1500.0);
      assertThat(server.getAttribute(name, "kblake.sealed.events")).isEqualTo(1000.0);
    }
    assertThat(server.isRegistered(name)).isFalse();
  }
}
