import '../../ui/form/filter-bar.css';
import './stories.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileUp, Plus, Workflow } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { api } from '../../api/console-api.js';
import { useMay } from '../../api/signed-in.js';
import { keys } from '../../api/keys.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { nounWords } from '../../ui/words/figures.js';
import { Pager } from '../../ui/lists/pager.js';
import { Answer, Nothing } from '../../ui/states.js';
import { BulkBar } from './bulk-bar.js';
import { filtersIn, queryOf, type StoryFilters } from './filter-query.js';
import { FilterBar } from './filter-bar.js';
import { ImportDialog } from './import/import-dialog.js';
import { useDroppedFile } from './import/use-dropped-file.js';
import { useStars } from './stars.js';
import { NewStoryDialog } from './new/new-story-dialog.js';
import type { StoryList } from './stories-data.js';
import { StoryTable } from './story-table.js';

const PAGE = 30;

/** All stories that the person may see; a file dropped anywhere on the page is checked, then imported. */
export function StoriesPage() {
  useTitle('Stories');
  const [filters, change] = useStoryFilters();
  const stars = useStars();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [file, setFile] = useState<File>();
  const [isNew, setNew] = useState(false);
  const mayImport = useMay('write');
  const isDragged = useDroppedFile(setFile) && mayImport;
  const chooser = useRef<HTMLInputElement>(null);
  const list = useQuery({
    queryKey: keys.stories.list(filters, filters.kind === 'STARRED' ? [...stars] : null),
    queryFn: () =>
      filters.kind === 'STARRED' ? starred(filters, stars) : api.stories.list(inputOf(filters)),
    placeholderData: keepPreviousData,
  });
  const openChooser = () => chooser.current?.click();
  return (
    <div className={`page ${isDragged ? 'dropping' : ''}`}>
      <header className="page-head">
        <h1>Stories</h1>
        <span className="page-note">{list.data && nounWords(list.data.meta.count, 'story', 'stories')}</span>
        {mayImport && <ImportButton chooser={chooser} onFile={setFile} onOpen={openChooser} />}
        {mayImport && (
          <Button look="main" onClick={() => setNew(true)}>
            <Plus aria-hidden="true" /> New story
          </Button>
        )}
      </header>
      <FilterBar filters={filters} onChange={change} />
      {chosen.size > 0 && list.data && (
        <BulkBar
          stories={list.data.stories.filter(({ id }) => chosen.has(id))}
          onDone={() => setChosen(new Set())}
        />
      )}
      <div className="table-frame">
        <Answer of={list} lines={8}>
          {(data) =>
            data.stories.length === 0 ? (
              <Empty
                isFiltered={isFiltered(filters)}
                onImport={mayImport ? openChooser : undefined}
                onNew={() => setNew(true)}
              />
            ) : (
              <StoryTable stories={data.stories} chosen={chosen} onChoose={setChosen} />
            )
          }
        </Answer>
      </div>
      {list.data && <Pager meta={list.data.meta} onPage={(page) => change({ page })} />}
      {mayImport && file !== undefined && <ImportDialog file={file} onClose={() => setFile(undefined)} />}
      {isNew && <NewStoryDialog onClose={() => setNew(false)} onFile={openChooser} />}
      {isDragged && <div className="drop-hint">Drop a story export here. It is checked before import.</div>}
    </div>
  );
}

interface ImportButtonProps {
  chooser: RefObject<HTMLInputElement | null>;
  onFile: (file: File | undefined) => void;
  onOpen: () => void;
}

function ImportButton({ chooser, onFile, onOpen }: ImportButtonProps) {
  return (
    <>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label="Export file"
        onChange={({ target }) => {
          onFile(target.files?.[0]);
          target.value = '';
        }}
      />
      <Button onClick={onOpen}>
        <FileUp aria-hidden="true" /> Import
      </Button>
    </>
  );
}

interface EmptyProps {
  isFiltered: boolean;
  /** Undefined for a person who may not. */
  onImport: (() => void) | undefined;
  onNew: () => void;
}

function Empty({ isFiltered, onImport, onNew }: EmptyProps) {
  if (isFiltered) {
    return (
      <Nothing title="No stories match these filters." icon={<Workflow aria-hidden="true" />}>
        <p>Remove a filter, or search for another part of the name.</p>
      </Nothing>
    );
  }
  if (onImport === undefined) {
    return (
      <Nothing title="No stories yet." icon={<Workflow aria-hidden="true" />}>
        <p>Team editors can import stories.</p>
      </Nothing>
    );
  }
  return (
    <Nothing title="No stories yet." icon={<Workflow aria-hidden="true" />}>
      <div className="row">
        <Button look="main" onClick={onNew}>
          New story
        </Button>
        <Button onClick={onImport}>Import a file</Button>
      </div>
      <p>
        You can also drop an export on this page, or start with a story from{' '}
        <Link href="/gallery">the gallery</Link>.
      </p>
    </Nothing>
  );
}

const isFiltered = ({ search, folder, tag, kind, page }: StoryFilters) =>
  search !== '' || folder !== undefined || tag !== '' || kind !== '' || page > 1;

function inputOf({ search, folder, tag, kind, order, page }: StoryFilters) {
  return {
    order,
    page,
    per_page: PAGE,
    include_live_activity: true,
    ...(search !== '' && { search }),
    ...(folder !== undefined && { folder_id: folder }),
    ...(tag !== '' && { tags: [tag] }),
    ...(kind !== '' && kind !== 'STARRED' && { filter: kind }),
  };
}

/** Stars stand in this browser alone, so the list of all stories is looked through. */
async function starred(filters: StoryFilters, stars: ReadonlySet<number>): Promise<StoryList> {
  const { stories, meta } = await api.stories.list({ ...inputOf(filters), page: 1, per_page: 500 });
  const found = stories.filter(({ id }) => stars.has(id));
  return { stories: found, meta: { ...meta, pages: 1, count: found.length, next_page_number: null } };
}

/** Returns the filters of the address, and changes them; a change leads to the first page unless it names one. */
function useStoryFilters(): [StoryFilters, (change: Partial<StoryFilters>) => void] {
  const [, go] = useLocation();
  const filters = filtersIn(useSearch());
  const change = (part: Partial<StoryFilters>) => {
    const query = queryOf({ ...filters, page: 1, ...part });
    go(query === '' ? '/stories' : `/stories?${query}`, { replace: true });
  };
  return [filters, change];
}
