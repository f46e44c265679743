# kblake and kblogrd read this to make an archive of loaded classes.

# Runs typical requests on a small archive: rehearse OPTION... CLASS. The options name the file for the classes;
# lib and run_java are the launcher's.
rehearse() (
  work=$(mktemp -d) || exit 1
  trap 'rm -rf "$work"' EXIT
  run_java -cp "$lib/*" org.kblake.cli.Kblake simulate -q --days 0.1 --start 20220301 "$work/archive" &&
    run_java --add-opens=java.base/java.nio=ALL-UNNAMED -cp "$lib/*" org.kblake.cli.Kblake backfill -q \
      --archive "$work/archive" --store "$work/store" --memory 64M --to 2022030101 &&
    run_java "$@" "$work/archive" "$work/store" BM/DCCT 202203010010 202203010150 BMLDCCT:CURRENT
)
