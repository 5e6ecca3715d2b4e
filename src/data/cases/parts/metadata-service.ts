import type { Actor } from '../../../api/face.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import { CASE_LIMITS } from '../case.js';
import { refuseCasePeople } from '../people/case-people.js';
import { type CaseDatabase, type CaseScene, changeCase, checkCaseChange, readPart } from '../case-scene.js';
import { updateCase } from '../case-store.js';
import { changedKeys } from '../changed-keys.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { mergedObjects, orderedObject } from '../../../platform/json/ordered-object.js';

export type MetadataService = ReturnType<typeof createMetadataService>;

/** Creates the service of a case's key-value pairs (spec §7.4). `add` and `set` return all pairs after the change. */
export function createMetadataService({ database }: { database: CaseDatabase }) {
  return {
    get: (actor: Actor, caseId: number): Promise<JsonObject> =>
      readPart(database, actor, caseId, ({ stored }) => Promise.resolve(stored.metadata)),

    /** Returns the pair with this key as an object. @throws NotFound if the key does not exist. */
    getPair: (actor: Actor, caseId: number, key: string): Promise<JsonObject> =>
      readPart(database, actor, caseId, ({ stored: { metadata } }) => {
        const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
        if (value === undefined) throw new NotFound('Metadata key');
        return Promise.resolve(orderedObject([[key, value]]));
      }),

    /** Adds pairs. @throws Conflict that names every key that already exists. */
    add: (actor: Actor, caseId: number, pairs: JsonObject): Promise<JsonObject> =>
      changeCase(database, actor, caseId, async (scene) => {
        const { metadata } = scene.stored;
        const taken = Object.keys(pairs).filter((key) => Object.hasOwn(metadata, key));
        if (taken.length > 0) throw new Conflict(taken.map((key) => problem(key, 'exists already')));
        return store(scene, mergedObjects(metadata, pairs));
      }),

    /** Sets pairs, whether or not their keys exist; all other pairs stay unchanged. */
    set: (actor: Actor, caseId: number, pairs: JsonObject): Promise<JsonObject> =>
      changeCase(database, actor, caseId, (scene) =>
        store(scene, mergedObjects(scene.stored.metadata, pairs)),
      ),

    /** Returns the problems of the valid keys to remove. @throws NotFound and Forbidden as `remove`. */
    check: (actor: Actor, caseId: number, keys: Usable<string[]> = []): Promise<Problem[]> =>
      checkCaseChange(database, actor, caseId, async ({ stored }) => missingKeys(stored.metadata, keys)),

    /** Removes pairs. @throws Unprocessable that names every key that does not exist. */
    remove: async (actor: Actor, caseId: number, keys: readonly string[]): Promise<void> => {
      await changeCase(database, actor, caseId, (scene) => {
        const { metadata } = scene.stored;
        refuseCasePeople(missingKeys(metadata, keys));
        const gone = new Set(keys);
        return store(scene, orderedObject(Object.entries(metadata).filter(([key]) => !gone.has(key))));
      });
    },
  };
}

function missingKeys(metadata: JsonObject, keys: Usable<string[]>): Problem[] {
  return keys.flatMap((key, index) =>
    key === undefined || Object.hasOwn(metadata, key)
      ? []
      : [{ ...problem(key, 'does not exist'), details: `metadata[${index}]` }],
  );
}

function problem(key: string, what: string): Problem {
  return { message: `The key "${key}" ${what}`, details: `metadata.${key}` };
}

async function store(scene: CaseScene, metadata: JsonObject): Promise<JsonObject> {
  const { stored, session } = scene;
  if (stringifyJson(metadata).length > CASE_LIMITS.metadataCharacters) {
    const message = `The metadata would exceed ${CASE_LIMITS.metadataCharacters} characters as JSON`;
    throw new Unprocessable([{ message, details: 'metadata' }]);
  }
  const keys = changedKeys(stored.metadata, metadata);
  if (keys.length === 0) return metadata;
  await updateCase(stored.id, { metadata }, session);
  await scene.note('METADATA_UPDATED', keys.join(','));
  return metadata;
}
