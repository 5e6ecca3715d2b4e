import {
  Activity,
  Braces,
  House,
  type LucideIcon,
  MailWarning,
  Table,
  Webhook,
  Workflow,
} from 'lucide-react';
import { type ComponentType, lazy } from 'react';

/** One page: its path under the console, and what shows it. */
export interface PageEntry {
  /** With parameters, as `/stories/:id`. */
  path: string;
  page: ComponentType;
  /** Present for a page that the navigation names. */
  inNavigation?: { name: string; icon: LucideIcon /** Second key after `g`. */; key: string };
}

/** THE list of pages. Each is a file of its own that is loaded when it is first opened. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    page: lazy(async () => ({ default: (await import('../pages/home/home-page.js')).HomePage })),
    inNavigation: { name: 'Home', icon: House, key: 'h' },
  },
  {
    path: '/stories',
    page: lazy(async () => ({ default: (await import('../pages/stories/stories-page.js')).StoriesPage })),
    inNavigation: { name: 'Stories', icon: Workflow, key: 's' },
  },
  {
    path: '/stories/:id',
    page: lazy(async () => ({ default: (await import('../pages/story/story-page.js')).StoryPage })),
  },
  {
    path: '/runs',
    page: lazy(async () => ({ default: (await import('../pages/runs/runs-page.js')).RunsPage })),
    inNavigation: { name: 'Runs', icon: Activity, key: 'u' },
  },
  {
    path: '/runs/:story/:guid',
    page: lazy(async () => ({ default: (await import('../pages/run/run-page.js')).RunPage })),
  },
  {
    path: '/events',
    page: lazy(async () => ({ default: (await import('../pages/events/events-page.js')).EventsPage })),
    inNavigation: { name: 'Events', icon: Braces, key: 'e' },
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
    inNavigation: { name: 'Records', icon: Table, key: 'r' },
  },
  {
    path: '/dead-letters',
    page: lazy(async () => ({
      default: (await import('../pages/dead-letters/dead-letters-page.js')).DeadLettersPage,
    })),
    inNavigation: { name: 'Dead letters', icon: MailWarning, key: 'd' },
  },
  {
    path: '/webhooks',
    page: lazy(async () => ({ default: (await import('../pages/webhooks/webhooks-page.js')).WebhooksPage })),
    inNavigation: { name: 'Webhooks', icon: Webhook, key: 'w' },
  },
  {
    path: '/webhooks/:id',
    page: lazy(async () => ({ default: (await import('../pages/webhooks/webhook-page.js')).WebhookPage })),
  },
  {
    path: '/sessions',
    page: lazy(async () => ({ default: (await import('../pages/sessions/sessions-page.js')).SessionsPage })),
  },
];
