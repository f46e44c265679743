package org.kblake.server.internal.appliance;

import io.javalin.config.RoutesConfig;
import java.util.List;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.Door;

/** The retrieval protocol of the EPICS Archiver Appliance. docs/server.md describes it. */
public final class RetrievalDoor implements Door {

  private static final List<String> BASES = List.of("/retrieval", "/archappl_retrieve");

  private final DataRequests data;
  private final ValuesAtTime values;
  private final NameRequests names;
  private final ServerFacts facts = new ServerFacts();

  public RetrievalDoor(ServedArchive archive) {
    data = new DataRequests(archive);
    values = new ValuesAtTime(archive);
    names = new NameRequests(archive);
  }

  @Override
  public String name() {
    return "appliance";
  }

  @Override
  public void addTo(RoutesConfig routes) {
    for (String base : BASES) {
      routes.get(base + "/data/getData.{extension}", data::one);
      routes.get(base + "/data/getDataForPVs.{extension}", data::several);
      routes.post(base + "/data/getDataForPVs.{extension}", data::posted);
      routes.post(base + "/data/getDataAtTime", values::answer);
      routes.get(base + "/bpl/getMatchingPVs", names::matching);
      routes.get(base + "/bpl/searchForPVsRegex", names::search);
      routes.get(base + "/bpl/getMetadata", names::metadata);
      routes.get(base + "/bpl/areWeArchivingPV", names::archiving);
      routes.get(base + "/bpl/getVersion", facts::version);
      routes.get(base + "/ping", facts::ping);
    }
    routes.get("/mgmt/bpl/getApplianceInfo", facts::appliance);
  }
}
