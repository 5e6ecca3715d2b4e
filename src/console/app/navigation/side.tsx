import { Ellipsis, Search } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { Fragment } from 'react';
import { Menu, MenuItem, MenuLabel } from '../../ui/overlay/menu.js';
import { isAt, PageLink } from './page-link.js';
import { useIsOwner } from '../../api/signed-in.js';
import { grouped, namedPages } from '../pages.js';
import { PersonMenu } from './person-menu.js';

/** Where a person on call goes first; a phone has room for so many. */
const FIRST = ['/dead-letters', '/runs', '/cases', '/inbox'];

/** The navigation at the left; on a narrow window a bar at the lower edge. */
export function SideNavigation({ openPalette, openKeys }: { openPalette: () => void; openKeys: () => void }) {
  const navigation = grouped(namedPages(useIsOwner()));
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
        {navigation.map(({ group, pages }) => (
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

/** The navigation of a narrow window: some pages, and a menu of all. */
function PageBar() {
  const [place, go] = useLocation();
  const named = namedPages(useIsOwner());
  const first = FIRST.flatMap((path) => named.filter((entry) => entry.path === path));
  const isElsewhere = !first.some(({ path }) => isAt(place, path));
  return (
    <nav aria-label="Pages" className="page-bar">
      {first.map((entry) => (
        <PageLink key={entry.path} entry={entry} />
      ))}
      <Menu
        button={
          <button
            type="button"
            className={`side-link ${isElsewhere ? 'present' : ''}`}
            aria-label="More pages"
          >
            <Ellipsis aria-hidden="true" />
            <span className="label">More</span>
          </button>
        }
      >
        {grouped(named).map(({ group, pages }) => (
          <Fragment key={group}>
            <MenuLabel>{group}</MenuLabel>
            {pages.map(({ path, inNavigation: { name, icon: Icon } }) => (
              <MenuItem key={path} onSelect={() => go(path)}>
                <Icon aria-hidden="true" /> {name}
              </MenuItem>
            ))}
          </Fragment>
        ))}
      </Menu>
    </nav>
  );
}
