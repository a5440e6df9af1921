const { execFileSync, spawn } = require('node:child_process')
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')

const root = join(__dirname, '../../..')
const port = 4_299
const url = `http://127.0.0.1:${port}/api/admin`
const changeRequests = `${url}/projects/shop`
const keys = { ann: 'user:key-of-ann', ben: 'user:key-of-ben' }

/** The code below "Mount it" in the README, with a second user, who approves. */
function readmeServer() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, code] = /## Mount it[\s\S]*?```js\n([\s\S]*?)```/.exec(readme)
  const ben = `{ key: '${keys.ben}', user: { id: 2, username: 'ben' }, grants: [{ permission: 'ADMIN' }] }`
  if (!code.includes('apiKeys([ann])')) throw new Error('The README has other code.')
  return code.replace('apiKeys([ann])', `apiKeys([ann, ${ben}])`)
}

async function send(user, method, address, body) {
  const headers = { Authorization: keys[user], 'Content-Type': 'application/json' }
  const answer = await fetch(address, { method, headers, body: JSON.stringify(body) })
  if (answer.status !== 200) throw new Error(`${address} returned ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

async function approveOne() {
  const change = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
  const { id } = await send('ann', 'POST', `${changeRequests}/environments/production/change-requests`, change)
  const to = (user, state) => send(user, 'PUT', `${changeRequests}/change-requests/${id}/state`, { state })
  await to('ann', 'In review')
  const { state } = await to('ben', 'Approved')
  if (state !== 'Approved') throw new Error(`The change request is ${state}.`)
}

/** From `npm i` of the tarball in an empty folder to the first approved change, in seconds. */
async function benchFirstChange() {
  const folder = mkdtempSync(join(tmpdir(), 'first-change-'))
  const npm = (...args) => execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  let server
  try {
    const [{ filename }] = JSON.parse(npm('pack', '--json', root))
    npm('init', '-y')
    const started = performance.now()
    const report = (what) => console.log(`${((performance.now() - started) / 1_000).toFixed(1)} s  ${what}`)
    npm('i', `./${filename}`, 'express', 'knex', 'better-sqlite3')
    report('installed')
    writeFileSync(join(folder, 'server.mjs'), readmeServer())
    const env = { ...process.env, PORT: String(port), ANN_KEY: keys.ann }
    server = spawn(process.execPath, ['server.mjs'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], env })
    while (!(await fetch(url).catch(() => undefined))) await delay(50)
    report('listening')
    await approveOne()
    report('the first change is approved')
  } finally {
    server?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

module.exports = { benchFirstChange }
