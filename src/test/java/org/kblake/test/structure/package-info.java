/**
 * The structure of the code: modules, packages, the example of docs/java-api.md. The list of
 * skipped tests.
 */
@NullMarked
package org.kblake.test.structure;

import org.jspecify.annotations.NullMarked;
