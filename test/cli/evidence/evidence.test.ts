import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  filesOf,
  jsonLines,
  july,
  linesOf,
  type Made,
  makeExceptions,
  openScene,
  removeFolders,
  type Scene,
  temporaryFolder,
  verify,
} from './support'

let scene: Scene
let folder: string
let out: string
const run = (args: readonly string[] = july, who?: Parameters<Scene['run']>[1]) =>
  scene.run([...args, '--out', out], who)

beforeEach(() => {
  folder = temporaryFolder()
  out = join(folder, 'q3')
})
afterEach(() => scene.close())
afterAll(removeFolders)

describe('evidence of a period', () => {
  let made: Made

  beforeEach(async () => {
    scene = await openScene()
    made = await makeExceptions(scene)
  })

  it('has each exception once, in the order of the events', async () => {
    expect(await run()).toMatchObject({ status: 0, stderr: '' })
    const [header, ...rows] = linesOf(out, 'exceptions.csv').map((line) => line.trimEnd().split(','))
    expect(header?.join()).toBe('kind,when,who,why,request,event')
    expect(rows.map((row) => [row[0], row[2], row.at(-2)])).toEqual([
      ['emergency', 'ann (1)', `${made.emergency}`],
      ['freeze-passed', 'ann (1)', `${made.emergency}`],
      ['gate-skipped', 'ann (1)', ''],
      ['own-approval', 'ben (2)', `${made.own}`],
      ['objection-dismissed', 'ben (2)', `${made.dismissed}`],
      ['approval-taken-back', 'ben (2)', `${made.takenBack}`],
      ['trial-not-met', 'ben (2)', `${made.risky}`],
      ['overwrite', 'ben (2)', `${made.overwrite}`],
      ['settings-lowered', 'cleo (3)', ''],
      ['settings-off', 'cleo (3)', ''],
      ['settled', 'ben (2)', `${made.settled}`],
      ['no-gateway', 'ben (2)', `${made.recorded}`],
    ])
    const events = rows.map((row) => Number(row.at(-1)))
    expect(events).toEqual([...events].sort((one, other) => one - other))
    const logged = new Map(jsonLines(out, 'events.ndjson').map((event) => [event.id, event]))
    expect(events.map((id) => logged.get(id)?.type)).toEqual([
      ...['change-request-applied', 'change-request-applied', 'feature-updated', 'change-request-approval-added'],
      ...['change-request-applied', 'change-request-cancelled', 'change-request-applied', 'change-request-applied'],
      ...['change-request-configuration-updated', 'change-request-configuration-updated'],
      ...['change-request-applied', 'change-request-applied'],
    ])
  })

  it('has the reasons, and the acknowledgement of an emergency after the period', async () => {
    await run()
    const table = linesOf(out, 'exceptions.csv').join('\n')
    expect(table).toMatch(/Payments fail since 10:40\. Acknowledged 2026-10-02T08:00:\d\d\.000Z by ben \(2\)\./)
    expect(table).toContain('gate-skipped,2026-07-10T')
    for (const why of [
      'Support called.',
      'Summer',
      '=The load test was wrong.',
      'rule two for risky',
      '3 approvals before',
    ]) {
      expect(table).toContain(why)
    }
    const line = jsonLines(out, 'requests.ndjson').find(({ id }) => id === made.emergency)
    expect(line.emergency.acknowledgedAt).toMatch(/^2026-10-02T08:00/)
    expect(line.events.at(-1)).toBe(line.lastEvent)
  })

  it('has change requests with an event in the period, with all of their events, and no drafts', async () => {
    const draft = await scene
      .as('ann')
      .propose({ project: 'shop', environment: 'draft' }, [
        { action: 'updateEnabled', feature: 'secret', payload: { enabled: true } },
      ])
    scene.at('2026-10-03T08:00:00.000Z')
    const later = await scene.applied()
    await run()
    const lines = jsonLines(out, 'requests.ndjson')
    const ids = lines.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((one, other) => one - other))
    expect(ids).not.toContain(draft.body.id)
    expect(ids).not.toContain(later.id)
    const events = jsonLines(out, 'events.ndjson')
    for (const { id, events: own } of lines) {
      const found = events.filter(({ data, preData }) => (data ?? preData)?.changeRequestId === id)
      expect(own).toEqual(found.map((event) => event.id))
    }
    expect(JSON.stringify(filesOf(out))).not.toContain('secret')
  })

  it('counts what people and machines did', async () => {
    await run()
    const [, ...rows] = linesOf(out, 'people.csv').map((line) => line.trimEnd().split(','))
    expect(rows).toEqual([
      // id, kind, name, proposed, approved, rejected, objected, applied, skipped
      ['1', 'person', 'ann', '8', '0', '0', '0', '1', '1'],
      ['2', 'person', 'ben', '1', '8', '0', '0', '7', '0'],
      ['3', 'person', 'cleo', '0', '1', '0', '1', '1', '0'],
      ['9', 'service', 'deploy-bot', '1', '0', '0', '0', '0', '0'],
    ])
  })

  it('has the changes of settings, and in the manifest all counts and the SHA-256 of each file', async () => {
    const { stdout } = await run()
    const settings = jsonLines(out, 'settings.ndjson')
    expect(settings.map(({ data }) => [data.changeRequestsEnabled, data.requiredApprovals])).toEqual([
      [true, 3],
      [true, 2],
      [false, 2],
    ])
    const manifest = JSON.parse(filesOf(out)['manifest.json'] ?? '')
    expect(manifest).toMatchObject({
      query: { from: '2026-07-01', to: '2026-07-31', zone: 'UTC', projects: [] },
      counts: { requests: 10, settings: 3, people: 4, exceptions: { emergency: 1, 'no-gateway': 1 } },
      ledger: null,
    })
    const names = readdirSync(out).filter((name) => name !== 'manifest.json')
    expect(Object.keys(manifest.files)).toEqual(names.sort())
    expect(stdout).toMatch(
      /: 10 change requests, 12 exceptions, \d+ events, as of event \d+\nSHA-256 of manifest.json: [0-9a-f]{64}\n$/,
    )
  })

  it('is equal byte for byte in the next run, but for its time', async () => {
    await run()
    const first = filesOf(out)
    out = join(folder, 'again')
    await run()
    const withoutTime = (files: Record<string, string>) => {
      const { createdAt, ...manifest } = JSON.parse(files['manifest.json'] ?? '')
      expect(createdAt).toMatch(/Z$/)
      return { ...files, 'manifest.json': manifest }
    }
    expect(withoutTime(filesOf(out))).toEqual(withoutTime(first))
  })

  it('is consistent', async () => {
    await run()
    expect(await verify(out)).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining(': consistent\n'),
    })
  })
})

