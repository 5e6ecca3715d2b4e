import type { Need } from '../gallery-story.js';

/** Returns why a text cannot be the body of a sample event; undefined if it can. */
export function sampleFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'Invalid JSON.';
  }
}

/** Returns the first event of a run as text, so that its numbers keep their digits: that of the webhook, or none. */
export function firstEvent(text: string, isCalled: boolean): string {
  return isCalled ? `{"body":${text}}` : '{}';
}

/** A value of the team, as far as a template finds it. */
export interface Named {
  name: string;
  slug: string;
}

/** Returns the values that a team lacks: no value of the kind has the name, or is written so in templates. */
export function lackedBy(needs: readonly Need[], team: Record<Need['kind'], readonly Named[]>): Need[] {
  return needs.filter(({ kind, name }) => !team[kind].some((has) => has.name === name || has.slug === name));
}
