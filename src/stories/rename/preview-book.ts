import { positionsIn, type Renaming, splicedText } from '../../language/face.js';
import type { Problem } from '../../platform/errors.js';
import { shortened } from '../../platform/text/shortened.js';
import type { PreviewPart, RenamedPlace, PreviewText, SharedSlug, UnsureText } from './rename-preview.js';
import type { Keys } from './renamed-value.js';

/** Most places of each list: more are no use to a reader. */
const MOST_PLACES = 1_000;
/** Characters shown on both sides of a place. */
const AROUND = 60;

/** Collects what a rename changes, shares and cannot know. */
export class PreviewBook {
  count = 0;
  readonly places: RenamedPlace[] = [];
  readonly unsure: UnsureText[] = [];
  readonly problems: Problem[] = [];
  readonly #shared = new Map<string, SharedSlug['places']>();

  /** Adds the places of a text that changes. */
  change(text: PreviewText, source: string, at: readonly number[], renaming: Renaming): void {
    this.count += at.length;
    const shown = at.slice(0, MOST_PLACES - this.places.length);
    this.places.push(...shownPlaces(text, { source, at: shown, renaming, renamed: true }));
  }

  /** Adds places that may mean another action with the slug. */
  share(slug: string, text: PreviewText, shown: ShownPlaces): void {
    const known = this.#shared.get(slug) ?? [];
    this.#shared.set(slug, known);
    const at = shown.at.slice(0, MOST_PLACES - known.length);
    const { renamed } = shown;
    known.push(...shownPlaces(text, { ...shown, at }).map((place) => ({ ...place, renamed })));
  }

  doubt(text: PreviewText, reason: string): void {
    if (this.unsure.length < MOST_PLACES) this.unsure.push({ ...text, reason });
  }

  sharedPlaces(slug: string): SharedSlug['places'] {
    return this.#shared.get(slug) ?? [];
  }
}

interface ShownPlaces {
  source: string;
  at: readonly number[];
  renaming: Renaming;
  renamed: boolean;
}

/** Returns a text of a part: `options.payload.fields[0].text`. */
export function textAt(part: PreviewPart, keys: Keys): PreviewText {
  const path = keys.map((key, index) =>
    typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${shortened(key, 200)}`,
  );
  return { ...part, path: path.join(''), keys: [...keys] };
}

/** Returns the places, each with its line around it, as it is and as it becomes. */
function shownPlaces(text: PreviewText, { source, at, renaming, renamed }: ShownPlaces): RenamedPlace[] {
  const positionOf = positionsIn(source);
  const { length } = renaming.from;
  return at.map((place) => {
    const { line, column } = positionOf(place);
    const start = Math.max(place - column + 1, place - AROUND);
    const lineEnd = source.indexOf('\n', place);
    const end = Math.min(lineEnd === -1 ? source.length : lineEnd, place + length + AROUND);
    const before = source.slice(start, end);
    const within = at.filter((other) => other >= start && other + length <= end);
    const after = splicedText(before, renamed ? within.map((other) => other - start) : [], renaming);
    return { ...text, line, column, before, after };
  });
}
