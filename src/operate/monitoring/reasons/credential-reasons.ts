import type { UnconnectedCredential } from '../../../data/face.js';
import { earliestOf, type Reason, reasonIf, type ReasonKind } from './reason.js';

const UNCONNECTED: ReasonKind = {
  id: 'work.unconnected-credentials',
  severity: 'warning',
  why: 'Someone must authorize access. Actions that use them wait for three days, then fail.',
  remedy: 'Open the credential in the console and connect it, or open its redirect_url.',
};
/** Further names are left out. */
const MOST_NAMES = 5;

export const CREDENTIAL_KINDS: readonly ReasonKind[] = [UNCONNECTED];

/** Returns whether credentials of teams must be connected, with their names. */
export function credentialReasons(unconnected: readonly UnconnectedCredential[]): Reason[] {
  const names = unconnected
    .slice(0, MOST_NAMES)
    .map(({ name, isTest }) => `"${name}"${isTest ? ' (the test value)' : ''}`);
  const more = unconnected.length > MOST_NAMES ? ', …' : '';
  const found = `${mustBe(unconnected.length)}: ${names.join(', ')}${more}.`;
  return reasonIf(
    unconnected.length > 0,
    UNCONNECTED,
    found,
    earliestOf(unconnected.map(({ since }) => since)),
  );
}

/** Returns whether credentials of the installation must be connected; `most`: there may be more. */
export function credentialCountReasons(
  { count, since }: { count: number; since: Date | null },
  most: number,
): Reason[] {
  return reasonIf(count > 0, UNCONNECTED, `${mustBe(count)}${count < most ? '' : ', or more'}.`, since);
}

function mustBe(count: number): string {
  return count === 1 ? '1 credential needs to be connected' : `${count} credentials need to be connected`;
}
