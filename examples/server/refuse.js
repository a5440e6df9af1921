const { randomUUID } = require('node:crypto')

/** Answers an error in the shape that the router gives its own. */
function refuse(res, status, name, message) {
  res.status(status).json({ id: randomUUID(), name, message, details: [{ message }] })
}

module.exports = { refuse }
