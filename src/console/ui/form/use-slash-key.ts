import type { RefObject } from 'react';
import { useKeys } from '../../keys/use-keys.js';

/** Puts the cursor into the field when somebody presses `/` outside of a field. */
export function useSlashKey(field: RefObject<HTMLInputElement | null>): void {
  useKeys('page', { '/': () => field.current?.focus() });
}
