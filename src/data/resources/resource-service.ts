import Joi from 'joi';
import type { JsonValue } from '../../platform/json.js';
import { valid } from '../../platform/validation/validate.js';
import { slugOf } from '../../platform/text/slug.js';
import { nameField } from '../../people/face.js';
import { requireSize } from './resource-value.js';
import type { Resource, ResourceValuesStore } from './resource-values-store.js';
import { jsonObject } from '../../platform/validation/json-object.js';

const resourceInput = Joi.object<{ name: string; value: JsonValue }>({
  name: nameField.required(),
  value: Joi.alternatives(Joi.string().allow(''), Joi.array(), jsonObject())
    .required()
    .messages({ 'alternatives.types': '{{#label}} must be a text, a list or an object' }),
});

export type ResourceService = ReturnType<typeof createResourceService>;

/** Values shared by a team's stories (spec §3.8). It checks no permissions: routes do that first. */
export function createResourceService({ store }: { store: ResourceValuesStore }) {
  return {
    /** Creates the resource, or replaces its value. */
    async set(teamId: number, name: string, value: JsonValue): Promise<Resource> {
      const input = valid(resourceInput, { name, value });
      requireSize(input.value);
      const resource = { name: input.name, slug: slugOf(input.name), value: input.value };
      await store.save(teamId, resource);
      return resource;
    },

    /** Returns every resource that the team's stories may use; `isTest`: with the test values, where enabled. */
    listValues: (teamId: number, isTest = false): Promise<Resource[]> => store.list(teamId, isTest),
  };
}
