import { Ellipsis } from 'lucide-react';
import { Fragment } from 'react';
import { useLocation } from 'wouter';
import { Menu, MenuItem, MenuLabel } from '../../ui/overlay/menu.js';
import { isAt, PageLink } from './page-link.js';
import { NAMED_PAGES, NAVIGATION } from '../pages.js';

/** Pages that a narrow window has room for. */
const IN_SIGHT = 4;

/** The navigation of a narrow window: the first pages, and a menu of all. */
export function PageBar() {
  const [place, go] = useLocation();
  const first = NAMED_PAGES.slice(0, IN_SIGHT);
  const isElsewhere = NAMED_PAGES.slice(IN_SIGHT).some(({ path }) => isAt(place, path));
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
          </button>
        }
      >
        {NAVIGATION.map(({ group, pages }) => (
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
