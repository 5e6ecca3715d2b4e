import { shortened } from '../../platform/text/shortened.js';
import { slugOf } from '../../platform/text/slug.js';
import type { JsonObject } from '../../platform/json.js';
import type { TemplatePath } from '../template.js';
import { isRecord, stepInto } from '../values/values.js';

/** Most missing paths that are told of one text, and characters of one. */
const MOST_PATHS = 20;
const MOST_CHARACTERS = 200;
const PLAIN_KEY = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** A path that an event lacks, up to its first missing step: `receive.body.nmae`. */
export interface MissingPath extends Pick<TemplatePath, 'line' | 'column' | 'isGuarded'> {
  path: string;
}

/** What else a text of this language may refer to. */
export interface MissingPathOptions {
  language: 'liquid' | 'formula';
  /** Names that other texts of the action set. */
  set: ReadonlySet<string>;
}

/**
 * Returns the paths that the event lacks, each once: at its first use that nothing guards, else at its first. Names that
 * cannot be slugs are roots such as `META`, unless the event has them.
 */
export function missingPaths(
  paths: readonly TemplatePath[],
  event: JsonObject,
  { language, set }: MissingPathOptions,
): MissingPath[] {
  const found = new Map<string, MissingPath>();
  for (const { steps, ...place } of paths) {
    const root = String(steps[0]);
    if (!Object.hasOwn(event, root) && (slugOf(root) !== root || set.has(root))) continue;
    const index = firstMissing(steps, event, language);
    if (index === -1) continue;
    const path = shortened(pathText(steps.slice(0, index + 1)), MOST_CHARACTERS);
    const known = found.get(path);
    if (known === undefined ? found.size < MOST_PATHS : known.isGuarded && !place.isGuarded) {
      found.set(path, { path, ...place });
    }
  }
  return [...found.values()];
}

/** Returns the index of the first step that leads nowhere; -1: there is none. */
function firstMissing(
  steps: TemplatePath['steps'],
  event: JsonObject,
  language: MissingPathOptions['language'],
): number {
  let value: unknown = event;
  return steps.findIndex((step, index) => {
    const holder = value;
    value = index === 0 ? ownValue(event, String(step)) : stepInto(holder, String(step));
    // Liquid gives the first pair of an object.
    if (value === undefined && language === 'liquid' && step === 'first' && isRecord(holder)) {
      [value] = Object.entries(holder);
    }
    return value === undefined;
  });
}

function ownValue(event: JsonObject, key: string): unknown {
  return Object.hasOwn(event, key) ? event[key] : undefined;
}

function pathText(steps: TemplatePath['steps']): string {
  return steps
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (index === 0) return step;
      return PLAIN_KEY.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join('');
}
