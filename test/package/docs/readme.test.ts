import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type State, type Transition, transitions } from '../../../src/domain/lifecycle'
import { nextState } from '../../domain/support/next-state'
import { startServer, stopAll } from '../support/child'
import { removeFolders, root, temporaryFolder } from '../support/folders'
import { blocks, quoted, readText, section, table } from '../support/markdown'

const readme = readText('README.md')
const codeBelow = (heading: string) => blocks(section(readme, heading)).find(({ language }) => language === 'js')?.text

afterEach(async () => {
  await stopAll()
  removeFolders()
})

/** A folder with the package and the dependencies of a host. */
function hostFolder(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/express-change-requests'))
  for (const name of ['express', 'knex', 'better-sqlite3']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return folder
}

describe('the README', () => {
  it('has at most 150 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })

  it('mounts the router in twelve lines', () => {
    expect(codeBelow('## Mount it')?.trim().split('\n')).toHaveLength(12)
  })

  it('begins with what it is, without a name of another product, and how to start', () => {
    const [, text = ''] = /^(?!#|!|\[|\s)(.*\n)/m.exec(readme) ?? []
    expect(text).toMatch(/^Four eyes and an audit log for the feature flags of your Express app\. /)
    expect(blocks(readme)[0]?.text.trim()).toBe('npx express-change-requests init')
  })

  it('says what it does in ten bullets, each of which leads to a guide', () => {
    const bullets = section(readme, '## What it does').match(/^- .*(?:\n {2}.*)*/gm) ?? []
    expect(bullets.filter((bullet) => !/^- \[[^\]]+\]\(docs\//.test(bullet))).toEqual([])
    expect(bullets).toHaveLength(10)
  })

  it('names the dependencies', () => {
    const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: object }
    const [row] = table(readme, '## Decide whether it fits', 'What')
    expect([quoted(row?.[1] ?? ''), row?.[1]]).toEqual([Object.keys(dependencies), expect.stringMatching(/^3: /)])
  })

  it('states how to start the demo, which needs no installation, and what to run in the source', () => {
    const shell = blocks(section(readme, '## Try it')).filter(({ language }) => language === 'sh')
    expect(shell[0]?.text.trim()).toBe('npx express-change-requests demo')
    expect(readme).toMatch(/^npm ci && npm start\b.*\nnpm ci && npm test\b/m)
  })
})

describe('docs/review.md', () => {
  it('shows only existing steps, and every step that changes the state', () => {
    const diagram = blocks(readText('docs/review.md')).find(({ language }) => language === 'mermaid')?.text ?? ''
    const name = (state = '') => state.replace('InReview', 'In review')
    const edges = [...diagram.matchAll(/^ +(\w+) --> (\w+): ([\w, ]+)$/gm)].flatMap(([, from, to, steps = '']) =>
      steps.split(', ').map((step) => [name(from), step === 'edit' ? 'change' : step, name(to)] as const),
    )
    // Each of these has its own rules for the states.
    const others = ['rebase', 'applyInEmergency', 'acknowledge', 'revert']
    const ofTable = edges.filter(([, step]) => !others.includes(step))
    for (const [from, step, to] of ofTable) {
      const leadsTo = nextState(from as State, step as Transition)
      // Only the last approval changes the state.
      expect([from, step, step === 'approve' && to === from ? 'approve' : leadsTo]).toEqual([
        from,
        step,
        step === 'approve' && to === from ? 'approve' : to,
      ])
    }
    const moves = (['Draft', 'In review', 'Approved', 'Scheduled'] as const).flatMap((from) =>
      transitions.flatMap((step) => {
        const to = nextState(from, step)
        return to === undefined || to === from ? [] : [[from, step, to].join()]
      }),
    )
    expect(edges.map((edge) => edge.join())).toEqual(expect.arrayContaining(moves))
    expect(moves).toHaveLength(11)
  })
})

/** Starts a host with this code, and reviews and applies changes of its flag `checkout`. */
async function startHost(files: Readonly<Record<string, string>>) {
  const cwd = hostFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const { url } = await startServer(['server.mjs'], { cwd })
  const send = async (key: string, method: string, path: string, body?: unknown) => {
    const headers = { Authorization: key, 'Content-Type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    return [answer.status, (await answer.json()) as { id: number; state: string; events: { type: string }[] }] as const
  }
  const propose = (action: string, payload?: object, project = 'default') =>
    send('ann', 'POST', `/api/admin/projects/${project}/environments/production/change-requests`, {
      action,
      feature: 'checkout',
      ...(payload ? { payload } : {}),
    })
  const apply = async (action: string, payload?: object) => {
    const [, { id }] = await propose(action, payload)
    const steps: [string, string][] = [
      ['ann', 'In review'],
      ['ben', 'Approved'],
      ['ben', 'Applied'],
    ]
    for (const [key, state] of steps) {
      const path = `/api/admin/projects/default/change-requests/${id}/state`
      const [status, answer] = await send(key, 'PUT', path, { state })
      expect([status, answer.state]).toEqual([200, state])
    }
  }
  const flag = async () => (await send('ann', 'GET', '/flags/checkout'))[1]
  const eventTypes = async () => {
    const [, { events }] = await send('ann', 'GET', '/api/admin/events?project=default')
    return events.map(({ type }) => type)
  }
  return { propose, apply, flag, eventTypes }
}

describe('the gateway in the README', () => {
  it('is one call, which applies what is reviewed over HTTP', async () => {
    const code = codeBelow('## Connect your flags') ?? ''
    const { propose, apply, flag, eventTypes } = await startHost({
      'server.mjs': host(code, 'flags, validate, directory'),
    })
    await apply('updateEnabled', { enabled: true })
    await apply('updateStrategy', { id: 'rollout', parameters: { rollout: '25' } })
    expect(await flag()).toEqual({ name: 'checkout', enabled: 1, rollout: 25, archived: 0 })
    expect((await propose('updateStrategy', { id: 'rollout', parameters: { rollout: '250' } }))[0]).toBe(400)
    expect((await propose('updateEnabled', { enabled: true }, 'shop'))[0]).toBe(404)
    await apply('archiveFeature')
    expect(await flag()).toEqual({ name: 'checkout', enabled: 1, rollout: 25, archived: 1 })
    expect((await eventTypes()).slice(0, 2)).toEqual(['change-request-applied', 'feature-archived'])
  })
})

describe('the gateway in docs/flag-gateway.md', () => {
  const gateway = blocks(section(readText('docs/flag-gateway.md'), '## Write your own gateway'))[0]?.text ?? ''

  it('has at most forty lines', () => {
    expect(gateway.trim().split('\n').length).toBeLessThanOrEqual(40)
  })

  it('applies changes that are proposed, reviewed and approved over HTTP', async () => {
    const code = "import { createFlagGateway } from './gateway.mjs'\nconst flags = createFlagGateway(database)\n"
    const files = { 'gateway.mjs': gateway, 'server.mjs': host(code, 'flags') }
    const { propose, apply, flag, eventTypes } = await startHost(files)
    expect(await flag()).toMatchObject({ name: 'checkout', enabled: 0, archived: 0 })
    await apply('updateEnabled', { enabled: true })
    expect(await flag()).toMatchObject({ name: 'checkout', enabled: 1, archived: 0 })
    await apply('archiveFeature')
    expect(await flag()).toMatchObject({ name: 'checkout', enabled: 1, archived: 1 })
    expect((await propose('deleteStrategy', { id: 's1' }))[0]).toBe(400)
    const types = await eventTypes()
    expect(types.slice(0, 2)).toEqual(['change-request-applied', 'feature-archived'])
    expect(types).toContain('feature-environment-enabled')
  })
})

/** An app from the recipe and the code that creates the flags, for two users. */
const host = (code: string, options: string) => `import express from 'express'
import { apiKeys, createChangeRequestRouter } from 'express-change-requests'
import { knexStorage } from 'express-change-requests/knex'
import knex from 'knex'

const database = knex({ client: 'better-sqlite3', connection: { filename: 'app.sqlite' }, useNullAsDefault: true })
await database.schema.createTable('flags', (table) => {
  table.string('name').primary()
  table.boolean('enabled').notNullable()
  table.integer('rollout').notNullable()
  table.boolean('archived').notNullable()
})
await database('flags').insert({ name: 'checkout', enabled: false, rollout: 100, archived: false })
${code}
const keys = [
  { key: 'ann', user: { id: 1, username: 'ann' }, grants: [{ permission: 'CREATE_CHANGE_REQUEST' }, { permission: 'READ_EVENTS' }] },
  { key: 'ben', user: { id: 2, username: 'ben' }, grants: [{ permission: 'APPROVE_CHANGE_REQUEST' }, { permission: 'APPLY_CHANGE_REQUEST' }] },
]
const router = createChangeRequestRouter({
  storage: knexStorage({ knex: database }),
  authenticate: apiKeys(keys),
  ...{ ${options} },
})
await router.migrate()
const app = express().use(router)
app.get('/flags/:name', async (req, res) => {
  res.json(await database('flags').where({ name: req.params.name }).first())
})
const server = app.listen(process.env.PORT, '127.0.0.1', () => {
  console.log('listening on http://127.0.0.1:' + server.address().port)
})
`
