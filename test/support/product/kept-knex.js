/*
 * Knex and what it loads, 330 modules, are loaded once for each Jest worker instead of once for each test file: it is loaded
 * outside of the test file's globals (`environment.js`), and keeps nothing but what it is given.
 */
module.exports = globalThis.loadedOnce('knex');
