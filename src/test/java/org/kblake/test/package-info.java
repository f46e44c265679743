/** End-to-end tests over all modules: what only shows when they work together. */
@NullMarked
package org.kblake.test;

import org.jspecify.annotations.NullMarked;
