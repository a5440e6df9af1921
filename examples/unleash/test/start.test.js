const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { createServer, request } = require('node:http')
const { join } = require('node:path')
const { describe, it } = require('node:test')
const { text } = require('node:stream/consumers')
const { setTimeout: delay } = require('node:timers/promises')
const { freePort } = require('../server/postgres')

/** Of a test that would hang. */
const patience = { timeout: 1_200_000 }

/** @param {number} port Where the front listens. */
function start(port) {
  const env = { PATH: process.env.PATH, PORT: String(port) }
  return spawn(process.execPath, [join(__dirname, '../start.js')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
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
  it('ends with a reason and a status where it cannot listen', patience, async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const front = start(taken.address().port)
    const [said] = await Promise.all([text(front.stderr), once(front, 'exit')])
    taken.close()
    assert.match(said, /^Cannot start: .*EADDRINUSE/m)
    assert.equal(front.exitCode, 1)
  })

  it('finishes running answers at a signal, and stops all that it started', patience, async () => {
    const port = await freePort()
    const front = start(port)
    const ended = once(front, 'exit')
    front.stderr.pipe(process.stderr)
    await untilItSays(front.stdout, 'listening on')
    const url = `http://127.0.0.1:${port}`
    const login = request(`${url}/auth/simple/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
    })
    const answered = once(login, 'response')
    login.write('{"username":"admin",')
    // An answer tells that the front has the request before it, on another connection, as well.
    await fetch(`${url}/health`)
    front.kill('SIGTERM')
    while (
      await fetch(`${url}/health`).then(
        () => true,
        () => false,
      )
    )
      await delay(20)
    login.end('"password":"unleash4all"}')
    const [answer] = await answered
    assert.equal(answer.statusCode, 200)
    answer.resume()
    await ended
    assert.equal(front.exitCode, 0)
  })
})
