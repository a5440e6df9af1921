const { ChangeRequestError } = require('express-change-requests')

/** A change that does not fit the flags: the router answers 409 with the message. */
function conflict(message) {
  return new ChangeRequestError('ConflictError', message)
}

module.exports = { conflict }
