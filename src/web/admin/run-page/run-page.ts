import { htmlPage } from '../../../platform/http/page-style.js';
import { escapeHtml } from '../../../platform/text/escape-html.js';
import { visibleText } from '../../../platform/visible-text.js';
import type { DeliveryView, RunView, Undone } from '../../../observe/face.js';
import { BOARD_PATH, RUNS_PATH } from '../admin-paths.js';
import type { RunPlaces, RunStep } from './run-page-store.js';

/** Rows of each table of the page. */
export const MOST_ROWS = 200;

/** A run with what is known of it. */
export interface RunPageView {
  guid: string;
  places: RunPlaces;
  view: RunView;
  /** A page of its events, and the id after which the page begins. */
  steps: RunStep[];
  afterId: number;
  /** True if more events follow. */
  hasMore: boolean;
  open: Undone;
  failed: Undone;
}

/**
 * Returns the page of a run: its story, its state, what it waits for, what failed, and the events so far. `prefix`: what a
 * proxy takes off paths.
 */
export function runPage(prefix: string, run: RunPageView): string {
  const { places, view } = run;
  return htmlPage(
    'Run',
    `${facts([
      ['Story', shown(`${places.story ?? 'deleted'} (${places.storyId})`)],
      ['Team', shown(places.team ?? 'deleted')],
      ['Tenant', String(places.tenantId ?? 'deleted')],
      ['Guid', shown(run.guid)],
      ['Started by', view.source],
      ['Started', time(view.createdAt)],
      ['State', view.status],
      ['Events', String(view.eventCount)],
    ])}
${deliveries('Dead letters', run.failed)}
${deliveries('Open', run.open)}
${events(prefix, run)}
<p><a href="${prefix}${BOARD_PATH}">Back to the queues</a></p>`,
  );
}

/** Returns the page for a run that is not there. `prefix`: what a proxy takes off paths. */
export function noRunPage(prefix: string): string {
  return htmlPage(
    'No such run',
    `<p class="soft">The delivery is done, or the run was deleted by retention. The API lists runs by story:
<code>GET /api/v1/stories/{id}/runs</code>.</p>
<p><a href="${prefix}${BOARD_PATH}">Back to the queues</a></p>`,
  );
}

/** Returns a text of others as HTML that shows all of it in its order. */
function shown(text: string): string {
  return escapeHtml(visibleText(text));
}

/** Values are HTML. */
function facts(rows: [name: string, value: string][]): string {
  return `<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`;
}

function deliveries(title: string, { count, deliveries: rows }: Undone): string {
  if (count === 0) return '';
  const cells = rows.map((row) => [
    shown(row.agentName ?? 'deleted action'),
    row.state,
    String(row.attempts),
    time(row.failedAt ?? row.dueAt),
    shown(row.error ?? ''),
  ]);
  return table({ title, count, head: ['Action', 'State', 'Attempts', 'Time', 'Error'], rows: cells });
}

function events(prefix: string, { guid, steps, afterId, hasMore, view }: RunPageView): string {
  const rows = steps.map(({ id, action, createdAt }) => [
    time(createdAt),
    shown(action ?? 'deleted action'),
    String(id),
  ]);
  const path = `${prefix}${RUNS_PATH}/${encodeURIComponent(guid)}`;
  const pages = pageLinks(path, { afterId, nextId: hasMore ? steps.at(-1)?.id : undefined });
  if (rows.length === 0) return pages;
  // A later page does not know how many came before it.
  const count = afterId === 0 ? view.eventCount : rows.length;
  return `${table({ title: 'Events', count, head: ['Time', 'Action', 'Event'], rows })}${pages}`;
}

function pageLinks(
  path: string,
  { afterId, nextId }: { afterId: number; nextId: number | undefined },
): string {
  const links = [
    ...(afterId === 0 ? [] : [`<a href="${path}">First events</a>`]),
    ...(nextId === undefined ? [] : [`<a href="${path}?after=${nextId}">Next events</a>`]),
  ];
  return links.length === 0 ? '' : `<nav aria-label="Pages of events"><p>${links.join(' · ')}</p></nav>`;
}

interface Table {
  title: string;
  /** The number of all rows, also of those that are not shown. */
  count: number;
  head: string[];
  /** Cells as HTML. */
  rows: string[][];
}

function table({ title, count, head, rows }: Table): string {
  const more = count > rows.length ? `<p class="soft">The first ${rows.length} of ${count}.</p>` : '';
  return `<h2>${title}</h2>${more}<div class="wide" tabindex="0" role="region" aria-label="${title}"><table>
<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</tbody></table></div>`;
}

type Moment = DeliveryView['dueAt'] | null;

function time(at: Moment): string {
  if (at === null) return '';
  const text = at.toISOString();
  return `<time datetime="${text}">${text.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>`;
}
