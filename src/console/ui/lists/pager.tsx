import type { PageMeta } from '../../../../clients/typescript/api.js';
import { Button } from '../form/button.js';
import { countWords } from '../words/figures.js';

/** The pages of a list; nothing where one page holds all. */
export function Pager({ meta, onPage }: { meta: PageMeta; onPage: (page: number) => void }) {
  if (meta.pages <= 1) return null;
  const present = Number(new URL(meta.current_page, location.href).searchParams.get('page') ?? 1);
  return (
    <nav className="row" aria-label="Paging">
      <span className="faint grow">
        Page {present} of {countWords(meta.pages)} · {countWords(meta.count)} in all
      </span>
      <Button disabled={present <= 1} onClick={() => onPage(present - 1)}>
        Previous
      </Button>
      <Button disabled={meta.next_page_number === null} onClick={() => onPage(present + 1)}>
        Next
      </Button>
    </nav>
  );
}
