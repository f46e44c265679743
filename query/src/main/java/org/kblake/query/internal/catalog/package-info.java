/**
 * The contents of archive, mirror and store for each group: pairs, blocks, record tables. They are
 * kept between questions while directories do not change.
 */
@NullMarked
package org.kblake.query.internal.catalog;

import org.jspecify.annotations.NullMarked;
