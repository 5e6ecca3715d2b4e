import { X } from 'lucide-react';
import { IconButton } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { SearchField } from '../../ui/form/search-field.js';
import { folderPath, useFolders, useTags } from './stories-data.js';
import { filtersIn, type StoryFilters } from './filter-query.js';

const KINDS: [StoryFilters['kind'], string][] = [
  ['', 'All stories'],
  ['STARRED', 'Starred'],
  ['DISABLED', 'Disabled'],
  ['HIGH_PRIORITY', 'With priority'],
  ['LOCKED', 'Locked'],
  ['SEND_TO_STORY_ENABLED', 'Callable by other stories'],
  ['CHANGE_CONTROL_ENABLED', 'Under change control'],
];

interface FilterBarProps {
  filters: StoryFilters;
  onChange: (change: Partial<StoryFilters>) => void;
}

/** Search, folder, tag, kind and order of the list. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const folders = useFolders().data ?? [];
  const tags = useTags().data ?? [];
  const { search, folder, tag, kind, order } = filters;
  const isUsual = search === '' && folder === undefined && tag === '' && kind === '';
  return (
    <search className="filter-bar">
      <SearchField
        label="Search stories"
        placeholder="Part of the name"
        text={search}
        onSearch={(text) => onChange({ search: text })}
      />
      <Select
        aria-label="Folder"
        value={folder ?? ''}
        onChange={({ target }) =>
          onChange({ folder: target.value === '' ? undefined : Number(target.value) })
        }
      >
        <option value="">All folders</option>
        {folders.map(({ id }) => (
          <option key={id} value={id}>
            {folderPath(folders, id)}
          </option>
        ))}
      </Select>
      <Select aria-label="Tag" value={tag} onChange={({ target }) => onChange({ tag: target.value })}>
        <option value="">All tags</option>
        {[...new Set(tags.map(({ name }) => name))].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <Select
        aria-label="Kind"
        value={kind}
        onChange={({ target }) => onChange({ kind: target.value as StoryFilters['kind'] })}
      >
        {KINDS.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Order"
        value={order}
        onChange={({ target }) => onChange({ order: target.value as StoryFilters['order'] })}
      >
        <option value="RECENTLY_EDITED">Recently edited</option>
        <option value="NAME">By name</option>
        <option value="ACTION_COUNT_DESC">Most actions</option>
      </Select>
      {!isUsual && (
        <IconButton label="Clear filters" onClick={() => onChange(filtersIn(''))}>
          <X />
        </IconButton>
      )}
    </search>
  );
}
