import { counted } from '../../platform/text/counted.js';
import { visibleText } from '../../platform/visible-text.js';
import type { AgentLogLevel } from '../../agents/face.js';
import { entriesOf, mailOf, type TrialEntry, type TrialReport } from './trial-report.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** Most characters of a payload shown without `full`. */
const SHORT_PAYLOAD = 120;
/** Deeper lines are not indented further: a loop may be thousands of events deep. */
const MAX_INDENT = 30;
const SHOWN_LEVELS: AgentLogLevel[] = ['warn', 'error'];

export interface TrialTextOptions {
  /** Shows whole payloads, and log lines of every level. */
  full: boolean;
}

/** Returns a trial as text: a tree of events with the entries of their agents, and a summary. */
export function trialText(report: TrialReport, options: TrialTextOptions): string {
  const lines = [...treeLines(report, options), '', ...summaryLines(report)];
  // Names and payloads come from outside: their line ends and escape sequences must not reach the terminal.
  return lines.map((line) => visibleText(line.replace(/\s/g, ' '))).join('\n');
}

interface Branch {
  entry: TrialEntry;
  depth: number;
  /** Simulated time of its parent, in ms. */
  beganMs: number;
}

function treeLines({ entries }: TrialReport, options: TrialTextOptions): string[] {
  const shown = entries.filter((entry) => options.full || isImportant(entry));
  const children = childrenOf(shown);
  const below = (id: number | undefined, depth: number, beganMs: number): Branch[] =>
    (children.get(id) ?? []).toReversed().map((entry) => ({ entry, depth, beganMs }));
  const lines: string[] = [];
  // Not recursive: a chain of events may be deeper than the stack.
  const pending = below(undefined, 0, 0);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { entry, depth } = next;
    lines.push(`${'  '.repeat(Math.min(depth, MAX_INDENT))}${lineOf(next, options)}`);
    const id = idOf(entry);
    if (id !== undefined) pending.push(...below(id, depth + 1, entry.elapsedMs));
  }
  return lines;
}

function isImportant(entry: TrialEntry): boolean {
  return entry.kind !== 'log' || SHOWN_LEVELS.includes(entry.level);
}

/** Returns the entries by parent event; those without a parent under undefined. */
function childrenOf(entries: TrialEntry[]): Map<number | undefined, TrialEntry[]> {
  const ids = new Set(entries.map(idOf));
  const children = new Map<number | undefined, TrialEntry[]>();
  for (const entry of entries) {
    const parent = ids.has(entry.parentId) ? entry.parentId : undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [entry]);
    else siblings.push(entry);
  }
  return children;
}

/** Returns the id by which other entries name this one as parent. */
function idOf(entry: TrialEntry): number | undefined {
  if (entry.kind === 'event') return entry.id;
  return entry.kind === 'call' ? entry.inputId : undefined;
}

function lineOf({ entry, beganMs }: Branch, options: TrialTextOptions): string {
  const waited = entry.elapsedMs > beganMs ? [`after ${seconds(entry.elapsedMs - beganMs)}`] : [];
  return [entry.agent, ...waited, ...partsOf(entry, options)].join('  ');
}

function seconds(ms: number): string {
  return `${Math.round(ms) / 1000} s`;
}

function partsOf(entry: TrialEntry, { full }: TrialTextOptions): string[] {
  switch (entry.kind) {
    case 'event':
      return [`[#${entry.id}]`, shortened(stringifyJson(entry.payload), full)];
    case 'request': {
      const { method, url, status, reason } = entry;
      return [
        `${method} ${shortened(url, full)}`,
        reason === undefined ? `${status}` : `no response: ${reason}`,
      ];
    }
    case 'mail': {
      const { to, subject } = mailOf(entry.mail);
      return [`mail to ${to.join(', ')}`, subject];
    }
    case 'dead_letter':
      return [`dead letter: ${entry.error}`];
    case 'log':
      return [`${entry.level}: ${entry.message}`];
    case 'prompt':
      return [`prompt "${entry.status}"`];
    case 'record':
      return [`record of type "${entry.recordType}"`, shortened(stringifyJson(entry.record.values), full)];
    case 'silent':
      return ['no event'];
    default:
      return [`calls "${entry.calledStory}"`];
  }
}

function shortened(text: string, full: boolean): string {
  return full || text.length <= SHORT_PAYLOAD ? text : `${text.slice(0, SHORT_PAYLOAD)}…`;
}

function summaryLines(report: TrialReport): string[] {
  const { unanswered, missing, importOnly, waiting, stopped } = report;
  const counts = [
    counted(entriesOf(report, 'event').length, 'event'),
    counted(entriesOf(report, 'request').length, 'request'),
    counted(entriesOf(report, 'mail').length, 'mail'),
    counted(entriesOf(report, 'dead_letter').length, 'dead letter'),
  ];
  return [
    counts.join(', '),
    ...(stopped === undefined ? [] : [`stopped: ${stopped}`]),
    ...unanswered.map((request) => `no rule matches ${request}`),
    ...missing.credentials.map((name) => `missing credential: ${name}`),
    ...missing.resources.map((name) => `missing resource: ${name}`),
    ...importOnly.map(({ agent, reason }) => `cannot run here: ${agent}: ${reason}`),
    ...waiting.map(({ agent, parentId = '-' }) => `still waiting at the end: ${agent} on #${parentId}`),
  ];
}
