const { randomUUID } = require('node:crypto')

/** Answers an error in the shape of the server, whose page shows the first of the details. */
function refuse(res, status, name, message) {
  res
    .status(status)
    .set('Cache-Control', 'no-store')
    .json({ id: randomUUID(), name, message, details: [{ message }] })
}

module.exports = { refuse }
