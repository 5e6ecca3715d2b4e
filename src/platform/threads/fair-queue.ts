/** An item that waits for a thread, and its tenant. */
export interface Waiting {
  tenantId: number;
  /** Memory it occupies while it waits; default 0. */
  bytes?: number;
}

export interface FairQueue<Item extends Waiting> {
  /** Returns false if too much waits already, of this tenant or of all. */
  add(item: Item): boolean;
  /** Removes and returns the next item of the first tenant that may run one; tenants take turns. */
  take(mayHave: (tenantId: number) => boolean): Item | undefined;
  /** Returns true if a tenant of this kind waits. */
  some(isOf: (tenantId: number) => boolean): boolean;
  remove(item: Item): void;
  /** Removes and returns all items. */
  takeAll(): Item[];
}

/**
 * The most items that may wait, and their bytes: of one tenant, and of all together. A single waiting item may have more
 * bytes: one of a tenant, one of all.
 */
export interface QueueBounds {
  ofTenant: number;
  ofAll: number;
  bytesOfTenant?: number;
  bytesOfAll?: number;
}

/** Creates a bounded queue in which tenants take turns, however many items one of them has. */
export function createFairQueue<Item extends Waiting>(bounds: QueueBounds): FairQueue<Item> {
  /** In the order in which they are served. */
  const tenants = new Map<number, Item[]>();
  const { ofTenant, ofAll } = bounds;
  const { bytesOfTenant = Number.POSITIVE_INFINITY, bytesOfAll = Number.POSITIVE_INFINITY } = bounds;
  let size = 0;
  let bytes = 0;

  const keep = (tenantId: number, items: Item[]) => {
    tenants.delete(tenantId);
    if (items.length > 0) tenants.set(tenantId, items);
  };

  return {
    add(item) {
      const own = tenants.get(item.tenantId) ?? [];
      if (size >= ofAll || own.length >= ofTenant) return false;
      const more = bytesOf([item]);
      if (own.length > 0 && bytesOf(own) + more > bytesOfTenant) return false;
      if (size > 0 && bytes + more > bytesOfAll) return false;
      own.push(item);
      if (own.length === 1) tenants.set(item.tenantId, own);
      size += 1;
      bytes += more;
      return true;
    },
    take(mayHave) {
      for (const [tenantId, items] of tenants) {
        if (!mayHave(tenantId)) continue;
        const item = items.shift();
        keep(tenantId, items);
        size -= 1;
        bytes -= item === undefined ? 0 : bytesOf([item]);
        return item;
      }
      return undefined;
    },
    some: (isOf) => [...tenants.keys()].some(isOf),
    remove(item) {
      const own = tenants.get(item.tenantId);
      const at = own?.indexOf(item) ?? -1;
      if (own === undefined || at === -1) return;
      own.splice(at, 1);
      if (own.length === 0) tenants.delete(item.tenantId);
      size -= 1;
      bytes -= bytesOf([item]);
    },
    takeAll() {
      const all = [...tenants.values()].flat();
      tenants.clear();
      size = 0;
      bytes = 0;
      return all;
    },
  };
}

function bytesOf(items: Waiting[]): number {
  return items.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
}
