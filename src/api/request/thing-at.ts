/** What the things of a collection are called in answers, where it is not their name in the path. */
const NAMES: Readonly<Record<string, string>> = {
  agents: 'Action',
  annotations: 'Note',
  api_keys: 'API key',
  global_resources: 'Resource',
  logs: 'Log line',
  runs: 'Story run',
  user_credentials: 'Credential',
};

/** Returns what a parameter of a path names: `Story run` for `guid` of `/api/v1/stories/:id/runs/:guid`. */
export function thingAt(path: string, parameter: string): string {
  const parts = path.split('/');
  const collection = parts[parts.indexOf(`:${parameter}`) - 1] ?? '';
  return NAMES[collection] ?? capital(singular(collection).replaceAll('_', ' '));
}

function singular(collection: string): string {
  return collection.endsWith('ies') ? collection.replace(/ies$/, 'y') : collection.replace(/s$/, '');
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
