package org.kblake.core.layout;

class DoubleTimeLayoutTest extends LogLayoutContract {

  @Override
  protected LogLayout layout() {
    return new DoubleTimeLayout();
  }
}
