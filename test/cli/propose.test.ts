import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, type Host, openHost } from './support'

const change = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
const folder = mkdtempSync(join(tmpdir(), 'change-requests-cli-'))
const file = join(folder, 'changes.json')
writeFileSync(file, JSON.stringify([change]))
const shop = ['--project', 'shop']
const base = ['propose', ...shop, '--environment', 'production', '--file', file]
const place = { project: 'shop', id: 1 }

let host: Host

beforeEach(async () => {
  host = await openHost()
})
afterEach(() => host.down())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...[args, options]: [readonly string[], Parameters<typeof command>[2]?]) =>
  command(host, args, options).exit
const decide = (state: 'Approved' | 'Rejected', id = 1) => host.as('ben').setState({ project: 'shop', id }, { state })
const stateOf = async (id = 1) => (await host.as('bot').changeRequest({ project: 'shop', id })).body.state

describe('propose', () => {
  it('proposes, submits, waits for people, and applies', async () => {
    const title = '$(touch injected) & "Checkout"'
    const running = command(host, [...base, '--title', title, '--submit', '--wait', '2h', '--apply'])
    await running.printed('#1 In review: The change request has 0 of 1 approvals.')
    await decide('Approved')
    expect(await running.exit).toEqual({
      ...{ status: 0, stderr: '' },
      stdout: expect.stringMatching(
        /#1 In review.*\n(?:#1 Approved.*\n)+#1 Applied\nhttp\S+\/projects\/shop\/change-requests\/1\n$/,
      ),
    })
    expect((await host.as('ben').changeRequest(place)).body).toMatchObject({ state: 'Applied', title })
  })

  describe('with custom fields', () => {
    const fields = (...given: string[]) => given.flatMap((one) => ['--field', one])
    beforeEach(async () => {
      await host.down()
      const properties = {
        ticket: { type: 'string', maxLength: 20, pattern: '^[A-Z]+-[0-9]+$' },
        points: { type: 'integer', maximum: 100 },
        tested: { type: 'boolean' },
      } as const
      const required = ['ticket', 'tested']
      const customFields = { schema: { type: 'object', properties, required, additionalProperties: false } } as const
      host = await openHost(undefined, { customFields })
    })
    const stored = async () => (await host.as('bot').review(place)).body.customFields?.values

    it('sets them by their types before the submit, also when it runs again', async () => {
      const args = [...base, '--submit', ...fields('ticket=ABC-1', 'points=7', 'tested=false')]
      expect(await run(args)).toMatchObject({ status: 0, stderr: '' })
      expect(await stored()).toEqual({ ticket: 'ABC-1', points: 7, tested: false })
      const { body } = await host.as('bot').review(place)
      expect(await run(args)).toMatchObject({ status: 0 })
      expect((await host.as('bot').review(place)).body.revision).toBe(body.revision)
      expect(await stateOf()).toBe('In review')
    })

    it.each([
      [['ticket'], 2, /--field must be a name and a value, such as ticket=ABC-1, got ticket\./],
      [['a=1', 'a=2'], 2, /--field a is set twice\./],
      [['risk=low', 'ticket=A-1'], 2, /--field risk: .* Known fields: ticket, points, tested\./],
      [['constructor=x'], 2, /--field constructor: there is no such custom field/],
      [['points=many'], 2, /--field points must be a number, got many\./],
      [['tested=yes'], 2, /--field tested must be true or false, got yes\./],
      [['ticket=none', 'points=101'], 2, /not accepted:\n {2}ticket: must match .*\n {2}points: must be at most 100/],
      [['ticket=ABC-1'], 5, /The custom field "tested" is required/],
    ])('names what is wrong with %j, and submits nothing', async (given, status, message) => {
      const result = await run([...base, '--submit', ...fields(...given)])
      expect([result.status, result.stderr]).toEqual([status, expect.stringMatching(message)])
      if (host.requests.some((line) => line.startsWith('POST'))) expect(await stateOf()).toBe('Draft')
    })
  })

  it('leaves a draft without --submit, and reads the changes from stdin', async () => {
    const args = [...base.slice(0, -1), '-', '--json']
    const { status, stdout, stderr } = await run(args, { input: JSON.stringify(change) })
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      { id: 1, url: `${host.url}/projects/shop/change-requests/1`, state: 'Draft', missing: [] },
    ])
    expect(stderr).toBe('#1 Draft\n')
  })

  it.each([
    ['https://flags.example/review', () => 'https://flags.example/review'],
    ['/review', () => `${new URL(host.url).origin}/review`],
  ])('prints the address on the review page at %s, also in the summary of the job', async (pageUrl, expected) => {
    await host.down()
    host = await openHost(undefined, { pageUrl })
    const summary = join(folder, 'linked.md')
    const { stdout } = await run([...base, '--json'], { env: { GITHUB_STEP_SUMMARY: summary } })
    const url = `${expected()}/projects/shop/change-requests/1`
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, url })
    expect(readFileSync(summary, 'utf8')).toBe(`### Change request [#1](${url}): Draft\n\n`)
    rmSync(summary)
    expect((await run(['cancel', '1', ...shop])).stdout).toBe(`#1 Cancelled\n${url}\n`)
  })

  it('proposes and prints flags with any name', async () => {
    const feature = 'team/checkout, β?#%2C'
    const { status } = await run([...base.slice(0, -1), '-'], { input: JSON.stringify({ ...change, feature }) })
    expect([status, (await host.as('bot').changeRequest(place)).body.features]).toMatchObject([0, [{ name: feature }]])
    const { stdout, stderr } = await run(['show', '1', ...shop])
    expect(stdout + stderr).toContain(`  ${feature}: updateEnabled {"enabled":true}`)
  })

  it('reads the review at an interval with a key that cannot follow the log', async () => {
    const running = command(host, [...base, '--submit', '--wait', '10m', '--json'], { as: 'blind' })
    await running.printed('#1 In review')
    await decide('Approved')
    const { status, stdout } = await running.exit
    expect([status, JSON.parse(stdout).state]).toEqual([0, 'Approved'])
    expect(host.requests.filter((line) => line.includes('/events')).length).toBeLessThan(3)
  })

  it('reads the review more often while a check is missing, because a report is no event', async () => {
    await host.down()
    host = await openHost(undefined, { checks: [{ name: 'ci' }] })
    const running = command(host, [...base, '--submit', '--wait', '10m', '--apply'])
    await running.printed('#1 In review')
    await decide('Approved')
    await running.printed('#1 Approved: The required check "ci" has no report')
    const { digest } = (await host.as('ben').review(place)).body
    await host.as('ben').reportCheck(place, 'ci', { status: 'passed', digest: digest ?? '' })
    expect([(await running.exit).status, await stateOf()]).toEqual([0, 'Applied'])
  }, 45_000)

  it.each(['Rejected', 'discarded'] as const)('ends with 4 if it is %s', async (end) => {
    const submit = end === 'Rejected' ? ['--submit'] : []
    const running = command(host, [...base, ...submit, '--wait', '2h', '--apply'])
    await running.printed('#1 ')
    if (end === 'Rejected') await decide('Rejected')
    else await host.as('bot').discard(place)
    expect(await running.exit).toMatchObject({ status: 4, stderr: `#1 was ${end.toLowerCase()}.\n` })
  })

  it('ends with 3 at the timeout, and the change request stays', async () => {
    const { status, stdout, stderr } = await run([...base, '--submit', '--wait', '1s', '--json'])
    expect([status, JSON.parse(stdout)]).toMatchObject([
      3,
      { state: 'In review', missing: [{ code: 'missing-approvals' }] },
    ])
    expect(stderr).toMatch(/timeout is over/)
    expect(await stateOf()).toBe('In review')
  })

  it('waits through a server that is down, restarted, or busy', async () => {
    await host.down()
    const running = command(host, [...base, '--submit', '--wait', '2h', '--apply'])
    await new Promise((resolve) => setTimeout(resolve, 700))
    let busy = 2
    host.before = (req, res) => {
      if (busy-- > 0) res.writeHead(503, { 'Retry-After': '1' }).end()
      else host.pass(req, res)
    }
    await host.up()
    await running.printed('#1 In review')
    await host.down()
    await new Promise((resolve) => setTimeout(resolve, 700))
    await host.up()
    await decide('Approved')
    expect(await running.exit).toMatchObject({ status: 0, stderr: '' })
    expect(await stateOf()).toBe('Applied')
  })

  it('finds its change request after a lost response', async () => {
    let lost = 0
    host.before = (req, res) => {
      const isWrite = req.method === 'POST' || (req.method === 'PUT' && req.url?.endsWith('/state'))
      if (!isWrite || lost >= 3) return host.pass(req, res)
      lost += 1
      // The router completes the write; the caller sees a broken connection.
      const end = res.end.bind(res)
      res.end = ((...args: []) => {
        req.socket.destroy()
        return end(...args)
      }) as typeof res.end
      host.pass(req, res)
    }
    const running = command(host, [...base, '--submit', '--wait', '2h', '--apply'])
    await running.printed('#1 In review')
    await decide('Approved')
    expect(await running.exit).toMatchObject({ status: 0 })
    expect((await host.as('ben').reviews()).body.totals?.all.count).toBe(1)
  })

  it('a server that never responds does not hold it beyond the timeout', async () => {
    host.before = () => undefined
    expect(await run([...base, '--submit', '--wait', '1s'])).toMatchObject({ status: 3, stdout: '' })
  })

  it('ends with 1 for an unknown key, also while it waits, and never prints the key', async () => {
    const env = { CHANGE_REQUESTS_KEY: 'an-unknown-key' }
    const { status, stdout, stderr } = await run([...base, '--wait', '2h'], { env })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).not.toContain('an-unknown-key')
    expect(stderr).not.toMatch(/\bat .*\.js/)
  })

  it('ends with 5 and the path of an open one, unless --add', async () => {
    await run([...base, '--submit'])
    const other = ['--idempotency-key', 'another']
    const { status, stderr } = await run([...base, ...other])
    expect([status, stderr]).toEqual([5, expect.stringContaining('/projects/shop/change-requests/1')])
    expect(await run([...base, '--add', ...other, '--submit'])).toMatchObject({ status: 0 })
    expect((await host.as('ben').changeRequest(place)).body.features[0]?.changes).toHaveLength(2)
  })

  it('proposes once in a job that runs again, and names the way to propose again once it is closed', async () => {
    const env = { GITHUB_SHA: 'abc', GITHUB_RUN_ID: '7' }
    const args = [...base, '--submit']
    expect(await run(args, { env })).toMatchObject({ status: 0 })
    expect(await run(args, { env })).toMatchObject({ status: 0, stdout: expect.stringContaining('#1 In review') })
    await decide('Rejected')
    const { status, stderr } = await run(args, { env })
    expect([status, stderr]).toEqual([4, expect.stringMatching(/#1 .* is Rejected\. .*--idempotency-key/)])
    expect(await run(args, { env: { ...env, GITHUB_RUN_ID: '8' } })).toMatchObject({
      ...{ status: 0, stdout: expect.stringContaining('#2 In review') },
    })
  })

  it('ends with 4 if what a job proposed before was discarded', async () => {
    await run(base)
    await host.as('bot').discard(place)
    expect(await run(base)).toMatchObject({
      status: 4,
      stderr: expect.stringMatching(/discarded\. .*--idempotency-key/),
    })
  })

  it('is done if what a job proposed before is applied', async () => {
    await run([...base, '--submit'])
    await decide('Approved')
    expect(await run(['apply', '1', ...shop])).toMatchObject({ status: 0 })
    expect(await run([...base, '--submit', '--wait', '2h', '--apply'])).toMatchObject({ status: 0 })
  })

  it('ends with 5 if the changes were edited before it applies them', async () => {
    const running = command(host, [...base, '--submit', '--wait', '2h', '--apply'])
    await running.printed('#1 In review')
    const { body } = await host.as('bot').changeRequest(place)
    const id = body.features[0]?.changes[0]?.id ?? 0
    await host.as('bot').editChange(place, id, { ...change, payload: { enabled: false } } as never)
    await decide('Approved')
    const { status, stderr } = await running.exit
    expect([status, stderr]).toEqual([5, expect.stringMatching(/digest|has changed|outdated|differ/i)])
    expect(await stateOf()).toBe('Approved')
  })

  it('ends with 5 if approvals are missing when it applies', async () => {
    const { status, stderr } = await run([...base, '--submit', '--apply'])
    expect([status, stderr]).toEqual([5, expect.stringContaining('0 of 1 approvals')])
  })

  it('names the flag and the field of a wrong change', async () => {
    const input = JSON.stringify([change, { ...change, feature: 'search', payload: { enabled: 'yes' } }])
    const { status, stderr } = await run([...base.slice(0, -1), '-'], { input })
    expect([status, stderr]).toEqual([1, expect.stringMatching(/\n {2}search, \/payload\/enabled: /)])
  })

  it('sends what the file expects of the targets, and names the flag whose target differs', async () => {
    const expected = `sha256:${'0'.repeat(64)}`
    const input = JSON.stringify([change, { ...change, feature: 'search', expected }])
    const { status, stderr } = await run([...base.slice(0, -1), '-'], { input })
    expect([status, stderr]).toEqual([
      5,
      expect.stringMatching(/\n {2}search: Switching search on: its target was edited /),
    ])
  })

  it('writes a summary of the job', async () => {
    const summary = join(folder, 'summary.md')
    await run([...base, '--submit'], { env: { GITHUB_STEP_SUMMARY: summary } })
    expect(readFileSync(summary, 'utf8')).toMatch(
      /^### Change request \[#1\]\(http\S+\/1\): In review\n\n- The change request has 0 of 1 approvals\.\n/,
    )
  })
})

it('takes only a change or a list of changes as JSON', async () => {
  const stdin = [...base.slice(0, -1), '-']
  expect(await run(stdin, { input: '{' })).toMatchObject({ status: 2, stderr: expect.stringContaining('not JSON') })
  expect(await run(stdin, { input: '7' })).toMatchObject({ status: 2 })
})
