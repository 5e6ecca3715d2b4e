import Joi from 'joi';
import { component, idSchema, responseSchema, timeSchema } from '../../../api/face.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { DraftRecord } from '../draft-store.js';

/** A draft in a response. */
export function presentDraft(draft: DraftRecord) {
  return {
    id: draft.id,
    name: draft.name,
    story_id: draft.storyId,
    team_id: draft.teamId,
    user_id: draft.userId,
    guid: draft.guid,
    mode: 'TEST',
    base_version: draft.baseVersion,
    created_at: timestamp(draft.createdAt),
    updated_at: timestamp(draft.updatedAt),
  };
}

export const draftSchema = component(
  'Draft',
  responseSchema({
    id: idSchema.description('The `draft_id`, which is also a story id'),
    name: Joi.string(),
    story_id: idSchema.description('The live story of the draft'),
    team_id: idSchema,
    user_id: idSchema.description('The user who created it'),
    guid: Joi.string().hex().length(32),
    mode: Joi.string().valid('TEST').description('Always `TEST`: its runs and records are tests'),
    base_version: Joi.number()
      .integer()
      .allow(null)
      .description('The live version that it was created from or last updated to; null if unknown'),
    created_at: timeSchema,
    updated_at: timeSchema,
  }),
);

/** A draft for examples. */
export const draftExample = {
  id: 44,
  name: 'Second opinion',
  story_id: 12,
  team_id: 2,
  user_id: 3,
  guid: '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  mode: 'TEST',
  base_version: 7,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};
