/** The bytes of rows and cells. */
@NullMarked
package org.kblake.hbase.layout;

import org.jspecify.annotations.NullMarked;
