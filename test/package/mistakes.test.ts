import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode, stopAll } from './support/child'
import { removeFolders } from './support/folders'
import { makeHost, packTarball } from './support/hosts'

/** The responses that a mistake prints, and its standard error, as one text. */
type Mistake = readonly [mistake: string, code: string, ...expected: RegExp[]]

/** What developers get wrong in their first hour. Each runs in a process of its own, with the packed package. */
const mistakes: readonly Mistake[] = [
  // Setting up
  [
    'a Knex in place of a storage',
    `import createKnex from 'knex'
     createRouter({ storage: createKnex({ client: 'pg' }) })`,
    /TypeError: .*option "storage" .*this is a Knex: pass knexStorage\(\{ knex \}\)/,
  ],
  [
    'a storage that is not awaited',
    `createRouter({ storage: Promise.resolve(memoryStorage()) })`,
    /TypeError: .*option "storage" .*this is a promise: await it first/,
  ],
  [
    'an option with a typo',
    `createRouter({ basepath: '' })`,
    /TypeError: .*unknown option "basepath"\. Known options: .*basePath/,
  ],
  [
    'a gateway with a typo in an optional method',
    `createRouter({ flags: { ...flags, outcomes: flags.outcome } })`,
    /TypeError: .*"flags\.outcomes" must be left out, or named "outcome"/,
  ],
  [
    'a clock that returns a number',
    `createRouter({ clock: Date.now })`,
    /TypeError: .*option "clock" must be a function that returns a Date/,
  ],
  [
    'a transactional gateway with a storage without transactions',
    `createRouter({ flags: { ...flags, transactional: true } })`,
    /TypeError: .*option "flags" must be without transactional: this storage has no transactions/,
  ],
  [
    'a gateway that cannot report the result of an interrupted apply',
    `const { outcome, ...silent } = flags
     createRouter({ flags: silent })`,
    /^express-change-requests: The flag gateway .*has no method outcome\(\)/m,
  ],
  [
    'a sign-in page for keys',
    `import { reviewPage } from 'express-change-requests/page'
     reviewPage({ api: '/api/admin', signIn: 'key', signInUrl: '/login' })`,
    /TypeError: reviewPage: option "signInUrl" must be left out with signIn: "key"/,
  ],
  [
    'the page for an API of another origin',
    `import { reviewPage } from 'express-change-requests/page'
     reviewPage({ api: 'https://flags.example/api/admin', signIn: 'host' })`,
    /TypeError: reviewPage: option "api" must be a path of the same origin/,
  ],
  [
    'the same key for two users',
    `import { apiKeys } from 'express-change-requests'
     apiKeys([{ key: 'k', user: { id: 1 } }, { key: 'k', user: { id: 2 } }])`,
    /TypeError: apiKeys\[1\]: this key is already in the list/,
  ],
  [
    'tables that were not migrated',
    `import createKnex from 'knex'
     import { knexStorage } from 'express-change-requests/knex'
     const knex = createKnex({ client: 'better-sqlite3', connection: ':memory:', useNullAsDefault: true })
     await ask(withRouter({ storage: knexStorage({ knex }) }), propose())
     await knex.destroy()`,
    /"status":503.*"message":"The database tables do not exist yet\. The host app must call migrate\(\) first\./,
    /^express-change-requests: The database tables do not exist yet/m,
  ],
  [
    'a router that is mounted at its own base path',
    `await ask(express().use('/api/admin', createRouter()), ['ann', 'GET', '/api/admin/events'])`,
    /"status":404/,
    /^express-change-requests: .*the router is mounted at \/api\/admin and adds \/api\/admin again\. .*basePath: ''/m,
  ],
  [
    'a body parser that leaves a text',
    `await ask(express().use(express.text({ type: '*/*' }), createRouter()), propose())`,
    /"status":500/,
    /^express-change-requests: .*body/im,
  ],
  // Users and permissions
  [
    'a hook that throws, without a logger',
    `await ask(withRouter({ authenticate: () => { throw new Error('no users today') } }), propose())`,
    /"status":503,"id":"([-0-9a-f]+)"[\s\S]*^express-change-requests: .*"id":"\1".*\nError: no users today/m,
  ],
  [
    'ids of users that are UUIDs',
    `await ask(withRouter({ authenticate: () => ({ id: '5f0c7f5e-6a43-4a57' }) }), propose())`,
    /"status":500/,
    /authenticate returned the id '5f0c7f5e-6a43-4a57'; it must be a positive integer or null/,
  ],
  [
    'a permission in lower case',
    `await ask(withRouter({ authenticate: () => ({ id: 1, grants: [{ permission: 'create_change_request' }] }) }), propose())`,
    /"status":403.*CREATE_CHANGE_REQUEST/,
    /^express-change-requests: A grant has the permission "create_change_request", .*Write "CREATE_CHANGE_REQUEST"/m,
  ],
  [
    'authorize that returns an object',
    `await ask(withRouter({ authorize: () => ({ allowed: true }) }), propose())`,
    /"status":403/,
    /^express-change-requests: authorize returned an object; it must be true or false\. The permission is denied\./m,
  ],
  [
    'no key',
    `await ask(withRouter(), [null, 'POST', changeRequests, enable])`,
    /"status":401.*Send your API key in the header Authorization/,
  ],
  [
    'an approval of your own change request',
    `await ask(withRouter(), propose(), put('ann', { state: 'In review' }), put('ann', { state: 'Approved' }))`,
    /"status":403.*You can't approve a change request that you created or edited/,
  ],
  // Requests
  [
    'a body without a content type',
    `await ask(withRouter(), ['ann', 'POST', changeRequests, JSON.stringify(enable), { 'Content-Type': 'text/plain' }])`,
    /"status":415.*application\/json/,
  ],
  [
    'a second run of a pipeline',
    `const own = { 'If-None-Match': '*' }
     await ask(withRouter(), propose(enable, own), propose(enable, own))`,
    /"status":200.*\n.*"status":412.*your change request 1 \(Draft\).*"path":"\/api\/admin\/projects\/shop\/change-requests\/1"/,
  ],
  [
    'a percentage above 100',
    `import { unleashRules } from 'express-change-requests'
     await ask(withRouter({ validate: unleashRules() }), propose(rollout('250')), propose(rollout('50%')))`,
    /"status":400.*rollout.*100.*\n.*"status":400.*rollout.*100/,
  ],
  [
    'a schedule while no process applies schedules',
    `const scheduled = { state: 'Scheduled', scheduledAt: '2999-01-01T00:00:00Z' }
     await ask(withRouter({ schedule: 'here' }), propose(), put('ann', { state: 'In review' }), put('ben', { state: 'Approved' }), put('ben', scheduled))`,
    /"status":409.*Scheduling is not available/,
    /^express-change-requests: .*router\.start\(\) has not been called/m,
  ],
  [
    'a time without a zone',
    `const scheduled = { state: 'Scheduled', scheduledAt: '2999-01-01T08:00:00' }
     await ask(withRouter(), propose(), put('ann', scheduled))`,
    /"status":400.*must be a date and time with Z or an offset.*scheduledAt/,
  ],
  [
    'a gateway that throws',
    `const apply = async () => { throw new Error('out of order') }
     await ask(withRouter({ flags: { ...flags, apply } }), propose(), put('ann', { state: 'In review' }), put('ben', { state: 'Approved' }), put('ben', { state: 'Applied' }))`,
    /"status":500.*The flag gateway failed; nothing was applied/,
    /^express-change-requests: The flag gateway failed[\s\S]*Error: out of order/m,
  ],
]

describe('a mistake of the first hour', () => {
  let host: string

  beforeAll(() => {
    host = makeHost(packTarball(), { express: 'express', '@types/express': '@types/express' })
    cpSync(join(__dirname, 'mistakes/host.mjs'), join(host, 'mistake-host.mjs'))
  })

  afterAll(async () => {
    await stopAll()
    removeFolders()
  })

  it('is one of 25', () => {
    expect(mistakes).toHaveLength(25)
  })

  it.each(mistakes.map(([mistake, code, ...expected]) => ({ mistake, code, expected })))(
    '$mistake: the error or the log names it',
    async ({ mistake, code, expected }) => {
      const file = `${mistake.replace(/\W+/g, '-')}.mjs`
      writeFileSync(join(host, file), `${imports}\n${code}\n`)
      const { stdout, stderr } = await runNode(['--no-warnings', file], { cwd: host }).exit
      for (const pattern of expected) expect(`${stdout}${stderr}`).toMatch(pattern)
    },
  )
})

const imports = `
import express from 'express'
import { memoryStorage } from 'express-change-requests'
import { ask, changeRequests, createRouter, enable, flags, propose, put, rollout, withRouter } from './mistake-host.mjs'
`
