import { ExternalLink, Link2, X } from 'lucide-react';
import { Link } from 'wouter';
import { Badge } from '../../../ui/words/badge.js';
import { IconButton } from '../../../ui/form/button.js';
import { copyText } from '../../../ui/words/copy-text.js';
import { spanWords } from '../../../ui/words/since.js';
import { Tabs } from '../../../ui/tabs.js';
import { ExactTime } from '../exact-time.js';
import { InputTab } from './input-tab.js';
import { RequestTab } from './request-tab.js';
import { OutputTab } from './output-tab.js';
import { RunLogTab } from './run-log-tab.js';
import { StateNote } from './state-note.js';
import { StepActions } from './step-actions.js';
import type { StepPlace } from './step-place.js';

interface StepPanelProps extends StepPlace {
  tab: string;
  onTab: (tab: string) => void;
  onClose: () => void;
}

/** The details of one step: what the action saw, its options, what it put out, and its log. */
export function StepPanel({ tab, onTab, onClose, ...place }: StepPanelProps) {
  const { step } = place;
  const tabs = [
    { key: 'output', name: 'Output', content: () => <OutputTab key={step.key} {...place} /> },
    { key: 'input', name: 'Input', content: () => <InputTab key={step.key} {...place} /> },
    {
      key: 'options',
      name: 'Options and requests',
      content: () => <RequestTab key={step.key} {...place} />,
    },
    { key: 'log', name: 'Log', content: () => <RunLogTab {...place} /> },
  ];
  return (
    <aside className="panel run-panel" aria-label={`Step ${step.actionName ?? 'of a deleted action'}`}>
      <header className="panel-head">
        <div className="row">
          <h2 className="grow wrap" title={step.actionName ?? undefined}>
            {step.actionName ?? 'Deleted action'}
          </h2>
          {step.event !== undefined && (
            <Link
              href={`/events/${step.event.id}`}
              className="button quiet icon"
              aria-label="Open event page"
              title="Open event page"
            >
              <ExternalLink />
            </Link>
          )}
          <IconButton label="Copy link to this step" onClick={() => void copyText(location.href, 'link')}>
            <Link2 />
          </IconButton>
          <IconButton label="Close" onClick={onClose}>
            <X />
          </IconButton>
        </div>
        <div className="row row-wrap faint">
          {step.event !== undefined && <Badge>event {step.event.id}</Badge>}
          <ExactTime at={step.to} />
          {step.to > step.from && <span>{spanWords(step.to - step.from)} after the previous event</span>}
          {typeof step.event?.work_ms === 'number' && <span>{spanWords(step.event.work_ms)} running</span>}
        </div>
        <StateNote step={step} />
        <StepActions {...place} />
      </header>
      <Tabs
        label="Details"
        tabs={tabs}
        chosen={tabs.some(({ key }) => key === tab) ? tab : 'output'}
        onChoose={onTab}
      />
    </aside>
  );
}
