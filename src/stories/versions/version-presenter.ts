import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../api/face.js';
import type { JsonObject } from '../../platform/json.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { authorSchema, presentAuthor } from './version-author.js';
import type { VersionRecord } from './version-store.js';

/** A version in a response; `export_file` is there only if one version is asked for. */
export function presentVersion(version: VersionRecord, exported?: JsonObject) {
  return {
    id: version.id,
    story_id: version.storyId,
    number: version.number,
    name: version.name,
    description: version.description,
    source: version.source,
    size: version.size,
    user: presentAuthor(version),
    timestamp: timestamp(version.updatedAt),
    created_at: timestamp(version.createdAt),
    updated_at: timestamp(version.updatedAt),
    ...(exported !== undefined && { export_file: exported }),
  };
}

/** The schema of `presentVersion`, without `export_file`. */
export const versionSchema = component(
  'StoryVersion',
  responseSchema({
    id: idSchema,
    story_id: idSchema,
    number: Joi.number().integer().description('Version number in the story, from 1'),
    name: Joi.string().allow(null),
    description: Joi.string().allow('', null),
    source: Joi.string()
      .valid('before', 'edit', 'import', 'restore', 'draft', 'request', 'files', 'step', 'promotion')
      .description(
        'Type of the change; `before`: the state before the first recorded change; `files`: files have this state; `step`: an update from a step',
      ),
    size: Joi.number().integer().description('Size of the state in bytes, before compression'),
    user: authorSchema.description('The user who made the change'),
    timestamp: timeSchema.description('Same as updated_at'),
    created_at: timeSchema,
    updated_at: timeSchema.description('Edits by one user within a minute are merged into one version'),
  }),
);

/** A version for examples. */
export const versionExample = {
  id: 71,
  story_id: 12,
  number: 4,
  name: 'Before the audit',
  description: 'As agreed on Monday',
  source: 'edit',
  size: 1_204,
  user: { id: 3, first_name: 'Ada', last_name: 'Byron', email: 'ada@fabula.example' },
  timestamp: '2026-11-21T09:30:00Z',
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};
