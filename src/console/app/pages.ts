import {
  Activity,
  Boxes,
  Braces,
  BriefcaseBusiness,
  CalendarClock,
  Gauge,
  House,
  Inbox,
  KeyRound,
  Layers,
  LayoutGrid,
  type LucideIcon,
  MailWarning,
  Package,
  PackageOpen,
  ScrollText,
  Table,
  Users,
  Webhook,
  Workflow,
} from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import { InboxCount } from './navigation/inbox-count.js';

/** The purposes of pages; the navigation has a heading for each, in this order. */
const GROUPS = ['Watch', 'Build', 'Work', 'Set up'] as const;

/** How the navigation names a page. */
interface NavigationEntry {
  name: string;
  icon: LucideIcon;
  /** Second key after `g`. */
  key: string;
  group: (typeof GROUPS)[number];
  /** Stands behind the name: how much there is to do. */
  mark?: ComponentType;
  /** Nobody but an owner sees anything there. */
  isOfOwners?: boolean;
}

/** One page: its path under the console, and what shows it. */
export interface PageEntry {
  /** With parameters, as `/stories/:id`. */
  path: string;
  page: ComponentType;
  /** Present for a page that the navigation names. */
  inNavigation?: NavigationEntry;
}

/**
 * THE list of pages. Each is a file of its own that is loaded when it is first opened. The bar of a phone has
 * those of `navigation/side.tsx`; its menu has all.
 */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    page: lazy(async () => ({ default: (await import('../pages/home/home-page.js')).HomePage })),
    inNavigation: { name: 'Home', icon: House, key: 'h', group: 'Watch' },
  },
  {
    path: '/inbox',
    page: lazy(async () => ({ default: (await import('../pages/inbox/inbox-page.js')).InboxPage })),
    inNavigation: { name: 'Inbox', icon: Inbox, key: 'n', group: 'Watch', mark: InboxCount },
  },
  {
    path: '/stories',
    page: lazy(async () => ({ default: (await import('../pages/stories/stories-page.js')).StoriesPage })),
    inNavigation: { name: 'Stories', icon: Workflow, key: 's', group: 'Build' },
  },
  {
    path: '/stories/:id',
    page: lazy(async () => ({ default: (await import('../pages/story/story-page.js')).StoryPage })),
  },
  {
    path: '/stories/:id/edit',
    page: lazy(async () => ({ default: (await import('../pages/editor/editor-page.js')).EditorPage })),
  },
  {
    path: '/stories/:id/edit/publish',
    page: lazy(async () => ({
      default: (await import('../pages/editor/publish/publish-page.js')).PublishPage,
    })),
  },
  {
    path: '/stories/:id/edit/versions',
    page: lazy(async () => ({
      default: (await import('../pages/editor/publish/versions/versions-page.js')).VersionsPage,
    })),
  },
  {
    path: '/runs',
    page: lazy(async () => ({ default: (await import('../pages/runs/runs-page.js')).RunsPage })),
    inNavigation: { name: 'Runs', icon: Activity, key: 'u', group: 'Watch' },
  },
  {
    path: '/runs/:story/:guid',
    page: lazy(async () => ({ default: (await import('../pages/run/run-page.js')).RunPage })),
  },
  {
    path: '/events',
    page: lazy(async () => ({ default: (await import('../pages/events/events-page.js')).EventsPage })),
    inNavigation: { name: 'Events', icon: Braces, key: 'e', group: 'Watch' },
  },
  {
    path: '/events/:id',
    page: lazy(async () => ({ default: (await import('../pages/event/event-page.js')).EventPage })),
  },
  {
    path: '/events/:id/compare/:other',
    page: lazy(async () => ({ default: (await import('../pages/event/compare-page.js')).ComparePage })),
  },
  {
    path: '/records',
    page: lazy(async () => ({ default: (await import('../pages/records/records-page.js')).RecordsPage })),
    inNavigation: { name: 'Records', icon: Table, key: 'r', group: 'Work' },
  },
  {
    path: '/cases',
    page: lazy(async () => ({ default: (await import('../pages/cases/cases-page.js')).CasesPage })),
    inNavigation: { name: 'Cases', icon: BriefcaseBusiness, key: 'i', group: 'Work' },
  },
  {
    path: '/cases/:id',
    page: lazy(async () => ({ default: (await import('../pages/case/case-page.js')).CasePage })),
  },
  {
    path: '/dead-letters',
    page: lazy(async () => ({
      default: (await import('../pages/dead-letters/dead-letters-page.js')).DeadLettersPage,
    })),
    inNavigation: { name: 'Dead letters', icon: MailWarning, key: 'd', group: 'Watch' },
  },
  {
    path: '/webhooks',
    page: lazy(async () => ({ default: (await import('../pages/webhooks/webhooks-page.js')).WebhooksPage })),
    inNavigation: { name: 'Webhooks', icon: Webhook, key: 'w', group: 'Build' },
  },
  {
    path: '/webhooks/:id',
    page: lazy(async () => ({ default: (await import('../pages/webhooks/webhook-page.js')).WebhookPage })),
  },
  {
    path: '/gallery',
    page: lazy(async () => ({ default: (await import('../pages/gallery/gallery-page.js')).GalleryPage })),
    inNavigation: { name: 'Gallery', icon: LayoutGrid, key: 'g', group: 'Build' },
  },
  {
    path: '/steps',
    page: lazy(async () => ({ default: (await import('../pages/steps/steps-page.js')).StepsPage })),
    inNavigation: { name: 'Steps', icon: Package, key: 'p', group: 'Build' },
  },
  {
    path: '/steps/:id',
    page: lazy(async () => ({ default: (await import('../pages/steps/step-page.js')).StepPage })),
  },
  {
    path: '/resources',
    page: lazy(async () => ({
      default: (await import('../pages/resources/resources-page.js')).ResourcesPage,
    })),
    inNavigation: { name: 'Resources', icon: Boxes, key: 'o', group: 'Set up' },
  },
  {
    path: '/resources/:id',
    page: lazy(async () => ({ default: (await import('../pages/resources/resource-page.js')).ResourcePage })),
  },
  {
    path: '/credentials',
    page: lazy(async () => ({
      default: (await import('../pages/credentials/credentials-page.js')).CredentialsPage,
    })),
    inNavigation: { name: 'Credentials', icon: KeyRound, key: 'k', group: 'Set up' },
  },
  {
    path: '/credentials/new',
    page: lazy(async () => ({
      default: (await import('../pages/credentials/new-credential-page.js')).NewCredentialPage,
    })),
  },
  {
    path: '/credentials/:id',
    page: lazy(async () => ({
      default: (await import('../pages/credentials/one/credential-page.js')).CredentialPage,
    })),
  },
  {
    path: '/promotions',
    page: lazy(async () => ({
      default: (await import('../pages/promotions/promotions-page.js')).PromotionsPage,
    })),
    inNavigation: { name: 'Promotions', icon: PackageOpen, key: 'v', group: 'Set up' },
  },
  {
    path: '/team',
    page: lazy(async () => ({ default: (await import('../pages/team/team-page.js')).TeamPage })),
    inNavigation: { name: 'Team', icon: Users, key: 't', group: 'Set up' },
  },
  {
    path: '/team/people/:id',
    page: lazy(async () => ({ default: (await import('../pages/team/people/person-page.js')).PersonPage })),
  },
  {
    path: '/team/teams/:id',
    page: lazy(async () => ({ default: (await import('../pages/team/teams/one-team-page.js')).OneTeamPage })),
  },
  {
    path: '/audit',
    page: lazy(async () => ({ default: (await import('../pages/audit/audit-page.js')).AuditPage })),
    inNavigation: { name: 'Audit log', icon: ScrollText, key: 'a', group: 'Set up', isOfOwners: true },
  },
  {
    path: '/schedules',
    page: lazy(async () => ({
      default: (await import('../pages/schedules/schedules-page.js')).SchedulesPage,
    })),
    inNavigation: { name: 'Schedules', icon: CalendarClock, key: 'c', group: 'Watch' },
  },
  {
    path: '/queues',
    page: lazy(async () => ({ default: (await import('../pages/queues/queues-page.js')).QueuesPage })),
    inNavigation: { name: 'Queues', icon: Layers, key: 'q', group: 'Watch' },
  },
  {
    path: '/quotas',
    page: lazy(async () => ({ default: (await import('../pages/quotas/quotas-page.js')).QuotasPage })),
    inNavigation: { name: 'Quotas', icon: Gauge, key: 'l', group: 'Watch' },
  },
  {
    path: '/sessions',
    page: lazy(async () => ({ default: (await import('../pages/sessions/sessions-page.js')).SessionsPage })),
  },
];

/** A page that the navigation names. */
export type NamedPage = PageEntry & { inNavigation: NavigationEntry };

const NAMED_PAGES = PAGES.filter((entry): entry is NamedPage => entry.inNavigation !== undefined);

/** Returns the pages that the navigation names to an owner, or to somebody else, in the order of the list. */
export const namedPages = (isOwner: boolean): readonly NamedPage[] =>
  NAMED_PAGES.filter(({ inNavigation: { isOfOwners = false } }) => isOwner || !isOfOwners);

/** Returns pages under the headings of the navigation. */
export const grouped = (pages: readonly NamedPage[]) =>
  GROUPS.map((group) => ({
    group,
    pages: pages.filter(({ inNavigation }) => inNavigation.group === group),
  })).filter(({ pages: some }) => some.length > 0);
