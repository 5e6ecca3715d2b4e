import { ROUTES } from '../../src/app/routes.js';
import { MATRIX, nameOf, requestOf } from '../support/access-matrix.js';
import {
  type AccessWorld,
  buildAccessWorld,
  CALLERS,
  type Place,
  type PlaceName,
  PLACES,
} from '../support/access-world.js';
import { useManageApiHere } from '../support/manage-api-here.js';
import { OF_SEVERAL_TENANTS } from '../support/of-several-tenants.js';
import { watchStatements } from '../support/statement-bounds.js';
import { sideBySide } from '../support/side-by-side.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
// It asks without a key more often than a stranger may.
const api = useManageApiHere(stores, { queues: [], relay: false, env: { REFUSED_CALLS_PER_MINUTE: '0' } });

const watched = watchStatements();
afterAll(() => watched.stop());

it('every route has its row, and every row its route', () => {
  expect(ROUTES.map(nameOf).toSorted()).toEqual(Object.keys(MATRIX).toSorted());
});

const ROUTES_AT_ONCE = 8;
/** A team has one list of dead letters and one repository: these calls are made one after the other. */
const TOUCHES_OTHERS = /dead_letters|\/repository/;

/** Routes that are called one after the other; the groups are independent of one another. */
function groupsOf(routes: string[]): string[][] {
  const together = routes.filter((name) => TOUCHES_OTHERS.test(name));
  return [together, ...routes.filter((name) => !TOUCHES_OTHERS.test(name)).map((name) => [name])];
}

/** Returns the differences from the row: `EDITOR, own team: 403 instead of ok`. */
async function differences(name: string, place: PlaceName, world: AccessWorld): Promise<string[]> {
  const { expected, allowed } = MATRIX[name]!;
  const wanted = expected[place].trim().split(/\s+/);
  const where = world.places.get(place)!;
  const found: string[] = [];
  let current = await requestOf(name, where, world);
  const nobody = await api.call(null, current.request, current.body);
  if (nobody.status !== 401) found.push(`no key, ${place}: ${nobody.status} instead of 401`);
  for (const [index, caller] of CALLERS.entries()) {
    const { status, body: response } = await api.call(world.keys.get(caller)!, current.request, current.body);
    const success = allowed === undefined ? status < 300 : status === allowed;
    const got = success ? 'ok' : String(status);
    if (got !== wanted[index]) {
      found.push(
        `${name}, ${caller}, ${place}: ${got} instead of ${wanted[index]} ${JSON.stringify(response)}`,
      );
    }
    const isLast = index === CALLERS.length - 1;
    if (success && !isLast) current = await nextRequest(name, where, world, current);
  }
  return found;
}

/** The request of the next caller, when the one before has had a success. */
function nextRequest(
  name: string,
  place: Place,
  world: AccessWorld,
  done: Awaited<ReturnType<typeof requestOf>>,
) {
  if (name.startsWith('GET ')) return done;
  // A change can be made again. Other things cannot be done to the same thing twice.
  return requestOf(name, place, world, /^(?:PUT|PATCH) /.test(name) ? done.ids : undefined);
}

it(
  'every role may do what the matrix says, and nothing else, wherever the thing is',
  () =>
    watched.during(async () => {
      const world = await buildAccessWorld(stores, api);
      for (const place of world.places.values()) await world.make('story', place);
      const routes = ROUTES.map(nameOf).filter((name) => MATRIX[name] !== undefined);
      const found = await sideBySide(groupsOf(routes), ROUTES_AT_ONCE, async (names) => {
        const differing: string[] = [];
        for (const name of names) {
          for (const place of PLACES) differing.push(...(await differences(name, place, world)));
        }
        return differing;
      });
      expect(found.flat()).toEqual([]);
    }),
  900_000,
);

it('a request that is malformed as well says no more to who may not do it', async () => {
  const world = await buildAccessWorld(stores, api);
  const withBodies = ROUTES.filter(({ body: schema }) => schema !== undefined).map(nameOf);
  const routes = withBodies.filter((each) => MATRIX[each] !== undefined);
  const found = await sideBySide(routes, ROUTES_AT_ONCE, async (name) => {
    const wrong: string[] = [];
    for (const place of PLACES) {
      const wanted = MATRIX[name]!.expected[place].trim().split(/\s+/);
      const { request, body: given } = await requestOf(name, world.places.get(place)!, world);
      for (const [index, caller] of CALLERS.entries()) {
        const malformed = { ...given, nobody_knows_this: 1 };
        const { status } = await api.call(world.keys.get(caller)!, request, malformed);
        const expected = wanted[index] === 'ok' ? '422' : wanted[index];
        if (String(status) !== expected) wrong.push(`${name}, ${caller}, ${place}: ${status}`);
      }
    }
    return wrong;
  });
  expect(found.flat()).toEqual([]);
}, 900_000);

it('no statement of these requests reads or changes rows of several tenants, but for those in the list', () => {
  expect(watched.unbound().filter(({ file }) => !(file in OF_SEVERAL_TENANTS))).toEqual([]);
});
