/** Archives of a simulated machine. Only programs of kblake use this module. */
@SuppressWarnings("module") // the exports name cli, which is compiled after this module
module org.kblake.simulate {
  requires org.kblake.core;

  exports org.kblake.simulate to
      org.kblake.cli;
}
