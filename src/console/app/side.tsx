import { Search } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { PAGES } from './pages.js';
import { PersonMenu } from './person-menu.js';

/** The navigation at the left; on a narrow window a bar of icons at the top. */
export function Side({ openPalette, openKeys }: { openPalette: () => void; openKeys: () => void }) {
  const [place] = useLocation();
  const isAt = (path: string) =>
    path === '/' ? place === '/' : place === path || place.startsWith(`${path}/`);
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
      <nav aria-label="Pages">
        {PAGES.map(({ path, inNavigation }) => {
          if (inNavigation === undefined) return null;
          const { name, icon: Icon } = inNavigation;
          return (
            <Link
              key={path}
              href={path}
              className="side-link"
              {...(isAt(path) && { 'aria-current': 'page' })}
            >
              <Icon aria-hidden="true" />
              <span className="label">{name}</span>
            </Link>
          );
        })}
      </nav>
      <span className="grow" />
      <PersonMenu openKeys={openKeys} />
    </header>
  );
}
