import Joi from 'joi';
import { type AnyRoute, defineRoute, defineUpdate, responseSchema } from '../../../api/face.js';
import { idField, type IdParams, idParams } from '../../../platform/http/address/path-id.js';
import type { JsonObject } from '../../../platform/json.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import { metadataField } from '../case-input.js';
import type { MetadataService } from './metadata-service.js';
import { CASE_PATH } from './part-params.js';
import { jsonObject } from '../../../platform/validation/json-object.js';

interface Services {
  cases: { metadata: MetadataService };
}

interface KeyParams extends IdParams {
  key: string;
}

interface PairsBody {
  metadata: JsonObject;
}

interface KeysBody {
  metadata: string[] | JsonObject;
}

const TAG = 'Case metadata';
const METADATA = `${CASE_PATH}/metadata`;
const example = { metadata: { reporter: 'finance', mails: 3 } };
const response = responseSchema({ metadata: Joi.object().unknown(true) });
const pairsBody = Joi.object<PairsBody>({ metadata: metadataField.required() });
const keysBody = Joi.object<KeysBody>({
  metadata: Joi.alternatives(Joi.array().items(Joi.string()).max(1000), jsonObject())
    .required()
    .description('A list of keys, or an object of which only the keys are used'),
});

/** Metadata of a case (spec §7.4). */
export const metadataRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: METADATA,
    summary: 'Get the metadata of a case',
    params: idParams,
    docs: {
      description: 'All keys with their values, in the order they were added.',
      tag: TAG,
      response,
      example: { params: { id: 42 }, response: example },
      errors: [404],
    },
    async handle({ actor, params }, { cases }) {
      return { metadata: await cases.metadata.get(actor, params.id) };
    },
  }),

  defineRoute<KeyParams, unknown, unknown, Services>({
    method: 'get',
    path: `${METADATA}/:key`,
    summary: 'Get the value of one metadata key',
    params: Joi.object<KeyParams>({
      id: idField.required(),
      key: Joi.string().max(255).required().description('The key'),
    }),
    docs: {
      tag: TAG,
      operationId: 'getCaseMetadataValue',
      description: 'URL-encode the key. Unknown keys return 404.',
      response,
      example: { params: { id: 42, key: 'mails' }, response: { metadata: { mails: 3 } } },
      errors: [404, 422],
    },
    async handle({ actor, params }, { cases }) {
      return { metadata: await cases.metadata.getPair(actor, params.id, params.key) };
    },
  }),

  defineRoute<IdParams, unknown, PairsBody, Services>({
    method: 'post',
    path: METADATA,
    summary: 'Add metadata to a case',
    status: 201,
    params: idParams,
    body: pairsBody,
    audit: 'case_metadata.create',
    docs: {
      tag: TAG,
      description: 'The response contains all metadata.',
      response,
      example: { params: { id: 42 }, body: { metadata: { mails: 3 } }, response: example },
      errors: [400, 403, 404, 409, 413, 415, 422],
    },
    check: ({ actor, params }, { cases }) => cases.metadata.check(actor, params.id),
    async handle({ actor, params, body }, { cases }) {
      return { metadata: await cases.metadata.add(actor, params.id, body.metadata) };
    },
  }),

  ...defineUpdate<IdParams, unknown, PairsBody, Services>({
    path: METADATA,
    summary: 'Set metadata of a case',
    params: idParams,
    body: pairsBody,
    audit: 'case_metadata.update',
    docs: {
      tag: TAG,
      description: 'Other keys are unchanged. The response contains all metadata.',
      response,
      example: { params: { id: 42 }, body: { metadata: { mails: 3 } }, response: example },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params }, { cases }) => cases.metadata.check(actor, params.id),
    async handle({ actor, params, body }, { cases }) {
      return { metadata: await cases.metadata.set(actor, params.id, body.metadata) };
    },
  }),

  defineRoute<IdParams, unknown, KeysBody, Services>({
    method: 'delete',
    path: METADATA,
    summary: 'Delete metadata of a case',
    status: 204,
    params: idParams,
    body: keysBody,
    audit: 'case_metadata.delete',
    docs: {
      description:
        'Removes the listed keys; unknown keys are rejected by name. The response contains the remaining metadata.',
      tag: TAG,
      example: { params: { id: 42 }, body: { metadata: ['mails'] } },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, params, body: { metadata } }, { cases }) =>
      cases.metadata.check(actor, params.id, metadata && keysIn(metadata)),
    handle: ({ actor, params, body: { metadata } }, { cases }) =>
      cases.metadata.remove(actor, params.id, keysIn(metadata)),
  }),
];

/** Returns the keys that a list names, or the keys of an object. */
function keysIn(metadata: string[] | object): string[];
function keysIn(metadata: Usable<string[]> | object): Usable<string[]>;
function keysIn(metadata: Usable<string[]> | object): Usable<string[]> {
  return isList(metadata) ? metadata : Object.keys(metadata);
}

function isList(metadata: Usable<string[]> | object): metadata is Usable<string[]> {
  return Array.isArray(metadata);
}
