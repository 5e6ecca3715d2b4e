/** The type of a link in requests and responses, and in exports and the table `links`. */
export const LINK_TYPES = { DEFAULT: null, NO_MATCH: 'secondary', FAILURE: 'failure' } as const;

/** `NO_MATCH`: when no rule of a trigger matches; `FAILURE`: when the action fails for good. */
export type LinkType = keyof typeof LINK_TYPES;

export const LINK_TYPE_NAMES = Object.keys(LINK_TYPES) as LinkType[];

/** Returns the API's name of a stored type. The engine follows a link of an unknown type as a DEFAULT one. */
export function linkTypeOf(stored: string | null): LinkType {
  return LINK_TYPE_NAMES.find((name) => LINK_TYPES[name] === stored) ?? 'DEFAULT';
}
