/** Writes one JSON object per line to stderr: a constant message with details, never a key or a body. */
function log(level, message, { err, ...facts }) {
  const trouble = err === undefined ? {} : { error: err?.stack ?? String(err), code: err?.code }
  process.stderr.write(`${JSON.stringify({ time: new Date(), level, message, ...facts, ...trouble })}\n`)
}

const logger = {
  debug() {},
  info: (facts, message) => log('info', message, facts),
  warn: (facts, message) => log('warn', message, facts),
  error: (facts, message) => log('error', message, facts),
}

/** The same for Knex, which passes only a text. */
const knexLogger = {
  debug() {},
  deprecate() {},
  warn: (text) => log('warn', 'Knex reported a warning.', { err: text }),
  error: (text) => log('error', 'Knex reported an error.', { err: text }),
}

module.exports = { logger, knexLogger }
