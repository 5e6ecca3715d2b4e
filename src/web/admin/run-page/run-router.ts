import { type Request, type Response, Router } from 'express';
import { forwardedPrefix } from '../../../platform/http/address/own-base-url.js';
import { PAGE_HEADERS } from '../../../platform/http/page-style.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Session } from '../../../platform/mysql/session.js';
import { findRunViews, findUndone } from '../../../observe/face.js';
import { RUNS_PATH } from '../admin-paths.js';
import { boardAddress } from '../board/board-address.js';
import { findRunOfDelivery, findRunPlaces, listRunSteps } from './run-page-store.js';
import { MOST_ROWS, noRunPage, runPage, type RunPageView } from './run-page.js';

/** Returns the router of the pages that jobs of the board link to. Mount it at `RUNS_PATH`, behind `adminAuth`. */
export function createRunRouter(database: Reader): Router {
  const router = Router();
  router.get('/', (req: Request, res: Response) => leadToRun(req, res, database));
  router.get('/:guid', (req: Request<{ guid: string }>, res: Response) => showRun(req, res, database));
  return router;
}

type Reader = Pick<Database, 'read'>;

async function leadToRun(req: Request, res: Response, database: Reader): Promise<void> {
  const id = Number(req.query['delivery']);
  const guid = Number.isSafeInteger(id)
    ? await database.read((session) => findRunOfDelivery(session, id))
    : undefined;
  if (guid === undefined) send(res, 404, noRunPage(forwardedPrefix(req)));
  else res.redirect(303, boardAddress(req, `${RUNS_PATH}/${guid}`));
}

async function showRun(req: Request<{ guid: string }>, res: Response, database: Reader): Promise<void> {
  const { params, query } = req;
  const prefix = forwardedPrefix(req);
  const run = await database.read((session) => findRun(session, params.guid, afterIdOf(query['after'])));
  if (run === undefined) send(res, 404, noRunPage(prefix));
  else send(res, 200, runPage(prefix, run));
}

/** Returns the id after which a page of events begins; 0 for the first page, and for what is no id. */
function afterIdOf(value: unknown): number {
  const id = typeof value === 'string' ? Number(value) : 0;
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

async function findRun(session: Session, guid: string, afterId: number): Promise<RunPageView | undefined> {
  const places = await findRunPlaces(session, guid);
  const [view] = places === undefined ? [] : await findRunViews(session, [places.id]);
  if (places === undefined || view === undefined) return undefined;
  const steps = await listRunSteps(session, { guid, afterId, limit: MOST_ROWS + 1 });
  return {
    guid,
    places,
    view,
    steps: steps.slice(0, MOST_ROWS),
    afterId,
    hasMore: steps.length > MOST_ROWS,
    open: await findUndone(session, { guid, failed: false, limit: MOST_ROWS }),
    failed: await findUndone(session, { guid, failed: true, limit: MOST_ROWS }),
  };
}

function send(res: Response, status: number, page: string): void {
  res
    .status(status)
    .set({ ...PAGE_HEADERS, 'Referrer-Policy': 'same-origin' })
    .type('text/html')
    .send(page);
}
