/** SQL views over tables, for engines: events, held values, means over time. */
@NullMarked
package org.kblake.lake.view;

import org.jspecify.annotations.NullMarked;
