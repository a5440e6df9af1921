const { fork } = require('node:child_process')
const { writeFileSync } = require('node:fs')
const { Session } = require('node:inspector')
const { join } = require('node:path')
const { monitorEventLoopDelay } = require('node:perf_hooks')
const { setTimeout } = require('node:timers/promises')
const { promisify } = require('node:util')

/**
 * Starts one of the server scripts of ../servers as a separate process. `ask(name, value)` runs one of its commands and
 * returns the result.
 */
function startServer(script, config) {
  return new Promise((resolve, reject) => {
    const child = fork(join(__dirname, '../servers', script), [JSON.stringify(config)])
    const waiting = []
    child.on('message', (message) => {
      if (message.port === undefined) waiting.shift().resolve(message.value)
      else resolve({ port: message.port, ask, stop, watched })
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      const error = new Error(`${script} ended with ${code}.`)
      reject(error)
      for (const answer of waiting) answer.reject(error)
    })

    function ask(command, value) {
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.send({ command, value })
      })
    }

    /** The result of the work, with the memory of the process before, its peak, and the worst event-loop delay. */
    async function watched(work) {
      const before = await ask('watch')
      const result = await work()
      return { ...result, before, ...(await ask('report')) }
    }

    function stop() {
      return new Promise((done) => {
        if (child.exitCode !== null || child.signalCode !== null) return done()
        child.once('exit', done)
        ask('stop').catch(() => undefined)
      })
    }
  })
}

const resolutionMs = 1
const settleMs = 10

/** The other side of `startServer`: listens with the app and runs commands, including `watch` and `report`. */
function serve(app, commands = {}) {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  let peak = 0
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }
  let sampler
  const profiler = new Session()
  const all = {
    async watch() {
      peak = 0
      sample()
      sampler = setInterval(sample, 10)
      delay.reset()
      delay.enable()
      const before = peak
      // A delay is only measured between two iterations of the event loop.
      await setTimeout(settleMs)
      return before
    },
    async report() {
      await setTimeout(settleMs)
      delay.disable()
      clearInterval(sampler)
      sample()
      return { peak, worstDelayMs: Math.max(0, delay.max / 1e6 - resolutionMs) }
    },
    /** The CPU time of this process so far, in microseconds. */
    cpu() {
      const { user, system } = process.cpuUsage()
      return user + system
    },
    startProfile() {
      profiler.connect()
      profiler.post('Profiler.enable')
      profiler.post('Profiler.start')
    },
    async writeProfile(file) {
      const { profile } = await promisify(profiler.post.bind(profiler))('Profiler.stop')
      writeFileSync(file, JSON.stringify(profile))
      profiler.disconnect()
    },
    stop: () => setImmediate(() => process.exit(0)) && undefined,
    ...commands,
  }
  process.on('message', async ({ command, value }) => {
    process.send({ value: await all[command](value) })
  })
  process.on('disconnect', () => process.exit(0))
  const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
}

module.exports = { startServer, serve }
