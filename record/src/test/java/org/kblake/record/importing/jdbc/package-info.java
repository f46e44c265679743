/** Imports of databases: H2 in the JVM, and PostgreSQL where it is installed. */
@NullMarked
package org.kblake.record.importing.jdbc;

import org.jspecify.annotations.NullMarked;
