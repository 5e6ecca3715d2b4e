import type { CallAddress } from './call-address.js';

const MOST_CHARACTERS = 60;

/** Returns a name for the action of a call: `GET items`; without a path the host. */
export function requestName(method: string, { path, host }: Pick<CallAddress, 'path' | 'host'>): string {
  const words = path.split('/').filter((part) => /^[A-Za-z][\w.-]*$/.test(part) && !/\d{3}/.test(part));
  const last = words.findLast((word) => !/^(?:v\d+|api)$/i.test(word));
  return `${method.toUpperCase()} ${last ?? host}`.trim().slice(0, MOST_CHARACTERS);
}
