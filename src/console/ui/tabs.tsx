import './tabs.css';
import { Tabs as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';

/** One tab: its key, its name and what it shows. Only the chosen one is rendered. */
export interface Tab {
  key: string;
  name: string;
  content: () => ReactNode;
}

/** Tabs; arrow keys go from one to the next. */
export function Tabs(props: { label: string; tabs: Tab[]; chosen: string; onChoose: (key: string) => void }) {
  const { label, tabs, chosen, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  // Tabs that come later, before the chosen one, push it out of sight.
  const place = tabs.findIndex(({ key }) => key === chosen);
  useEffect(() => {
    const tab = list.current?.querySelectorAll<HTMLElement>('[data-tab]')[place];
    if (list.current && tab) list.current.scrollLeft = scrollFor(tab, list.current);
  }, [place]);
  return (
    <Radix.Root value={chosen} onValueChange={onChoose} className="tabs">
      <Radix.List className="tab-list" aria-label={label} ref={list}>
        {tabs.map(({ key, name }) => (
          <Radix.Trigger key={key} value={key} data-tab={key} className="tab">
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

/** Returns how far a list must scroll to show the whole of a tab; the page itself keeps its place. */
function scrollFor({ offsetLeft, offsetWidth }: HTMLElement, list: HTMLElement): number {
  const start = offsetLeft - list.offsetLeft;
  const least = start + offsetWidth - list.clientWidth;
  return Math.min(start, Math.max(list.scrollLeft, least));
}
