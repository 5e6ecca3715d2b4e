import './tabs.css';
import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** One tab: its key, its name and what it shows. Only the chosen one is rendered. */
export interface Tab {
  key: string;
  name: string;
  content: () => ReactNode;
}

/** Tabs; arrow keys go from one to the next. */
export function Tabs(props: { label: string; tabs: Tab[]; chosen: string; onChoose: (key: string) => void }) {
  const { label, tabs, chosen, onChoose } = props;
  return (
    <Radix.Root value={chosen} onValueChange={onChoose} className="tabs">
      <Radix.List className="tab-list" aria-label={label}>
        {tabs.map(({ key, name }) => (
          <Radix.Trigger key={key} value={key} className="tab">
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ key, content }) => (
        <Radix.Content key={key} value={key} className="tab-content">
          {content()}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
