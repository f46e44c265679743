package org.kblake.core.log;

class ReferenceLayoutTest extends LogLayoutContract {

  @Override
  protected LogLayout layout() {
    return ReferenceLayout.INSTANCE;
  }
}
