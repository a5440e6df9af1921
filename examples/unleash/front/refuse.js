const { randomUUID } = require('node:crypto')

/** Sends an error in the format of the server, whose page shows the first of the details. */
function refuse(res, status, name, message) {
  res
    .status(status)
    .set('Cache-Control', 'no-store')
    .json({ id: randomUUID(), name, message, details: [{ message }] })
}

module.exports = { refuse }
