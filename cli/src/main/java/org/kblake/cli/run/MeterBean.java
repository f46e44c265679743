package org.kblake.cli.run;

import io.micrometer.core.instrument.Meter;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;

/** The same metrics for JMX: {@code org.kblake:type=Run}, an attribute a meter. */
final class MeterBean implements DynamicMBean, AutoCloseable {

  static final String NAME = "org.kblake:type=Run";

  private final RunMetrics metrics;

  private MeterBean(RunMetrics metrics) {
    this.metrics = metrics;
  }

  static MeterBean register(RunMetrics metrics) {
    MeterBean bean = new MeterBean(metrics);
    try {
      ObjectName name = new ObjectName(NAME);
      if (!ManagementFactory.getPlatformMBeanServer().isRegistered(name)) {
        ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
      }
    } catch (JMException e) {
      throw new IllegalStateException("cannot be managed: " + NAME, e);
    }
    return bean;
  }

  private Map<String, Double> values() {
    Map<String, Double> values = new TreeMap<>();
    for (Meter meter : metrics.meters()) {
      if (meter.getId().getName().startsWith(RunMetrics.PREFIX)) {
        String tags =
            meter.getId().getTags().stream()
                .map(tag -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(","));
        StreamSupport.stream(meter.measure().spliterator(), false)
            .findFirst()
            .ifPresent(
                measured ->
                    values.put(
                        meter.getId().getName() + (tags.isEmpty() ? "" : "{" + tags + "}"),
                        measured.getValue()));
      }
    }
    return values;
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
    throw new AttributeNotFoundException("only read: " + attribute.getName());
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] parameters, String[] signature) {
    throw new UnsupportedOperationException(action);
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
        null,
        null);
  }

  @Override
  public void close() {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(NAME));
    } catch (JMException e) {
      // Another one of this JVM took it away already.
    }
  }
}
