import { useEffect, useEffectEvent } from 'react';
import { bindKeys, type Scope } from './keymap.js';

/** Binds keys in a scope, by their names, while the component is there. */
export function useKeys(scope: Scope, keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const find = useEffectEvent((name: string) => (Object.hasOwn(keys, name) ? keys[name] : undefined));
  useEffect(() => bindKeys(scope, (name) => find(name)), [scope]);
}
