import type { JsonObject } from '../../src/platform/json.js';
import type { BenchProcess } from './bench-process.js';
import type { BenchStores } from './bench-stores.js';

/** `gross loss`: so far off that it is no noise; the one thing that CI minds. Empty: nothing has to be reached. */
export type Verdict = 'reached' | 'missed' | 'gross loss' | '';

/** One line of the table. */
export interface Row {
  measure: number;
  what: string;
  /** The unit of floor and product. */
  unit: string;
  /** The result of the bare program, or of arithmetic. */
  floor?: number;
  product: number;
  /** Product to floor; the median over the turns where there were several. */
  ratio?: number;
  mustReach?: string;
  verdict: Verdict;
  /** Text below the table, such as the plans of statements. */
  notes?: string[];
}

/** The measured system, running on emptied stores. */
export interface Subject {
  /** The address of the first webhook. */
  webhookUrl: string;
  /** The database that its tables are in: both sides have the same tables. */
  schema: string;
  /** The action whose events end a run. */
  exitAgentId: number;
  /** By name: `web`, and each worker's file. */
  processes: ReadonlyMap<string, BenchProcess>;
}

export interface FloorOptions {
  /** Calls are answered when their run is through. */
  awaited?: boolean;
  /** Its first hop makes so many events, its second one joins them again. */
  elements?: number;
}

export interface ProductOptions {
  /** An export with one webhook; none: the processes idle. */
  story?: JsonObject;
  /** The name of the agent whose events end a run. */
  exit?: string;
  /** Files of the build; `workers/all.js` unless given. May name one several times. */
  workers?: string[];
  env?: NodeJS.ProcessEnv;
}

export interface Product extends Subject {
  /** The address of its web process. */
  url: string;
  /** API key of the owner of its stories. */
  key: string;
  startWorker(file: string): Promise<BenchProcess>;
  /** Imports one more story, for the same tenant as the first. */
  importStory(story: JsonObject, exit: string): Promise<Pick<Subject, 'webhookUrl' | 'exitAgentId'>>;
  /** Gives what imports stories for another tenant. */
  newTenant(): Promise<Product['importStory']>;
}

/** Arguments of a measure. */
export interface Bench {
  stores: BenchStores;
  /** The folder of the build. */
  folder: string;
  /** Few calls: a look at whether something is badly wrong. */
  quick: boolean;
  /** How often floor and product are measured, in turns. */
  turns: number;
  /** Starts the floor's two processes on emptied stores, and stops them when `work` is done. */
  floor<T>(work: (floor: Subject) => Promise<T>, options?: FloorOptions): Promise<T>;
  /** Starts the product's processes on emptied stores, and stops them when `work` is done. */
  product<T>(options: ProductOptions, work: (product: Product) => Promise<T>): Promise<T>;
  /** Both at once, on stores emptied once: what is measured in short turns needs no start and no warm-up for each. */
  both<T>(
    options: { floor?: FloorOptions; product: ProductOptions },
    work: (floor: Subject, product: Product) => Promise<T>,
  ): Promise<T>;
  /** A line for those who watch. */
  say(text: string): void;
}

/** Figures by which two builds are compared (`--against`). */
export interface BuildComparison {
  product: ProductOptions;
  /** Until the code is compiled. */
  warmUp(bench: Bench, product: Product): Promise<void>;
  /** One short turn, of some seconds: the same figures each time. */
  turn(bench: Bench, product: Product): Promise<Figure[]>;
}

export interface Figure {
  what: string;
  value: number;
  unit: string;
}

/** One file in `measures/`, whose export `measure` is this: nothing else lists it. */
export interface Measure {
  /** Its place in the table. */
  number: number;
  sentence: string;
  /** Belongs to `--quick` without `--measure`. */
  quick?: true;
  /** None: two builds are not compared by it. */
  comparison?: BuildComparison;
  run(bench: Bench): Promise<Row[]>;
}
