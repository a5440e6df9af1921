const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { startFront } = require('../../front')

/**
 * Starts a front in a process of its own.
 *
 * @param {object} options Options of `startFront`.
 * @returns {Promise<{ url: string, kill: () => Promise<void>, stop: () => Promise<void> }>} `kill`: without the chance to end anything.
 */
async function startFrontProcess(options) {
  const env = { ...process.env, FRONT: JSON.stringify({ ...options, port: 0 }) }
  const child = spawn(process.execPath, [__filename], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const end = async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  const [url] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])
  if (url === undefined) throw new Error('The front did not start.')
  return { url, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

async function main() {
  const stopped = once(process, 'SIGTERM')
  const front = await startFront(JSON.parse(process.env.FRONT))
  process.send(front.url)
  await stopped
  await front.stop()
  process.disconnect()
}

if (require.main === module) void main()

module.exports = { startFrontProcess }
