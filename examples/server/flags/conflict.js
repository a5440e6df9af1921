const { ChangeRequestError } = require('express-change-requests')

/** The error for a change that does not fit the flags: the router responds with 409 and the message. */
function conflict(message) {
  return new ChangeRequestError('ConflictError', message)
}

module.exports = { conflict }
