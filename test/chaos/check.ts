import { type StoredRun, readRuns } from './check-store.js';
import { type Ledger, isAccepted } from './load.js';
import { UNANSWERED } from './load-response.js';
import { ELEMENTS, expectedEvents } from './load-story.js';
import { type Received, repeatsOf } from './outside.js';
import type { World } from './world.js';

/** Results of a scenario. */
export interface Account {
  calls: number;
  accepted: number;
  /** Accepted calls whose run is there, whole. */
  completed: number;
  /** Accepted and not whole, and what was begun and never ended. */
  lost: number;
  /** Accepted and gone in a window that is documented; not counted as lost. */
  inWindow: number;
  /** Events and runs that are there once too often. */
  doubled: number;
  /** Calls without a response, and how many of them have a run. */
  unknown: number;
  unknownWithRun: number;
  refused: number;
  /** By status; -1 stands for no connection. */
  refusedAs: Record<string, number>;
  httpRepeats: number;
  mailRepeats: number;
  /** Sentences about promises that do not hold; at most a few of each kind. */
  broken: string[];
}

const EXAMPLES = 3;

/** Compares what was answered with what the database and the other sides have. Everything must be quiet. */
export async function takeAccount(world: World, ledger: Ledger): Promise<Account> {
  const runs = await readRuns(world.stores.db, world.story.id);
  const byNumber = groupByNumber([...runs.values()]);
  const responses = [...ledger.responses.values()];
  const broken = createComplaints();
  const accepted = responses.filter(isAccepted);
  const whole = accepted.filter(({ number }) => isWhole(byNumber.get(number)?.[0]));
  const gone = accepted.filter((response) => !byNumber.has(response.number) && world.mayBeGone(response));
  const unknown = responses.filter(({ status }) => status === UNANSWERED);
  const refused = responses.filter((response) => !isAccepted(response) && response.status !== UNANSWERED);

  for (const { number, guid } of accepted.filter((response) => !gone.includes(response))) {
    const stored = byNumber.get(number) ?? [];
    if (!isWhole(stored[0])) broken.add('accepted, but not whole', `${number} ${describe(stored[0])}`);
    else if (stored[0]?.guid !== guid)
      broken.add('another run than the answer named', `${number} ${guid ?? 'none'}`);
  }
  for (const { number, status } of refused) {
    if (byNumber.has(number)) broken.add('refused, but it has a run', `${number} (${status})`);
  }
  for (const { number, borne } of runs.values()) {
    const strange = borne.filter((each) => each !== number);
    if (strange.length > 0) broken.add("an event bears another run's number", `${number}: ${strange.join()}`);
  }
  const begun = [...runs.values()].filter(
    (run) => !isWhole(run) && !isAcceptedNumber(run.number, ledger),
  ).length;
  if (begun > 0) broken.add('begun without an answer, and not whole', `${begun} runs`);
  checkOutside(broken, byNumber, world);

  return {
    calls: responses.length,
    accepted: accepted.length,
    completed: whole.length,
    lost: accepted.length - whole.length - gone.length + begun,
    inWindow: gone.length,
    doubled: doublesIn(byNumber),
    unknown: unknown.length,
    unknownWithRun: unknown.filter(({ number }) => byNumber.has(number)).length,
    refused: refused.length,
    refusedAs: countBy(refused.map(({ status }) => String(status))),
    httpRepeats: repeatsOf(world.outside.calls()),
    mailRepeats: repeatsOf(world.outside.mails()),
    broken: broken.sentences(),
  };
}

function countBy(words: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function isAcceptedNumber(number: number | undefined, { responses }: Ledger): boolean {
  const response = number === undefined ? undefined : responses.get(number);
  return response !== undefined && isAccepted(response);
}

function groupByNumber(runs: StoredRun[]): Map<number, StoredRun[]> {
  const groups = new Map<number, StoredRun[]>();
  for (const run of runs) {
    if (run.number === undefined) continue;
    const group = groups.get(run.number);
    if (group === undefined) groups.set(run.number, [run]);
    else group.push(run);
  }
  return groups;
}

/** Every agent has put out what it had to, and the list came back in order. */
function isWhole(run: StoredRun | undefined): boolean {
  if (run?.number === undefined) return false;
  const enough = Object.entries(expectedEvents(run.number)).every(
    ([agent, count]) => (run.events[agent] ?? 0) >= count,
  );
  return enough && run.lists.every((list) => list === JSON.stringify(ELEMENTS));
}

/** Returns the fault of a run that should be over; undefined: it is whole, and nothing is in it twice. */
export function faultIn(run: StoredRun | undefined): string | undefined {
  if (run?.number === undefined || !isWhole(run)) return `not whole: ${describe(run)}`;
  return doublesIn(new Map([[run.number, [run]]])) > 0 ? `doubled: ${describe(run)}` : undefined;
}

/** A second run for one call, and every event beyond those a run has. */
function doublesIn(byNumber: Map<number, StoredRun[]>): number {
  let doubled = 0;
  for (const [number, runs] of byNumber) {
    doubled += runs.length - 1;
    const expected = expectedEvents(number);
    for (const run of runs) {
      for (const [agent, count] of Object.entries(run.events)) {
        doubled += Math.max(0, count - (expected[agent] ?? 0));
      }
    }
  }
  return doubled;
}

/** At least once for each run, always with the same key, and nothing without a run. */
function checkOutside(broken: Complaints, byNumber: Map<number, StoredRun[]>, { outside }: World): void {
  const sides: [string, Received][] = [
    ['HTTP request', outside.calls()],
    ['mail', outside.mails()],
  ];
  for (const [kind, received] of sides) {
    for (const number of byNumber.keys()) {
      if (!received.has(number)) broken.add(`the ${kind} never came`, String(number));
    }
    for (const [number, keys] of received) {
      if (!byNumber.has(number)) broken.add(`a ${kind} came without a run`, String(number));
      if (new Set(keys).size > 1)
        broken.add(`a ${kind} came again with another key`, `${number} ${keys.join(' ')}`);
    }
  }
}

function describe(run: StoredRun | undefined): string {
  return run === undefined ? 'no run' : JSON.stringify({ ...run.events, lists: run.lists });
}

interface Complaints {
  add(kind: string, example: string): void;
  sentences(): string[];
}

function createComplaints(): Complaints {
  const examples = new Map<string, string[]>();
  return {
    add: (kind, example) => void examples.set(kind, [...(examples.get(kind) ?? []), example]),
    sentences: () =>
      [...examples].map(
        ([kind, found]) => `${found.length} × ${kind}: ${found.slice(0, EXAMPLES).join('; ')}`,
      ),
  };
}
