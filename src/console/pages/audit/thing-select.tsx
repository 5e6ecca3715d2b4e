import { isolated } from '../../text/isolated.js';
import { Select } from '../../ui/form/field.js';
import { nounOf } from '../home/change-words.js';
import { useThingNames } from './audit-data.js';

interface ThingSelectProps {
  /** The type of the object. */
  type: string;
  target: number | undefined;
  onTarget: (id: number | undefined) => void;
}

/** A choice of one object of a type by its name; nothing for a type whose objects have no list. */
export function ThingSelect({ type, target, onTarget }: ThingSelectProps) {
  const names = useThingNames(type).data ?? new Map<number, string>();
  if (names.size === 0 && target === undefined) return null;
  const noun = nounOf(type);
  return (
    <Select
      aria-label={`Which ${noun}`}
      className="audit-person"
      value={target ?? ''}
      onChange={({ target: { value } }) => onTarget(Number(value) || undefined)}
    >
      <option value="">Any {noun}</option>
      {target !== undefined && !names.has(target) && (
        <option value={target}>
          {noun} {target}
        </option>
      )}
      {[...names].map(([id, name]) => (
        <option key={id} value={id}>
          {isolated(name)}
        </option>
      ))}
    </Select>
  );
}
