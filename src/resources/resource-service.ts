import Joi from 'joi';
import { PayloadTooLarge } from '../platform/errors.js';
import type { JsonValue } from '../platform/json.js';
import { valid } from '../platform/validation/validate.js';
import { slugOf } from '../platform/text/slug.js';
import { nameField } from '../access/tenants/name-field.js';
import type { Resource, ResourceStore } from './resource-store.js';
import { stringifyJson } from '../platform/json/exact-number.js';
import { jsonObject } from '../platform/validation/json-object.js';

const MAX_VALUE_BYTES = 4 * 1024 * 1024;

const resourceInput = Joi.object<{ name: string; value: JsonValue }>({
  name: nameField.required(),
  value: Joi.alternatives(Joi.string().allow(''), Joi.array(), jsonObject())
    .required()
    .messages({ 'alternatives.types': '{{#label}} must be a text, a list or an object' }),
});

export type ResourceService = ReturnType<typeof createResourceService>;

/** Values shared by a team's stories (spec §3.8). It checks no permissions: routes do that first. */
export function createResourceService({ store }: { store: ResourceStore }) {
  return {
    /** Creates the resource, or replaces its value. */
    async set(teamId: number, name: string, value: JsonValue): Promise<Resource> {
      const input = valid(resourceInput, { name, value });
      requireSize(input.value);
      const resource = { name: input.name, slug: slugOf(input.name), value: input.value };
      await store.save(teamId, resource);
      return resource;
    },

    /** Returns every resource of the team. */
    listValues: (teamId: number): Promise<Resource[]> => store.list(teamId),
  };
}

/** @throws PayloadTooLarge for a value that is too large for a resource. */
export function requireSize(value: JsonValue): void {
  if (Buffer.byteLength(stringifyJson(value)) <= MAX_VALUE_BYTES) return;
  throw new PayloadTooLarge(`A resource may have ${MAX_VALUE_BYTES} bytes at most`);
}
