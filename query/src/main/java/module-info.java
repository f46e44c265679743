/** The Java API for reading archives. */
module org.kblake.query {
  requires transitive org.apache.arrow.memory.core;
  requires transitive org.apache.arrow.vector;
  requires transitive org.kblake.core;
  requires org.apache.arrow.format;

  exports org.kblake.query;
  exports org.kblake.query.answer;
  exports org.kblake.query.arrow;
  exports org.kblake.query.question;
}
