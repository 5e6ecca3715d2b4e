import { useId } from 'react';
import type { BundleNeeds, PromotionMapping } from '../../../../clients/typescript/api.js';
import { Field, Input } from '../../ui/form/field.js';
import { useNamesHere } from './promotions-data.js';

/** The kinds of names that a bundle has, and what they are called. */
const KINDS = [
  ['teams', 'Team'],
  ['credentials', 'Credential'],
  ['resources', 'Resource'],
  ['webhook_paths', 'Webhook path'],
] as const;

interface MappingFormProps {
  needs: Partial<BundleNeeds>;
  mapping: PromotionMapping;
  onMap: (mapping: PromotionMapping) => void;
}

/** A field for each name that the stories need: what it is here. An empty one stands for the same name. */
export function MappingForm({ needs, mapping, onMap }: MappingFormProps) {
  const change = (kind: keyof PromotionMapping, name: string, value: string) => {
    const { [name]: _, ...others } = (mapping[kind] ?? {}) as Record<string, string>;
    onMap({ ...mapping, [kind]: value.trim() === '' ? others : { ...others, [name]: value.trim() } });
  };
  const names = useNamesHere();
  const id = useId();
  const count = KINDS.reduce((sum, [kind]) => sum + (needs[kind]?.length ?? 0), 0);
  if (count === 0) return null;
  return (
    <details open>
      <summary>Names here</summary>
      {Object.entries(names).map(([kind, all]) => (
        <datalist key={kind} id={`${id}-${kind}`}>
          {[...new Set(all)].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
      ))}
      <div className="mapping-form">
        {KINDS.flatMap(([kind, word]) =>
          (needs[kind] ?? []).map((name) => (
            <Field key={`${kind} ${name}`} name={`${word} ${name}`}>
              <Input
                placeholder={name}
                list={`${id}-${kind}`}
                onChange={({ target }) => change(kind, name, target.value)}
                maxLength={255}
              />
            </Field>
          )),
        )}
      </div>
    </details>
  );
}
