/** Archives in a relational database, read by the user's JDBC driver. */
@NullMarked
package org.kblake.record.importing.jdbc;

import org.jspecify.annotations.NullMarked;
