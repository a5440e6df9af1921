const { ChangeRequestError } = require('express-change-requests')
const { Refusal, ServerFailure, Unavailable } = require('../server/client')

/** Rejects the whole apply, with a message for the caller. */
function conflict(message) {
  return new ChangeRequestError('ConflictError', message)
}

/**
 * Turns an error of the server into an error for the caller, once nothing is changed: the router then ends the apply immediately.
 * A scheduled apply is retried after an UnavailableError. Other errors stay as they are.
 */
function nothingChanged(error) {
  if (error instanceof Unavailable || error instanceof ServerFailure) {
    const message = `${reasonOf(error)} Nothing was changed. ${adviceFor(error)}`
    return new ChangeRequestError('UnavailableError', message, { cause: error })
  }
  return error instanceof Refusal ? conflict(error.message) : error
}

/** The error for the caller of an apply that can only end as not applied, although the server rejects the calls that undo it. */
function undoneLater(error) {
  const message = `${reasonOf(error)} Nothing will be applied: changes that were made before are undone as soon as the server accepts it. Then apply again.`
  return new ChangeRequestError('UnavailableError', message, { cause: error })
}

/** Turns an error of reading from the server into an error for the caller. */
function unreadable(error) {
  if (!(error instanceof Unavailable)) return error
  return new ChangeRequestError('UnavailableError', `${reasonOf(error)} ${adviceFor(error)}`, { cause: error })
}

const rejectsToken = ({ status }) => status === 401 || status === 403

function reasonOf(error) {
  return rejectsToken(error) ? `The Unleash server rejected the token of the gateway: ${error.message}` : error.message
}

function adviceFor(error) {
  return rejectsToken(error) ? 'Contact an operator of the server.' : 'Try again later.'
}

module.exports = { conflict, nothingChanged, undoneLater, unreadable }
