package org.kblake.server.internal.appliance.form;

/** The names of the fields of a sample with the times of a connection. */
final class ConnectionField {

  static final String LOST = "cnxlostepsecs";
  static final String REGAINED = "cnxregainedepsecs";

  private ConnectionField() {}
}
