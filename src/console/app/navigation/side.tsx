import { Search } from 'lucide-react';
import { Link } from 'wouter';
import { PageBar } from './page-bar.js';
import { PageLink } from './page-link.js';
import { NAVIGATION } from '../pages.js';
import { PersonMenu } from './person-menu.js';

/** The navigation at the left; on a narrow window a bar of icons at the top. */
export function Side({ openPalette, openKeys }: { openPalette: () => void; openKeys: () => void }) {
  return (
    <header className="side">
      <Link href="/" className="brand" aria-label="Fabula, home">
        <img src="icon.svg" alt="" />
        <span className="label">Fabula</span>
      </Link>
      <button type="button" className="side-link" onClick={openPalette}>
        <Search aria-hidden="true" />
        <span className="label">Search</span>
        <kbd>Ctrl K</kbd>
      </button>
      <nav aria-label="Pages" className="page-groups">
        {NAVIGATION.map(({ group, pages }) => (
          <div key={group} role="group" aria-label={group} className="page-group">
            <span className="page-group-name" aria-hidden="true">
              {group}
            </span>
            {pages.map((entry) => (
              <PageLink key={entry.path} entry={entry} />
            ))}
          </div>
        ))}
      </nav>
      <PageBar />
      <span className="grow" />
      <PersonMenu openKeys={openKeys} />
    </header>
  );
}
