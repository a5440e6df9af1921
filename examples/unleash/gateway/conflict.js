const { ChangeRequestError } = require('express-change-requests')

/** Rejects the whole apply, with a message for the caller. */
function conflict(message) {
  return new ChangeRequestError('ConflictError', message)
}

/** Turns an error of the server into an error for the caller. In maintenance mode, a scheduled apply is retried. */
function refusedBy({ status, message }) {
  if (status !== 503) return conflict(message)
  return new ChangeRequestError(
    'UnavailableError',
    `${message} Nothing was changed. Apply again after the maintenance.`,
  )
}

module.exports = { conflict, refusedBy }
