// Required by a server whose memory is measured, with --expose-gc. Runs the garbage collector after this many bytes
// of responses, so that the result does not depend on when the engine runs it.
const { ServerResponse } = require('node:http')

const maxBytes = 2_000_000
const { write } = ServerResponse.prototype
let written = 0

ServerResponse.prototype.write = function (chunk, ...rest) {
  written += chunk.length
  if (written > maxBytes) {
    written = 0
    global.gc()
  }
  return write.call(this, chunk, ...rest)
}
