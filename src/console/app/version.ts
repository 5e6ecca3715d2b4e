declare const __FABULA_VERSION__: string;

/** The version with which this page was built. */
export const BUILT_VERSION = __FABULA_VERSION__;
