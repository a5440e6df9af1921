const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { dirname, join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { freePort } = require('./postgres')

const { execPath } = process

/** The packages with the supported versions of the server, and the Node that runs them. */
const servers = {
  '6.10': { name: 'unleash-server-6', node: () => execPath },
  7.5: { name: 'unleash-server', node: () => execPath },
  // It needs Node 22.
  8.2: { name: 'unleash-server-8', node: () => join(dirname(require.resolve('node-22/package.json')), 'bin/node') },
}
const versions = Object.keys(servers)
const defaultVersion = '8.2'

/** The newer packages export only their main file, not the start script. */
const scriptOf = ({ name }) => join(dirname(require.resolve(name)), '../server.js')

/** How long the server may take to create its tables and to respond, on a busy machine. */
const startMs = 600_000
const probeMs = 10_000

/** The token of the front, an admin token. The server listens only on the loopback interface. */
const defaultToken = '*:*.8f0c3c1f5f2c4b8f9d0f6a1e7b2d4c6e8a0b2c4d6e8f0a1b'

/** Tokens of the SDKs, for both environments. */
const defaultClientTokens = ['default:production.client-production', 'default:development.client-development']

/**
 * Starts an Unleash server in a separate process, on an empty or existing database.
 *
 * @param {object} options
 * @param {string} options.databaseUrl Its Postgres database.
 * @param {string} [options.version] One of `versions`. Default: 8.2.
 * @param {number} [options.port] Default: a free one.
 * @param {string} [options.token] The initial admin token.
 * @param {string} [options.publicUrl] Its public URL, for links; default: its own URL.
 * @param {NodeJS.ProcessEnv} [options.env] Further settings of the server.
 * @returns {Promise<{ url: string, token: string, clientTokens: string[], process: import('node:child_process').ChildProcess, stop: () => Promise<void> }>}
 */
async function startUnleash({
  databaseUrl,
  version = defaultVersion,
  port,
  token = defaultToken,
  publicUrl,
  env = {},
}) {
  const listenOn = port ?? (await freePort())
  const url = `http://127.0.0.1:${listenOn}`
  const server = spawn(servers[version].node(), ['--no-deprecation', scriptOf(servers[version])], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      TZ: 'UTC',
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      DATABASE_SSL: 'false',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(listenOn),
      UNLEASH_URL: publicUrl ?? url,
      INIT_ADMIN_API_TOKENS: token,
      INIT_CLIENT_API_TOKENS: defaultClientTokens.join(','),
      // No telemetry and no version checks.
      CHECK_VERSION: 'false',
      SEND_TELEMETRY: 'false',
      LOG_LEVEL: 'error',
      ...env,
    },
  })
  const stop = () => stopProcess(server)
  try {
    await untilReady(server, url)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, token, clientTokens: defaultClientTokens, process: server, stop }
}

async function untilReady(server, url) {
  const deadline = Date.now() + startMs
  while (Date.now() < deadline) {
    if (server.exitCode !== null || server.signalCode !== null) {
      throw new Error(`The Unleash server exited with ${server.signalCode ?? `status ${server.exitCode}`}.`)
    }
    if (await answers(url)) return
    await delay(100)
  }
  throw new Error(`The Unleash server did not respond within ${startMs} ms.`)
}

async function answers(url) {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(probeMs) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

async function stopProcess(server) {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  const impatience = setTimeout(() => server.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(impatience)
}

module.exports = { defaultVersion, startUnleash, versions }
