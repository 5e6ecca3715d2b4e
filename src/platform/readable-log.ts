import winston from 'winston';
import { visibleLines, visibleText } from './visible-text.js';

/** The form of log lines: JSON for machines, text for people at a terminal. */
export type LogFormat = 'json' | 'text';

/** Fields with a place of their own in a line of text. */
const PLACED = new Set(['timestamp', 'level', 'role', 'component', 'message', 'stack', 'error']);

/**
 * Returns the format of lines for people: time, level, process, component, message, then the other fields as `name=value`,
 * then the stack of an error on lines of its own. Control characters are escaped.
 */
export const readable = (): winston.Logform.Format =>
  winston.format.printf((entry) => visibleLines(lineOf(entry)));

function lineOf(entry: winston.Logform.TransformableInfo): string {
  const { timestamp, level, role, component, message, stack, error } = entry;
  const place = [role, component].filter((part) => typeof part === 'string').join('/');
  const head = [
    timestamp,
    level.padEnd(5),
    `[${place}]`,
    visibleText(String(message).replaceAll('\n', '\\n')),
  ];
  const fields = Object.entries(entry)
    .filter(([name, value]) => !PLACED.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${shown(value)}`);
  return [...head, ...fields, ...errorOf(error ?? stack)].join(' ');
}

/** Returns the message of an error given as text, or the stack of one given with its fields, on further lines. */
function errorOf(error: unknown): string[] {
  if (error === undefined || error === null) return [];
  if (typeof error === 'string')
    return error.includes('\n') ? [`\n${setIn(error)}`] : [`error=${shown(error)}`];
  const { stack, ...rest } = error as { stack?: unknown };
  return typeof stack === 'string' ? [`\n${setIn(stack)}`] : [`error=${shown(rest)}`];
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

/** Further lines are set in, so that none of them looks like an entry. */
function setIn(text: string): string {
  return text.replace(/\n(?! {4})/g, '\n    ');
}
