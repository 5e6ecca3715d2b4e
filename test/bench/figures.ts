/** The value below which `share` (0 to 1) of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new Error('There are no values');
  return value;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Results of both sides, turn by turn. */
export interface Turns<Product, Floor = Product> {
  floor: Floor[];
  product: Product[];
}

/** Floor, product, floor, product …: what changes on the machine meanwhile changes for both. */
export async function inTurns<Product, Floor = Product>(
  turns: number,
  floor: () => Promise<Floor>,
  product: () => Promise<Product>,
): Promise<Turns<Product, Floor>> {
  const results: Turns<Product, Floor> = { floor: [], product: [] };
  for (let turn = 0; turn < turns; turn += 1) {
    results.floor.push(await floor());
    results.product.push(await product());
  }
  return results;
}

/** One figure of the turns: the medians of both sides, and the median of the turns' ratios. */
export function compare<T>(
  { floor, product }: Turns<T>,
  figure: (result: T) => number,
): { floor: number; product: number; ratio: number } {
  const ratios = product.map((result, turn) => figure(result) / figure(floor[turn] ?? result));
  return { floor: median(floor.map(figure)), product: median(product.map(figure)), ratio: median(ratios) };
}

/**
 * Values of short turns, those with the same place taken together: the medians of both sides, the mean ratio, and two standard
 * errors of that. Of the ratios' logarithms: twice and half as much are equally far from equal.
 */
export function compareInPairs(
  floor: readonly number[],
  product: readonly number[],
): { floor: number; product: number; ratio: number; spread: number } {
  const logarithms = product.map((value, turn) => Math.log(value / (floor[turn] ?? Number.NaN)));
  const middle = mean(logarithms);
  const variance =
    logarithms.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (logarithms.length - 1);
  const ratio = Math.exp(middle);
  const spread = 2 * Math.sqrt(variance / logarithms.length) * ratio;
  return { floor: median(floor), product: median(product), ratio, spread };
}
