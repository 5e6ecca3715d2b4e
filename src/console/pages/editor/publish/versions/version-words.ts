import type { StoryVersion } from '../../../../../../clients/typescript/api.js';

const SOURCES: Record<StoryVersion['source'], string> = {
  before: 'state before the first kept change',
  edit: 'edited',
  import: 'imported',
  restore: 'restored',
  draft: 'published or updated a draft',
  request: 'published a change request',
  files: 'pushed files',
  step: 'updated from a step',
  promotion: 'promoted from another tenant',
};

/** Returns the name of a version: its own, else its number. */
export function versionName({ name, number }: Pick<StoryVersion, 'name' | 'number'>): string {
  return name === null || name === '' ? `Version ${number}` : name;
}

/** Returns what made a version: `edited`. */
export function sourceWords({ source }: Pick<StoryVersion, 'source'>): string {
  return SOURCES[source];
}

/** Returns the name of the person who made a version. */
export function authorName({ user }: Pick<StoryVersion, 'user'>): string {
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ');
  return name || user.email || 'a deleted user';
}
