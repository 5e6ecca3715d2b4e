import { PreconditionFailed } from '../../platform/errors.js';

/** The story of a request, and the version that it expects: the header `If-Match`; undefined: any version. */
export interface Expecting {
  id: number;
  ifMatch?: string | undefined;
}

/** Returns the entity tag of a version of a story. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Returns true if `If-Match` allows a change of this version: `"7"`, a list of such, or `*`. Absent: any version. */
export function isExpected(ifMatch: string | undefined, version: number): boolean {
  if (ifMatch === undefined) return true;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(etagOf(version));
}

/** Compares the story, read under its lock, with `If-Match`. @throws PreconditionFailed with the tag of its version. */
export function requireExpected(ifMatch: string | undefined, { version }: { version: number }): void {
  if (isExpected(ifMatch, version)) return;
  const message = `The current version of the story is ${version}, which does not match "If-Match". Nothing was changed`;
  throw new PreconditionFailed([{ message, details: 'If-Match' }], { headers: { ETag: etagOf(version) } });
}

/** A thing of a story that was just changed, with the version that the story has now. */
export interface Changed {
  /** Undefined: it was only read. */
  storyVersion?: number | undefined;
}

/** Returns the version that the story has after the edit at work, which increments it once. */
export function versionAfter({ version }: { version: number }): number {
  return version + 1;
}

/** Returns the entity tag of the story after the change; undefined if there was none. */
export function tagAfter({ storyVersion }: Changed): string | undefined {
  return storyVersion === undefined ? undefined : etagOf(storyVersion);
}
