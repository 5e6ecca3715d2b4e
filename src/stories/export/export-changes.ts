import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import { mapValues } from './export-form.js';
import { WEBHOOK_TYPE } from '../import/import-address.js';

/** The changes that a request for an export may ask for. */
export interface ExportChanges {
  /** New paths and secrets for all webhooks: the copy cannot take calls of the original. */
  randomizeUrls: boolean;
  /** Without the addresses that are told of failures. */
  clearRecipients: boolean;
}

/** Returns an export with the changes, in its embedded stories too. */
export function changedExport(story: JsonObject, changes: ExportChanges): JsonObject {
  if (!changes.randomizeUrls && !changes.clearRecipients) return story;
  return mapValues(story, (value, key) => {
    if (key === 'recipients' && changes.clearRecipients) return [];
    if (key === 'send_to_stories') return eachObject(value, (embedded) => changedExport(embedded, changes));
    if (key === 'agents' && changes.randomizeUrls) return eachObject(value, withNewAddress);
    return value;
  });
}

function eachObject(list: JsonValue, change: (item: JsonObject) => JsonObject): JsonValue {
  return Array.isArray(list) ? list.map((item) => (isJsonObject(item) ? change(item) : item)) : list;
}

function withNewAddress(agent: JsonObject): JsonObject {
  const { type, options } = agent;
  if (type !== WEBHOOK_TYPE || options === undefined || !isJsonObject(options)) return agent;
  const address = { path: newWord(), secret: newWord() };
  return mapValues(agent, (value, key) => (key === 'options' ? mergedObjects(options, address) : value));
}

/** 32 hexadecimal digits. */
function newWord(): string {
  return randomBytes(16).toString('hex');
}