describe('evidence', () => {
  beforeEach(async () => {
    scene = await openScene()
  })

  it.each([
    [
      'Pacific/Auckland',
      '2026-09-27',
      ['2026-09-26T12:00:00Z', '2026-09-27T10:59:50Z'],
      ['2026-09-26T11:59:30Z', '2026-09-27T11:00:00Z'],
    ],
    [
      'Pacific/Auckland',
      '2026-04-05',
      ['2026-04-04T11:00:00Z', '2026-04-05T11:59:50Z'],
      ['2026-04-04T10:59:30Z', '2026-04-05T12:00:00Z'],
    ],
    [
      'America/Los_Angeles',
      '2026-03-08',
      ['2026-03-08T08:00:00Z', '2026-03-09T06:59:50Z'],
      ['2026-03-08T07:59:30Z', '2026-03-09T07:00:00Z'],
    ],
    [
      'America/Los_Angeles',
      '2026-11-01',
      ['2026-11-01T07:00:00Z', '2026-11-02T07:59:50Z'],
      ['2026-11-01T06:59:30Z', '2026-11-02T08:00:00Z'],
    ],
  ])('in %s, %s has what happened on that day', async (zone, day, inside, outside) => {
    const expected: number[] = []
    for (const instant of [...inside, ...outside].sort()) {
      scene.at(instant)
      const { id } = await scene.propose()
      if (inside.includes(instant)) expected.push(id)
    }
    expect(await run(['--from', day, '--to', day, '--zone', zone])).toMatchObject({ status: 0 })
    expect(jsonLines(out, 'requests.ndjson').map(({ id }) => id)).toEqual(expected)
    expect(await verify(out)).toMatchObject({ status: 0 })
  })

  it('has what was decided in the period and changed later', async () => {
    const applied = await scene.applied()
    scene.at('2026-08-05T08:00:00.000Z')
    await scene.as('cleo').comment(applied, { text: 'It works.' })
    await run()
    expect(jsonLines(out, 'requests.ndjson').map(({ id }) => id)).toEqual([applied.id])
  })

  it('has the votes before the period that counted in it', async () => {
    scene.at('2026-05-30T08:00:00.000Z')
    const place = await scene.approved()
    scene.at('2026-07-01T08:00:00.000Z')
    await scene.as('ben').setState(place, { state: 'Applied' })
    await run()
    const types = jsonLines(out, 'events.ndjson').map(({ type }) => type)
    expect(types).toContain('change-request-approval-added')
    expect(types.at(0)).toBe('change-request-created')
    expect(await verify(out)).toMatchObject({ status: 0 })
  })

  it('without anything in the period, reports nothing', async () => {
    await scene.applied()
    expect(await run(['--from', '2026-01-01', '--to', '2026-01-31'])).toMatchObject({ status: 0 })
    expect(linesOf(out, 'requests.ndjson')).toEqual([])
    expect(filesOf(out)['report.html']).toContain('There is no exception in this period.')
    expect(await verify(out)).toMatchObject({ status: 0 })
  })

  it('of one project has nothing of others', async () => {
    const shop = await scene.applied()
    await scene.applied('ann', 'ben', { project: 'blog' })
    await scene.settings(false, 1, 'blog')
    expect(await run([...july, '--project', 'shop'], 'ofShop')).toMatchObject({ status: 0, stderr: '' })
    expect(jsonLines(out, 'requests.ndjson').map(({ id }) => id)).toEqual([shop.id])
    expect(linesOf(out, 'settings.ndjson')).toEqual([])
    expect(JSON.parse(filesOf(out)['manifest.json'] ?? '').query.projects).toEqual(['shop'])
    expect(await verify(out)).toMatchObject({ status: 0 })
  })

  it('keeps the names of deleted users', async () => {
    await scene.close()
    const known = new Map([[1, { id: 1, username: 'ann', name: 'Ann Lee', email: 'ann@example.com' }]])
    scene = await openScene(undefined, {
      users: { find: async (ids) => ids.flatMap((id) => known.get(id) ?? []), reviewers: async () => [] },
    })
    await scene.applied()
    known.clear()
    await run()
    expect(linesOf(out, 'people.csv').slice(1)).toEqual(['1,person,ann,1,0,0,0,0,0\r', '2,person,ben,0,1,0,0,1,0\r'])
    expect(filesOf(out)['requests-001.html']).toMatch(/<dt>Author<\/dt><dd>ann \(1\)/)
    expect(await verify(out)).toMatchObject({ status: 0 })
  })

  it('guards the cells of tables, and escapes the texts of the report', async () => {
    await scene.skip('ann', '=HYPERLINK("https://example.com")')
    const place = await scene.propose()
    await scene.as('ann').setTitle(place, '<script>alert(1)</script> & more')
    await run()
    const files = filesOf(out)
    expect(files['exceptions.csv']).toContain(`"'=HYPERLINK(""https://example.com"")"`)
    expect(files['requests-001.html']).toContain('&#60;script&#62;alert(1)&#60;/script&#62; &#38; more')
    expect(JSON.stringify([files['report.html'], files['requests-001.html']])).not.toMatch(/<script|javascript:|src=/)
  })

  describe('needs the permissions to read everything that it shows', () => {
    beforeEach(async () => {
      await scene.applied()
      await scene.applied('ann', 'ben', { project: 'blog' })
    })

    it.each([
      [
        'one of two projects',
        'ofShop',
        ['--project', 'shop', '--project', 'blog'],
        'The key lacks READ_EVENTS and READ_CHANGE_REQUEST in the project blog.',
      ],
      ['the events of the instance', 'ofShop', [], 'READ_EVENTS'],
      [
        'the change requests of a project',
        'ofShopOnly',
        ['--project', 'blog'],
        'The key lacks READ_CHANGE_REQUEST in the project blog.',
      ],
      [
        'the change requests of the instance',
        'ofShopOnly',
        [],
        'The key lacks READ_CHANGE_REQUEST in the project blog.',
      ],
    ] as const)('a key without %s is exit 5, and nothing is written', async (_name, who, args, message) => {
      expect(await run([...july, ...args], who)).toEqual({
        ...{ status: 5, stdout: '' },
        stderr: expect.stringContaining(message),
      })
      expect(readdirSync(folder)).toEqual([])
    })
  })

  it.each([
    [['--to', '2026-07-01'], 'Set the first and the last day with --from and --to.'],
    [['--from', '2026-07-02', '--to', '2026-07-01'], '--to must not be before --from.'],
    [[...july, '--zone', 'Mars'], '--zone must be the name of a time zone'],
    [[...july, '--ledger', 'events.ledger'], '--ledger needs --public-key.'],
    [[...july, '--public-key', 'key.pem'], '--public-key works only with --ledger.'],
    [[...july, 'more'], 'evidence takes only options.'],
  ])('%j is exit 2', async (args, message) => {
    expect(await run(args)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) })
    expect(existsSync(out)).toBe(false)
  })

  it('refuses a folder that exists', async () => {
    mkdirSync(out)
    expect(await run()).toMatchObject({ status: 2, stderr: expect.stringContaining(`${out} exists.`) })
    expect(readdirSync(folder)).toEqual(['q3'])
  })

  it('a server that fails is exit 1, and leaves nothing', async () => {
    await scene.applied()
    const { before } = scene.host
    scene.host.before = (req, res) => {
      // The log is cut off in the middle.
      if (req.url?.includes('/search/events?') && req.headers.accept === 'application/x-ndjson') {
        res.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).write('{"id":1,')
        setImmediate(() => res.destroy())
      } else before?.(req, res)
    }
    expect(await run()).toMatchObject({ status: 1, stdout: '' })
    expect(readdirSync(folder)).toEqual([])
  })
})
