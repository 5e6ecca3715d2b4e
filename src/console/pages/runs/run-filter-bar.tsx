import { X } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { LaterInput } from '../../ui/form/later-input.js';
import { useSlashKey } from '../../ui/form/use-slash-key.js';
import { RangeSelect } from './range/range-select.js';
import { filtersIn, queryOf, type RunFilters, SOURCES, STATES } from './run-query.js';
import { SOURCE_WORDS, SPAN_WORDS, STATE_WORDS } from './run-words.js';

interface RunFilterBarProps {
  filters: RunFilters;
  /** Whether a story can be chosen. */
  hasStories: boolean;
  names: ReadonlyMap<number, string> | undefined;
  onChange: (change: Partial<RunFilters>) => void;
}

/** Story, state, time, start, and a value anywhere or at a path of an event. */
export function RunFilterBar({ filters, hasStories, names, onChange }: RunFilterBarProps) {
  const { story, status, source, path, value, drafts } = filters;
  return (
    <search className="filter-bar">
      {hasStories && (
        <StorySelect story={story} names={names} onStory={(next) => onChange({ story: next })} />
      )}
      <Select
        aria-label="Status"
        className="run-status"
        value={status}
        onChange={({ target }) => onChange({ status: target.value as RunFilters['status'] })}
      >
        <option value="">Any status</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {STATE_WORDS[state]}
          </option>
        ))}
      </Select>
      <RangeSelect range={filters} onRange={onChange} />
      <Select
        aria-label="Started by"
        value={source}
        onChange={({ target }) => onChange({ source: target.value as RunFilters['source'] })}
      >
        <option value="">Any start</option>
        {SOURCES.map((word) => (
          <option key={word} value={word}>
            {SOURCE_WORDS[word]}
          </option>
        ))}
      </Select>
      <PayloadFields path={path} value={value} onChange={onChange} />
      <label className="row soft nowrap">
        <input
          type="checkbox"
          checked={drafts}
          onChange={({ target }) => onChange({ drafts: target.checked })}
        />
        Drafts
      </label>
      {queryOf(filters) !== '' && (
        <IconButton label="Clear filters" onClick={() => onChange(filtersIn(''))}>
          <X />
        </IconButton>
      )}
    </search>
  );
}

/** A choice of a story. */
export function StorySelect(props: {
  story: number | undefined;
  /** The names of stories by their ids; undefined: they load. */
  names: ReadonlyMap<number, string> | undefined;
  onStory: (story: number | undefined) => void;
}) {
  const { story, names, onStory } = props;
  return (
    <Select
      aria-label="Story"
      className="run-story"
      value={story ?? ''}
      onChange={({ target }) => onStory(Number(target.value) || undefined)}
    >
      <option value="">All stories</option>
      {story !== undefined && names?.has(story) !== true && <option value={story}>Story {story}</option>}
      {[...(names ?? [])].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** A choice of how far back. */
export function SpanSelect({ span, onSpan }: { span: string; onSpan: (span: string) => void }) {
  return (
    <Select aria-label="Time" value={span} onChange={({ target }) => onSpan(target.value)}>
      {SPAN_WORDS.map(([key, words]) => (
        <option key={key} value={key}>
          {words}
        </option>
      ))}
    </Select>
  );
}

/** A path in a payload and a value, to which `/` leads. */
export function PayloadFields(props: {
  path: string;
  value: string;
  onChange: (change: { path?: string; value?: string }) => void;
}) {
  const { path, value, onChange } = props;
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(field);
  return (
    <>
      <LaterInput
        className="payload-field mono"
        aria-label="Path in a payload"
        placeholder="Path: body.alert.id"
        spellCheck={false}
        value={path}
        onText={(text) => onChange({ path: text })}
      />
      <LaterInput
        ref={field}
        className="payload-field"
        aria-label="Value"
        placeholder="Value in a payload"
        value={value}
        onText={(text) => onChange({ value: text })}
      />
    </>
  );
}
