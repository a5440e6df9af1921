const { randomUUID } = require('node:crypto')

/** Sends an error in the format of the router. */
function refuse(res, status, name, message) {
  res.status(status).json({ id: randomUUID(), name, message, details: [{ message }] })
}

module.exports = { refuse }
