import type { CheckedRule } from '../../agents/face.js';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { shortened } from '../../platform/text/shortened.js';
import type { AgentNode, LinkKind, StoryGraph } from '../../stories/face.js';
import type { EventEntry, TrialEntry, TrialReport } from '../report/trial-report.js';

/** Explains what a story did not do in a run, or did too much: the action before that stopped it, or led to it. */
export interface LikelyCauses {
  /** Returns why the action of this name did nothing: a clause such as `"Ask" failed: 404`; undefined if that is not known. */
  ofNothing(action: string): string | undefined;
  /** Returns what led to the action of this name, in the same form. */
  ofSurplus(action: string): string | undefined;
}

/** A run of a story that has ended. */
interface EndedRun {
  story: StoryGraph;
  report: Pick<TrialReport, 'entries' | 'waiting'>;
  /** The rules of its triggers as they were checked last, by the trigger's id. */
  rules: ReadonlyMap<number, readonly CheckedRule[]>;
}

/** Most characters of a message or a value that a clause quotes. */
const MOST_QUOTED = 80;
const MOST_RULES = 2;

/** The reason with the lowest rank is told. */
const RANKS = { broken: 0, stopped: 1, otherwise: 2 } as const;

interface Reason {
  rank: number;
  text: string;
}

/** Creates what explains a run. */
export function createLikelyCauses({ story, report, rules }: EndedRun): LikelyCauses {
  const agents = [...story.agents.values()];
  const did = grouped(report.entries, ({ agentId }) => agentId);
  const events = new Map(report.entries.flatMap((entry) => (isEvent(entry) ? [[entry.id, entry]] : [])));
  const waiting = new Set(report.waiting.map(({ agentId }) => agentId));
  const senders = sendersIn(agents);
  const isReached = ({ id }: AgentNode) => did.has(id) || waiting.has(id);

  /** Why an action that was reached did not go on as usual. */
  function stopOf({ id }: AgentNode, name: string): Reason | undefined {
    const entries = did.get(id) ?? [];
    const error = entries.map(errorIn).find((each) => each !== undefined);
    if (error !== undefined) return { rank: RANKS.broken, text: `${name} failed: ${quoted(error)}` };
    if (waiting.has(id)) return { rank: RANKS.stopped, text: `${name} was still waiting at the end` };
    if (!rules.has(id) && entries.some(({ kind }) => kind === 'silent'))
      return { rank: RANKS.stopped, text: `${name} ran and emitted no event` };
    return undefined;
  }

  /** Why an action that was reached sent nothing along a link. */
  function notSent(sender: AgentNode, kind: LinkKind): Reason | undefined {
    const name = `"${sender.name}"`;
    if (kind === 'failure') return { rank: RANKS.otherwise, text: `${name} did not fail` };
    return stopOf(sender, name) ?? decisionOf(sender, name, kind === 'normal' ? 'no_match' : 'default');
  }

  /** The rules of a trigger as they were found, if its event left by this port. */
  function decisionOf({ id }: AgentNode, name: string, port: EventEntry['port']): Reason | undefined {
    const checked = rules.get(id);
    const isMatch = port === 'default';
    const hasDone = (did.get(id) ?? []).some((entry) =>
      isEvent(entry) ? entry.port === port : entry.kind === 'silent' && !isMatch,
    );
    if (checked === undefined || !hasDone) return undefined;
    const told = checked.map(ruleText).filter((_text, index) => checked[index]?.holds === isMatch);
    const text = `${name} ${isMatch ? 'matched' : 'did not match'}: ${told.slice(0, MOST_RULES).join('; ')}`;
    return { rank: RANKS.stopped, text };
  }

  /** Goes against the links, to the nearest actions that were reached. */
  function blockedBefore(action: AgentNode): Reason | undefined {
    const seen = new Set([action.id]);
    const reasons: Reason[] = [];
    const next = [action];
    for (let at = next.shift(); at !== undefined; at = next.shift()) {
      const before = senders.get(at.id) ?? [];
      const name = at === action ? 'it' : `"${at.name}"`;
      if (at.disabled) reasons.push({ rank: RANKS.broken, text: `${name} is disabled` });
      else if (before.length === 0) reasons.push({ rank: RANKS.otherwise, text: `no link leads to ${name}` });
      for (const { sender, kind } of at.disabled ? [] : before) {
        const reason = isReached(sender) ? notSent(sender, kind) : undefined;
        if (reason !== undefined) reasons.push(reason);
        if (isReached(sender) || seen.has(sender.id)) continue;
        seen.add(sender.id);
        next.push(sender);
      }
    }
    return reasons.toSorted((left, right) => left.rank - right.rank)[0];
  }

  return {
    ofNothing(name) {
      const action = agents.find((each) => each.name === name);
      if (action === undefined) return undefined;
      if (!isReached(action)) return blockedBefore(action)?.text;
      return (stopOf(action, 'it') ?? decisionOf(action, 'it', 'no_match'))?.text;
    },
    ofSurplus(name) {
      const action = agents.find((each) => each.name === name);
      const [first] = action === undefined ? [] : (did.get(action.id) ?? []);
      // Not further than the run is long.
      let parent = first?.parentId === undefined ? undefined : events.get(first.parentId);
      for (let steps = events.size; parent !== undefined && steps > 0; steps -= 1) {
        const { agentId, port, parentId } = parent;
        const sender = story.agents.get(agentId);
        const sent = sender && (port === 'failure' ? stopOf : decisionOf)(sender, `"${sender.name}"`, port);
        if (sent !== undefined) return sent.text;
        parent = parentId === undefined ? undefined : events.get(parentId);
      }
      return undefined;
    },
  };
}

const isEvent = (entry: TrialEntry): entry is EventEntry => entry.kind === 'event';

function sendersIn(agents: readonly AgentNode[]): Map<number, { sender: AgentNode; kind: LinkKind }[]> {
  const links = agents.flatMap((sender) =>
    sender.receivers.map(({ agentId, kind }) => ({ agentId, sender, kind })),
  );
  return grouped(links, ({ agentId }) => agentId);
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Returns the message of a failure; undefined for any other entry. */
function errorIn(entry: TrialEntry): string | undefined {
  if (entry.kind === 'dead_letter') return entry.error;
  if (!isEvent(entry) || entry.port !== 'failure' || !isJsonObject(entry.payload)) return undefined;
  const { error } = entry.payload;
  const message = isJsonObject(error) ? error.message : undefined;
  return typeof message === 'string' ? message : 'its event has the error';
}

const quoted = (text: string) => shortened(text, MOST_QUOTED);

/** Returns what a rule compared: `rule 1 (field>=value "90") found 80`. */
function ruleText({ type, path, value }: CheckedRule, index: number): string {
  const compared = value === undefined ? type : `${type} ${shownValue(value)}`;
  return `rule ${index + 1} (${compared}) found ${path === undefined ? 'nothing' : shownValue(path)}`;
}

const shownValue = (value: JsonValue) => quoted(stringifyJson(value));
