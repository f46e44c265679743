/** Archives of a simulated machine, for the programs of kblake alone: no package is public. */
@SuppressWarnings("module") // cli, which the exports name, is compiled after this module
module org.kblake.simulate {
  requires org.kblake.core;

  exports org.kblake.simulate to
      org.kblake.cli;
}
