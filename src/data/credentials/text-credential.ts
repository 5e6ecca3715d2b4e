import type { Problem } from '../../platform/errors.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import type { KeyOfCredential, NewCredential, NewCredentialParts } from './new-credential.js';

/** A credential to create at `/credentials`: with a value, or with an API key of this server (spec §2.7). */
export interface TextCredential {
  name: string;
  team_id?: number;
  description?: string | null;
  allowed_hosts?: string[];
  mode: 'text' | 'fabula';
  value?: string;
  key?: KeyOfCredential;
}

/** Returns the usable parts as the service takes them. */
export function newCredentialOf(body: Usable<TextCredential>): NewCredentialParts {
  const { mode, value, key, description, allowed_hosts: allowedHosts } = body;
  return {
    ...('team_id' in body && { team_id: body.team_id }),
    description,
    allowedHosts: allowedHosts as string[] | undefined,
    ...(mode !== undefined && { mode: 'TEXT' as const }),
    ...(mode === 'text' && { settings: { ...(value !== undefined && { value }) } }),
    ...(mode === 'fabula' && key !== undefined && { key }),
  };
}

/** Returns what a whole body has besides: its name and mode. */
export function named({ name }: TextCredential): Pick<NewCredential, 'name' | 'mode'> {
  return { name, mode: 'TEXT' };
}

/** Returns the problems of value and key, which belong to one mode each; without a valid mode they are not checked. */
export function contentProblems({ mode, value, key }: Usable<TextCredential>): Problem[] {
  if (mode === 'text') return key === undefined ? [] : [misplaced('key', mode)];
  if (mode !== 'fabula') return [];
  const missing = { message: '"key" is required with the mode "fabula"', details: 'key' };
  return [
    ...(value === undefined ? [] : [misplaced('value', mode)]),
    ...(key === undefined ? [missing] : []),
  ];
}

function misplaced(details: string, mode: string): Problem {
  return { message: `"${details}" is not allowed with the mode "${mode}"`, details };
}
