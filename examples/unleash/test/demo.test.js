const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { createServer } = require('node:http')
const { join } = require('node:path')
const { describe, it } = require('node:test')
const { text } = require('node:stream/consumers')

/** The timeout of a test that could hang. */
const timeouts = { timeout: 1_200_000 }

/** As the first of a group of processes. @param {number} port Where the front listens. */
function start(port) {
  const { PATH, UNLEASH_VERSION = '' } = process.env
  const env = { PATH, UNLEASH_VERSION, PORT: String(port) }
  return spawn(process.execPath, [join(__dirname, '../demo/start.js')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
}

async function untilItSays(stream, words) {
  let said = ''
  for await (const some of stream.setEncoding('utf8')) {
    said += some
    if (said.includes(words)) return
  }
  throw new Error(`It ended without the words ${words}.`)
}

describe('npm start', () => {
  it('ends with a reason and a status where it cannot listen', timeouts, async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const front = start(taken.address().port)
    const [said] = await Promise.all([text(front.stderr), once(front, 'exit')])
    taken.close()
    assert.match(said, /^Cannot start: .*EADDRINUSE/m)
    assert.equal(front.exitCode, 1)
  })

  it('stops everything that it started on a signal, one after another', timeouts, async () => {
    const front = start(0)
    const ended = once(front, 'exit')
    front.stderr.pipe(process.stderr)
    await untilItSays(front.stdout, 'listening on')
    front.kill('SIGTERM')
    // If it is killed before the end, the status is different.
    assert.deepEqual(await ended, [0, null])
    assert.throws(() => process.kill(-front.pid, 0), { code: 'ESRCH' })
  })
})
