// Required by a server whose memory is measured, with --expose-gc: collects garbage whenever this many bytes
// of answers were written, so that what is left does not depend on when the engine finds the time for it.
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
