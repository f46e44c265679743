# shellcheck shell=sh
# Starts a program of kblake from an unpacked tarball (lib/ beside bin/) or from a clone, which it builds if necessary.
# The scripts in bin/ read this file. They set:
#
#   home     the directory above bin/
#   program  the name of the program, for messages
#   class    its main class
#   arrow    true if it uses Arrow, else empty
#   options  options of the JVM for its memory and its compilers
#   extension  the directory in extensions/ whose jars the command line needs, or empty
#
# Users may set:
#
#   JAVA_HOME          the JDK; default: the java on the PATH
#   KBLAKE_JAVA_OPTS   more options for the JVM; they override the options below
#   KBLAKE_EXTENSIONS  the directory of extensions; default: extensions/ beside lib/
#   KBLAKE_NICE        how far backfill, compact and verify lower their priority; default: 10

: "${home:?}" "${program:?}" "${class:?}" "${arrow?}" "${options:?}" "${extension?}"

fail() {
  printf '%s: %s\n' "$program" "$1" >&2
  exit 1
}

# The encoding of file names. In the locale C, which cron, systemd and Nagios set, and in a locale that is not
# installed, Java cannot name files beyond ASCII. The other settings of an installed locale are kept.
set_locale() {
  export KBLAKE_LOCALE="${LC_ALL:-${LC_CTYPE:-${LANG:-C}}}"
  case $KBLAKE_LOCALE in
    C | POSIX)
      if [ -n "${LC_ALL:-}" ]; then
        export LC_ALL=C.UTF-8
      else
        export LC_CTYPE=C.UTF-8
      fi
      ;;
    C.UTF-8) ;;
    *[Uu][Tt][Ff]8 | *[Uu][Tt][Ff]-8)
      case $(locale charmap 2>/dev/null) in UTF-8 | '') ;; *) export LC_ALL=C.UTF-8 ;; esac
      ;;
  esac
}

# --- The jars

# Whether a tarball is newer than the sources of a clone.
is_built() {
  [ -e "$1" ] && [ -d "${1%.tar.gz}" ] || return 1
  sources=pom.xml
  for module in core simulate ingest query format server transfer picocli cli; do
    sources="$sources $module/pom.xml $module/src/main"
  done
  # shellcheck disable=SC2086
  [ -z "$(find $sources -newer "$1")" ]
}

build() (
  cd "$home" || exit 1
  version=$(sed -n '/^  <version>/ { s/^[^>]*>//; s/<.*//; p; q; }' pom.xml)
  tarball=cli/target/kblake-$version.tar.gz
  if ! is_built "$tarball"; then
    command -v mvn >/dev/null ||
      fail "no mvn found: a clone is built with Maven 3.8.7 or newer and a JDK 17 or newer"
    mkdir -p cli/target
    # Of two first starts one builds.
    exec 9>cli/target/build.lock
    ! command -v flock >/dev/null || flock 9
    if ! is_built "$tarball"; then
      printf '%s: building, which happens once and after changes ...\n' "$program" >&2
      # Maven would leave jars in it that kblake does not use any more.
      rm -rf "${tarball%.tar.gz}"
      mvn -q -DskipTests -pl cli -am package </dev/null >&2 || fail "the build failed: see above"
      # Maven does not write it if a changed source gave the same classes.
      touch "$tarball"
      rm -rf cli/target/cache
    fi
  fi
  printf '%s\n' "$home/cli/target/kblake-$version/kblake-$version/lib"
)

# Sets lib, cache and extensions.
find_jars() {
  if [ -d "$home/lib" ]; then
    lib=$home/lib cache=$home/cache extensions=$home/extensions
  elif [ -e "$home/pom.xml" ]; then
    lib=$(build) || exit 1
    cache=$home/cli/target/cache release=${lib%/lib}
    extensions=$home/$extension/target/kblake-$extension-${release##*/kblake-}/${release##*/}/extensions
  else
    fail "neither lib/ nor pom.xml beside bin/: $home"
  fi
}

# Sets classpath, build (the version in the names of jars) and layouts. kblake's jars and that of the page come first:
# Java opens jars in this order when it searches a resource. A jar that is not known may have a site's log layout. Only
# then Java has to search all jars for one.
list_jars() {
  classpath='' build='' others=''
  layouts=-Dkblake.layouts=reference
  # An archive is for one order of jars. A shell may sort names by its locale.
  locale=${LC_ALL-unset}
  LC_ALL=C
  for jar in "$lib"/*.jar; do
    case ${jar##*/} in
      kblake-cli-*) classpath=$classpath:$jar build=${jar##*/kblake-cli-} ;;
      kblake-* | uplot-*) classpath=$classpath:$jar ;;
      HdrHistogram-* | aircompressor-* | annotations-* | arrow-* | asm-* | bucket4j_* | commons-codec-* | \
        flatbuffers-* | jackson-* | jakarta.* | javalin-* | javax.annotation-* | jetty-* | jline-* | jspecify-* | \
        kotlin-* | lz4-java-* | micrometer-* | parquet-* | progressbar-* | prometheus-* | protobuf-java-* | re2j-* | \
        slf4j-api-* | zstd-jni-*)
        others=$others:$jar
        ;;
      *) others=$others:$jar layouts= ;;
    esac
  done
  [ "$locale" = unset ] && unset LC_ALL || LC_ALL=$locale
  classpath=${classpath#:}$others
  build=${build%.jar}
}

# --- The JDK

