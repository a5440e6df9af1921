import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './server'

/** Whether pgbouncer is installed. */
export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0

/** Starts a pgbouncer in transaction mode, with one connection to the server. */
export async function startPgbouncer(server: URL): Promise<{ readonly url: string; end(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'change-requests-pgbouncer-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const { hostname, username, password } = server
  const target = `host=${hostname} port=${server.port} user=${username} password=${password}`
  await writeFile(
    file,
    `[databases]
* = ${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 1
`,
  )
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', ['-q', ...user, file], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  await until(() => accepts(port))
  const url = new URL(server)
  url.port = String(port)
  return {
    url: url.href,
    async end() {
      child.kill('SIGQUIT')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('The probe has no port.')
  return address.port
}
