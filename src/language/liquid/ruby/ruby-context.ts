import { Context, Drop } from 'liquidjs';
import { isRecord } from '../../values/values.js';

/**
 * Reads properties as Ruby's Liquid does: `first` of an object without such a key is its first pair, and a text has no
 * elements.
 */
export class RubyContext extends Context {
  override readProperty(...[holder, key]: Parameters<Context['readProperty']>): unknown {
    if (typeof holder === 'string' && key !== 'size') return undefined;
    const value: unknown = super.readProperty(holder, key);
    if (value !== undefined || key !== 'first' || !isRecord(holder) || holder instanceof Drop) return value;
    // The first key alone: an object may have many.
    for (const name in holder) if (Object.hasOwn(holder, name)) return [name, holder[name]];
    return undefined;
  }
}
