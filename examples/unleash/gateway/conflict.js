const { ChangeRequestError } = require('express-change-requests')

/** A refusal of the whole application, in a sentence for the person who applies. */
function conflict(message) {
  return new ChangeRequestError('ConflictError', message)
}

module.exports = { conflict }
