/** Something that waits for a thread, and whose it is. */
export interface Waiting {
  tenantId: number;
  /** What it holds of memory while it waits; nothing worth counting unless given. */
  bytes?: number;
}

export interface FairQueue<Item extends Waiting> {
  /** False when too much waits already, of this tenant or of all. */
  add(item: Item): boolean;
  /** Takes the next one of the first tenant that may have it; tenants take turns. */
  take(mayHave: (tenantId: number) => boolean): Item | undefined;
  remove(item: Item): void;
  /** Takes all of them. */
  takeAll(): Item[];
}

/** How many may wait, and how many bytes they may hold. A tenant of which nothing waits may always add one. */
export interface QueueBounds {
  ofTenant: number;
  ofAll: number;
  bytesOfTenant?: number;
}

/** A bounded queue in which tenants take turns, however much of one of them waits. */
export function createFairQueue<Item extends Waiting>(bounds: QueueBounds): FairQueue<Item> {
  /** In the order of their turns. */
  const tenants = new Map<number, Item[]>();
  const { ofTenant, ofAll, bytesOfTenant = Number.POSITIVE_INFINITY } = bounds;
  let size = 0;

  const keep = (tenantId: number, items: Item[]) => {
    tenants.delete(tenantId);
    if (items.length > 0) tenants.set(tenantId, items);
  };

  return {
    add(item) {
      const own = tenants.get(item.tenantId) ?? [];
      if (size >= ofAll || own.length >= ofTenant) return false;
      if (own.length > 0 && bytesOf(own) + bytesOf([item]) > bytesOfTenant) return false;
      own.push(item);
      if (own.length === 1) tenants.set(item.tenantId, own);
      size += 1;
      return true;
    },
    take(mayHave) {
      for (const [tenantId, items] of tenants) {
        if (!mayHave(tenantId)) continue;
        const item = items.shift();
        keep(tenantId, items);
        size -= 1;
        return item;
      }
      return undefined;
    },
    remove(item) {
      const own = tenants.get(item.tenantId);
      const at = own?.indexOf(item) ?? -1;
      if (own === undefined || at === -1) return;
      own.splice(at, 1);
      if (own.length === 0) tenants.delete(item.tenantId);
      size -= 1;
    },
    takeAll() {
      const all = [...tenants.values()].flat();
      tenants.clear();
      size = 0;
      return all;
    },
  };
}

function bytesOf(items: Waiting[]): number {
  return items.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
}
