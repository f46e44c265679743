/** From logs to columns and back, for the programs of kblake alone: no package is public. */
@SuppressWarnings("module") // cli, which the exports name, is compiled after this module
module org.kblake.ingest {
  requires org.kblake.core;

  exports org.kblake.ingest.internal.backfill to
      org.kblake.cli;
  exports org.kblake.ingest.internal.compact to
      org.kblake.cli;
  exports org.kblake.ingest.internal.image to
      org.kblake.cli;
  exports org.kblake.ingest.internal.live to
      org.kblake.cli;
  exports org.kblake.ingest.internal.live.group to
      org.kblake.cli;
  exports org.kblake.ingest.internal.live.state to
      org.kblake.cli;
  exports org.kblake.ingest.internal.pace to
      org.kblake.cli;
  exports org.kblake.ingest.internal.verify to
      org.kblake.cli;
}
