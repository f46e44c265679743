package org.kblake.core.layout;

class ReferenceLayoutTest extends LogLayoutContract {

  @Override
  protected LogLayout layout() {
    return ReferenceLayout.INSTANCE;
  }
}
