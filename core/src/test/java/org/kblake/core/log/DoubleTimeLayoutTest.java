package org.kblake.core.log;

class DoubleTimeLayoutTest extends LogLayoutContract {

  @Override
  protected LogLayout layout() {
    return new DoubleTimeLayout();
  }
}
