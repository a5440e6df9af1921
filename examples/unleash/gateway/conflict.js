const { ChangeRequestError } = require('express-change-requests')

/** A refusal of the whole application, in a sentence for the person who applies. */
function conflict(message) {
  return new ChangeRequestError('ConflictError', message)
}

/** What a refusal of the server is for the person who applies. In maintenance mode, a schedule tries again. */
function refusedBy({ status, message }) {
  if (status !== 503) return conflict(message)
  return new ChangeRequestError('UnavailableError', `${message} Nothing was changed. Apply again when it is over.`)
}

module.exports = { conflict, refusedBy }
