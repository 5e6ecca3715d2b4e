/** Stands for a stylesheet where pieces of the console are tested without a browser: nothing is drawn there. */
module.exports = {};