# Sets java, version and feature (17, 25, ...).
find_java() {
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || fail "JAVA_HOME has no bin/java: $JAVA_HOME"
  else
    java=$(command -v java) || fail "no java found: install a JDK 17 or newer, or set JAVA_HOME"
    java=$(readlink -f "$java")
  fi
  version=
  if [ -r "${java%/bin/java}/release" ]; then
    while [ -z "$version" ] && IFS='="' read -r key _ value _; do
      [ "$key" != JAVA_VERSION ] || version=$value
    done <"${java%/bin/java}/release"
  fi
  if [ -z "$version" ]; then
    # shellcheck disable=SC2086,SC2116
    text=$("$java" -version 2>&1) ||
      fail "Java does not start: $java -version: $(echo $text); set JAVA_HOME to a JDK 17 or newer"
    text=${text#*\"}
    version=${text%%\"*}
  fi
  feature=${version%%[!0-9]*}
  [ "${feature:-0}" -ge 17 ] || fail "Java 17 or newer is needed, found $version: $java"
}

# Adds to options, and sets opens.
add_options() {
  options="$options $layouts -XX:+UseSerialGC -XX:-UsePerfData"
  options="$options -Xlog:disable -Xlog:all=error,cds*=off:stderr" # no messages of the JVM between data
  # Arrow needs it. With it JDK 17 sets up its modules at each start, and JDK 25 takes them from a class archive that
  # was made with it.
  opens=--add-opens=java.base/java.nio=ALL-UNNAMED
  [ "$feature" -lt 24 ] || arrow=true
  # The class archive is not moved to a random address: that would touch most of its pages.
  options="$options -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0"
  options="$options -XX:MaxDirectMemorySize=256g" # kblake itself keeps to --memory
  [ "$feature" -lt 22 ] || options="$options --enable-native-access=ALL-UNNAMED"
  [ "$feature" -lt 24 ] || options="$options --sun-misc-unsafe-memory-access=allow"
  [ ! -t 1 ] || options="$options -Dkblake.terminal.out=true"
  [ ! -t 2 ] || options="$options -Dkblake.terminal.err=true"
  # An arena of malloc never returns its memory.
  export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}" KBLAKE_NICE="${KBLAKE_NICE-10}"
}

# --- The class archive (docs/design/start.md): the classes of the program, parsed and verified. The first start makes
# --- it, in the installation or for the user, in directories named by the paths of kblake and the JDK

run_java() {
  # shellcheck disable=SC2086
  "$java" $options -cp "$classpath" "$@" </dev/null >/dev/null 2>&1
}

# The fast compiler loads the same classes.
train() {
  run_java "$opens" -Xmx512m -XX:TieredStopAtLevel=1 "$@"
}

make_archive() (
  # One of several first starts makes it. The others run without it.
  exec 9>"$1.lock"
  ! command -v flock >/dev/null || flock -n 9 || exit 0
  work=$(mktemp -d) || exit 0
  [ ! -t 2 ] || printf '%s: preparing faster starts, which happens once ...\n' "$program" >&2
  # In some shells the arguments are those of the script by then.
  trap 'rm -rf "$work" "$archive.lock" "$archive.$$"*' EXIT
  train org.kblake.cli.Training "$work" prepare
  train "-XX:DumpLoadedClassList=$work/classes" org.kblake.cli.Training "$work" "$program"
  modules=$opens
  [ "$feature" -ge 24 ] || modules=-Xshare:dump
  run_java "$modules" -Xshare:dump "-XX:SharedClassListFile=$work/classes" "-XX:SharedArchiveFile=$1.$$"
  # An empty file prevents another attempt at each start.
  { jar_sizes >"$1.jars" && mv -f "$1.$$" "$1"; } 2>/dev/null || : >"$1"
)

# Without words and an order of the locale: a cron job in another locale uses the same archive.
jar_sizes() (export LC_ALL=C && cd "$lib" && wc -c ./*.jar)

# Whether there is an archive of jars of these sizes that is not older than they and the JDK. The JVM uses no other
# archive.
is_current() {
  [ -e "$1" ] && { [ ! -s "$1" ] || [ "$(cat "$1.jars" 2>/dev/null)" = "$(jar_sizes)" ]; } || return 1
  for file in "$lib"/*.jar "${java%/bin/java}/release"; do
    # shellcheck disable=SC3013
    [ ! "$file" -nt "$1" ] || return 1
  done
}

# Sets archive to an existing file, empty if it cannot be made. The JVM uses an archive for jars at one path only.
find_archive() {
  name=$home${java%/bin/java}/$program-$build-java-$version
  users=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/kblake
  for place in "$cache" "$users"; do
    archive=$place$name
    ! is_current "$archive" || return 0
  done
  for place in "$cache" "$users"; do
    archive=$place$name
    if mkdir -p "${archive%/*}" 2>/dev/null && [ -w "${archive%/*}" ]; then
      make_archive "$archive"
      return 0
    fi
  done
}

# --- The start

start() {
  # The JVM uses a class archive also if further jars follow those that it was made for.
  extension=${extension:+${KBLAKE_EXTENSIONS:-$extensions}/$extension}
  all=$classpath${extension:+:$extension/*}
  set -- ${arrow:+"$opens"} ${extension:+"-Dkblake.extension=$extension"} -cp "$all" "$class" "$@"
  case ${KBLAKE_JAVA_OPTS:-} in
    # Such an option of the user would contradict this one.
    *-Xshare:* | *-XX:AOT* | *-XX:SharedArchiveFile=*) ;;
    *)
      find_archive
      if [ -s "$archive" ]; then
        # The JVM would read it page by page. No other process waits for this one.
        (cat "$archive" >/dev/null 2>&1 &)
        set -- "-XX:SharedArchiveFile=$archive" "$@"
      fi
      ;;
  esac
  set -f
  # shellcheck disable=SC2086
  exec "$java" $options ${KBLAKE_JAVA_OPTS:-} "$@"
}

set_locale
find_jars
list_jars
find_java
add_options
start "$@"
