package org.kblake.cli.run.status;

import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** The metrics as a JMX bean {@code org.kblake:type=Run}, with an attribute for each number. */
public final class MeterBean implements DynamicMBean, AutoCloseable {

  static final String NAME = "org.kblake:type=Run";

  private static final String RESET = "resetCounters";

  private final RunMetrics metrics;
  private final Runnable reset;

  private MeterBean(RunMetrics metrics, Runnable reset) {
    this.metrics = metrics;
    this.reset = reset;
  }

  /**
   * Registers the bean.
   *
   * @param reset resets the counters
   */
  public static MeterBean register(RunMetrics metrics, Runnable reset) {
    MeterBean bean = new MeterBean(metrics, reset);
    try {
      ObjectName name = new ObjectName(NAME);
      if (!ManagementFactory.getPlatformMBeanServer().isRegistered(name)) {
        ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
      }
    } catch (JMException e) {
      throw new IllegalStateException("JMX bean cannot be registered: " + NAME, e);
    }
    return bean;
  }

  private Map<String, Double> values() {
    return metrics.values();
  }

  @Override
  public Object getAttribute(String attribute) throws AttributeNotFoundException {
    Double value = values().get(attribute);
    if (value == null) {
      throw new AttributeNotFoundException(attribute);
    }
    return value;
  }

  @Override
  public AttributeList getAttributes(String[] attributes) {
    Map<String, Double> values = values();
    AttributeList list = new AttributeList();
    for (String attribute : attributes) {
      if (values.containsKey(attribute)) {
        list.add(new Attribute(attribute, values.get(attribute)));
      }
    }
    return list;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException("attribute is read-only: " + attribute.getName());
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public @Nullable Object invoke(String action, Object[] parameters, String[] signature) {
    if (!action.equals(RESET)) {
      throw new UnsupportedOperationException(action);
    }
    reset.run();
    return null;
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return new MBeanInfo(
        MeterBean.class.getName(),
        "kblake run",
        values().keySet().stream()
            .map(name -> new MBeanAttributeInfo(name, "double", name, true, false, false))
            .toArray(MBeanAttributeInfo[]::new),
        null,
        new MBeanOperationInfo[] {
          new MBeanOperationInfo(
              RESET,
              "Resets the counters",
              new MBeanParameterInfo[0],
              "void",
              MBeanOperationInfo.ACTION)
        },
        null);
  }

  @Override
  public void close() {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(NAME));
    } catch (JMException e) {
      // Another bean of this JVM was unregistered under the same name
    }
  }
}
