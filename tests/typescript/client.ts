// A client that plays its first legal action to the end of a match; it is only compiled, with the types made from
// openapi/openapi.json (`schema.d.ts`). What must not compile is marked, and then must not.

import type { components, operations, paths } from "./schema";

type Schemas = components["schemas"];
type Match = Schemas["Match"];
type Answer<Operation extends keyof operations, Status extends keyof operations[Operation]["responses"]> =
  operations[Operation]["responses"][Status] extends { content: { "application/json": infer Body } } ? Body : never;
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]["parameters"]["query"]>;

const opening: Schemas["NewMatch"] = {
  game: "last-lemming",
  seats: [{ kind: "me", name: "Ada" }, { kind: "ai", level: 3 }, { kind: "bot", bot: "tortoise" }],
};

// @ts-expect-error: a seat has no such kind
const wrong: Schemas["NewMatch"] = { game: "last-lemming", seats: [{ kind: "nobody" }] };

async function send<Body>(path: keyof paths, method: string, token: string, body?: unknown): Promise<Body> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const response = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  if (!response.ok) {
    const problem = (await response.json()) as Schemas["Problem"];
    throw new Error(`${problem.code}: ${problem.detail}`);
  }
  return (await response.json()) as Body;
}

export async function play(): Promise<Match["outcome"]> {
  const created = await send<Answer<"create_match", 201>>("/v1/matches", "POST", "", opening);
  const token: string = created.token ?? "";
  let match: Match = created.match;
  const waiting: Query<"show_match"> = { wait: 25 };
  while (match.status === "running") {
    const action: Schemas["Action"] | undefined = match.legal_actions[0];
    if (action === undefined) {
      match = await send<Answer<"show_match", 200>>("/v1/matches/{match_id}", "GET", token, waiting);
      continue;
    }
    const sequence: Schemas["Sequence"] = { version: match.version, actions: [action] };
    match = await send<Match>("/v1/matches/{match_id}/actions", "POST", token, sequence);
  }
  const log: Answer<"list_events", 200> = await send("/v1/matches/{match_id}/events", "GET", token);
  const kinds: string[] = log.entries.flatMap((entry) => entry.events.map((event) => event.type));
  const cup: Schemas["NewTournament"] = { game: match.game, entrants: [{ kind: "ai", level: 1 }, { kind: "ai", level: 2 }] };
  const made: Answer<"create_tournament", 201> = await send("/v1/tournaments", "POST", "", cup);
  const best: Schemas["Score"] | undefined = made.tournament.standings[0];
  console.log(kinds, best?.rating.interval);

  // @ts-expect-error: a status there is not
  if (match.status === "finished") throw new Error();
  // @ts-expect-error: a version is a number
  const version: string = match.version;
  return match.outcome;
}
