import { Link, useLocation } from 'wouter';
import type { NamedPage } from '../pages.js';

/** Whether a place is a page or a part of it. */
export function isAt(place: string, path: string): boolean {
  return place === path || (path !== '/' && place.startsWith(`${path}/`));
}

/** Leads to a page, and tells whether it is the present one. */
export function PageLink({ entry: { path, inNavigation } }: { entry: NamedPage }) {
  const [place] = useLocation();
  const { name, icon: Icon, mark: Mark } = inNavigation;
  return (
    <Link
      href={path}
      title={name}
      className="side-link"
      {...(isAt(place, path) && { 'aria-current': 'page' })}
    >
      <Icon aria-hidden="true" />
      <span className="label">{name}</span>
      {Mark !== undefined && <Mark />}
    </Link>
  );
}
