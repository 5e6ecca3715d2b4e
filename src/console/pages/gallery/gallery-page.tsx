import './gallery.css';
import '../../ui/card.css';
import { LayoutGrid } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useMay } from '../../api/signed-in.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { nounWords } from '../../ui/words/figures.js';
import { SearchField } from '../../ui/form/search-field.js';
import { Nothing } from '../../ui/states.js';
import { ImportDialog } from '../stories/import/import-dialog.js';
import { GalleryCard } from './gallery-card.js';
import { GALLERY } from './gallery-stories.js';
import { foundIn, type GalleryFilters, type GalleryStory } from './gallery-story.js';

const TAGS = [...new Set(GALLERY.flatMap(({ story }) => story.tags))].toSorted();

/** Ready stories to begin with. Each is checked and imported as a file is; then its sample event is at hand. */
export function GalleryPage() {
  useTitle('Gallery');
  const [filters, change] = useGalleryFilters();
  const [used, setUsed] = useState<{ slug: string; file: File }>();
  const mayImport = useMay('write');
  const found = foundIn(GALLERY, filters);
  const use = ({ slug, text }: GalleryStory) =>
    setUsed({ slug, file: new File([text], `${slug}.json`, { type: 'application/json' }) });
  return (
    <div className="page">
      <header className="page-head">
        <h1>Gallery</h1>
        <span className="faint grow">
          {nounWords(found.length, 'ready-made story', 'ready-made stories')}
        </span>
      </header>
      {!mayImport && <p className="soft">Team editors can import these stories.</p>}
      <div className="gallery-filters">
        <SearchField
          label="Search the gallery"
          placeholder="Part of the name or description"
          text={filters.search}
          onSearch={(search) => change({ search })}
        />
        <Select aria-label="Tag" value={filters.tag} onChange={({ target }) => change({ tag: target.value })}>
          <option value="">All tags</option>
          {TAGS.map((tag) => (
            <option key={tag}>{tag}</option>
          ))}
        </Select>
      </div>
      {found.length === 0 ? (
        <Nothing title="No stories match these filters." icon={<LayoutGrid aria-hidden="true" />}>
          <Button onClick={() => change({ search: '', tag: '' })}>Show all stories</Button>
        </Nothing>
      ) : (
        <div className="gallery-cards">
          {found.map((ready) => (
            <GalleryCard key={ready.slug} ready={ready} onUse={mayImport ? () => use(ready) : undefined} />
          ))}
        </div>
      )}
      {used !== undefined && (
        <ImportDialog
          file={used.file}
          opensAt={(id) => `/stories/${id}?sample=${used.slug}`}
          onClose={() => setUsed(undefined)}
        />
      )}
    </div>
  );
}

function useGalleryFilters(): [GalleryFilters, (change: Partial<GalleryFilters>) => void] {
  const [, go] = useLocation();
  const given = new URLSearchParams(useSearch());
  const filters = { search: given.get('search') ?? '', tag: given.get('tag') ?? '' };
  const change = (part: Partial<GalleryFilters>) => {
    const named = Object.entries({ ...filters, ...part }).filter(([, value]) => value !== '');
    const query = new URLSearchParams(named).toString();
    go(query === '' ? '/gallery' : `/gallery?${query}`, { replace: true });
  };
  return [filters, change];
}
