/** The names hosting platforms give to the two stores' addresses, in order of preference. */
export const DATABASE_VARIABLES: readonly string[] = ['DATABASE_URL', 'JAWSDB_URL', 'CLEARDB_DATABASE_URL'];
export const REDIS_VARIABLES: readonly string[] = ['REDIS_TLS_URL', 'REDIS_URL'];

/** The first of `names` that is set and not empty. */
export function firstSet(env: NodeJS.ProcessEnv, names: readonly string[]): string | undefined {
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
}

/** The variables that are set: an empty text counts as absent. */
export function present(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  );
}
