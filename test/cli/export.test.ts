import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appendRows, readExport } from '../../src/cli/api/export/export-file'
import { eventsBetween } from '../../src/cli/api/export/log'
import { idOf } from '../../src/cli/api/export/rows'
import { sqlite } from '../support/databases'
import { keyOf as auditorKey, openScene } from './evidence/support'
import { command, type Host, openHost, runCli, type Who } from './support'

const folder = mkdtempSync(join(tmpdir(), 'change-requests-export-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let host: Host

const record = (...projects: string[]) =>
  host.router.events.record(
    projects.map((project) => ({
      ...{ type: 'feature-updated' as const, project, createdBy: 'ann "the\nauthor"' },
      data: { text: 'x\r\n"ü"' },
    })),
  )

beforeEach(async () => {
  host = await openHost()
  await record('shop', 'blog', 'shop', 'shop')
})
afterEach(() => host.down())

const run = (args: readonly string[], as: Who = 'bot') => command(host, ['export', ...args], { as }).exit

describe.each(['ndjson', 'csv'] as const)('export as %s', (format) => {
  const out = join(folder, `events.${format}`)
  const args = ['--out', out, '--format', format]
  const append = [...args, '--append']
  const shop = [...args, '--project', 'shop']
  const complete = (text: string) => ({ status: 0, stdout: `${out} is complete: ${text}\n`, stderr: '' })
  const text = () => readFileSync(out, 'utf8')
  /** The rows of the file: those of the events, and in CSV the header, before the trailer. */
  const rows = () => {
    const all = text().split(format === 'csv' ? /(?<=\r\n)(?=\d+,|#)/ : /(?<=\n)/)
    return { events: all.slice(0, -1), trailer: all.at(-1) ?? '' }
  }

  beforeEach(() => rmSync(out, { force: true }))

  /** Runs the command on a file that it must reject, and leave as it is. */
  async function expectRejected(content: string, reason: string, more: readonly string[] = args) {
    writeFileSync(out, content)
    expect(await run(more)).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: expect.stringContaining(`--out: ${out} exists and ${reason} Export into another file.`),
    })
    expect(text()).toBe(content)
  }

  it('rejects what is not a regular file', async () => {
    mkdirSync(out)
    for (const path of [out, '/dev/null', '/dev/zero']) {
      expect(await run(['--out', path, '--format', format])).toEqual({
        ...{ status: 2, stdout: '' },
        stderr: expect.stringContaining(`--out: ${path} is not a regular file. Export into a file.`),
      })
    }
    rmSync(out, { recursive: true })
  })

  it('does not complete a file that another process writes at the same time', async () => {
    await run(args)
    const { events, trailer } = rows()
    rmSync(out)
    async function* withOtherProcess() {
      yield { bytes: Buffer.from(events.join('')), isWhole: true }
      appendFileSync(out, events.join(''))
      yield { bytes: Buffer.from(trailer), isWhole: true }
    }
    await expect(appendRows(await readExport(out, format), withOtherProcess())).rejects.toThrow(
      `${out} was written by another process at the same time. Export into another file.`,
    )
  })

  it('exports the log, and a complete file stays as it is', async () => {
    expect(await run(args)).toMatchObject(complete('4 events.'))
    const whole = text()
    expect(await run(args)).toMatchObject(complete('4 events. None is newer.'))
    await record('blog', 'shop')
    expect(await run(args)).toMatchObject(complete('4 events. Newer events: 2. Add them with --append.'))
    expect(text()).toBe(whole)
  })

  it('--append creates a file, and adds what is newer', async () => {
    expect(await run(append)).toMatchObject(complete('4 events.'))
    const { mtimeMs } = statSync(out)
    expect(await run(append)).toMatchObject(complete('4 events, 0 of them new.'))
    expect(statSync(out).mtimeMs).toBe(mtimeMs)
    await record('blog', 'shop')
    expect(await run(append)).toMatchObject(complete('6 events, 2 of them new.'))
    const appended = text()
    rmSync(out)
    await run(args)
    expect(text()).toBe(appended)
  })

  it('the trailer has the filter', async () => {
    await run(args)
    expect(rows().trailer).toBe(
      format === 'csv'
        ? `#trailer,4,1,4,{}${','.repeat(11)}\r\n`
        : '{"trailer":{"count":4,"firstId":1,"lastId":4,"filter":{}}}\n',
    )
    rmSync(out)
    await run(shop)
    expect(rows().trailer).toMatch(
      format === 'csv' ? '#trailer,3,1,4,"{""project"":[""shop""]}",' : '"filter":{"project":["shop"]}',
    )
  })

  it('continues a file that was cut off anywhere, with one header and one trailer', async () => {
    await run(args)
    const whole = readFileSync(out)
    for (const share of [0, 0.02, 0.3, 0.5, 0.75, 0.97, 0.995]) {
      writeFileSync(out, whole.subarray(0, Math.floor(whole.length * share)))
      expect(await run(share < 0.5 ? args : append)).toMatchObject(complete('4 events.'))
      expect(text()).toBe(whole.toString())
    }
  })

  it.each([1, 2, 3, 4, 9])('reads the log in requests for %s ids', async (idsPerRequest) => {
    const log = { client: host.as('bot'), filter: { project: 'shop' }, format }
    const ids = async (from: number, to: number) => {
      const found = []
      for await (const row of eventsBetween(log, from, to, idsPerRequest)) found.push(idOf(row, format))
      return found
    }
    host.requests.length = 0
    expect([await ids(1, 4), await ids(2, 3), await ids(4, 4)]).toEqual([[1, 3, 4], [3], [4]])
    const requests = [4, 2, 1].map((count) => Math.ceil(count / idsPerRequest)).reduce((sum, count) => sum + count)
    expect(host.requests).toHaveLength(requests)
  })

  it('rejects a file that is no export', async () => {
    await expectRejected('a diary\nof mine\n', `is no export as ${format}.`)
    await expectRejected('a diary', 'ends in the middle of a row that the log does not have.')
    await expectRejected('"', 'ends in the middle of a row that the log does not have.')
  })

  it('rejects an export in another format', async () => {
    const other = format === 'csv' ? 'ndjson' : 'csv'
    await run(['--out', out, '--format', other])
    await expectRejected(text(), `is no export as ${format}.`)
  })

  it('rejects the export of another filter', async () => {
    await run([...args, '--project', 'blog'])
    const blog = text()
    for (const more of [shop, [...shop, '--append'], args, append]) {
      const filter = more.includes('--project') ? '{"project":["shop"]}' : '{}'
      await expectRejected(blog, `was exported with the filter {"project":["blog"]}, not ${filter}.`, more)
      await expectRejected(rows().events.join(''), 'lacks event 1 of the log.', more)
    }
  })

  it('rejects a file without events that has another filter', async () => {
    await run([...args, '--project', 'nothing'])
    await expectRejected(
      text(),
      'was exported with the filter {"project":["nothing"]}, not {"project":["shop"]}.',
      shop,
    )
  })

  it('rejects the whole log as the export of a project', async () => {
    await run(args)
    await expectRejected(rows().events.join(''), 'has event 2, which the log does not export.', shop)
  })

  type Alter = (events: string[], trailer: string) => readonly string[]
  it.each<[name: string, reason: string, Alter]>([
    ['without its first event', 'lacks event 1 of the log.', ([, ...rest]) => rest],
    ['with a gap', 'lacks event 2 of the log.', ([a = '', , ...rest]) => [a, ...rest]],
    ['with a doubled event', 'has event 2 after event 2.', ([a = '', b = '']) => [a, b, b]],
    ['with events in another order', 'has event 1 after event 2.', ([a = '', b = '']) => [b, a]],
    [
      'with an altered event',
      'has another event 2 than the log.',
      ([a = '', b = '']) => [a, b.replace('blog', 'shop')],
    ],
    ['with another id', 'has event 9, but the log ends with event 4.', ([a = '']) => [a, a.replace('1', '9')]],
    [
      'with other line breaks',
      'has another event 1 than the log.',
      ([a = '']) => [a.replace(/\r?\n$/, format === 'csv' ? '\n' : '\r\n')],
    ],
    [
      'with another trailer',
      'has a trailer that does not match its 3 events.',
      (events, trailer) => [...events.slice(0, 3), trailer],
    ],
    [
      'with a trailer that is no trailer',
      'has a trailer that does not match its 4 events.',
      (events, trailer) => [...events, trailer.replace('4', 'x')],
    ],
    [
      'with rows after the trailer',
      'has rows after its trailer.',
      (events, trailer) => [...events, trailer, ...events],
    ],
    [
      'with a part of a row after the trailer',
      'has rows after its trailer.',
      (events, trailer) => [...events, trailer, '{'],
    ],
    [
      'that ends in another row',
      'ends in the middle of a row that the log does not have.',
      ([a = '', b = '']) => [a, b.slice(0, 3), 'x'],
    ],
  ])('rejects a file %s', async (_, reason, alter) => {
    await run(args)
    const {
      events: [...events],
      trailer,
    } = rows()
    const first = format === 'csv' ? [events.shift() ?? ''] : []
    const altered = alter(events, trailer)
    await expectRejected([...first, ...altered].join(''), reason)
    await expectRejected([...first, ...altered].join(''), reason, append)
  })

  it('rejects a file that begins with a byte order mark', async () => {
    await run(args)
    await expectRejected(`\ufeff${text()}`, `is no export as ${format}.`)
  })

  it('rejects the export of another log, and a file that the key cannot compare', async () => {
    await run(args)
    const whole = text()
    expect((await run(append, 'blind')).stderr).toMatch('cannot be compared: the key can read no event.')
    await host.down()
    host = await openHost()
    await record('shop')
    await expectRejected(whole, 'has event 4, but the log ends with event 1.')
    await record('blog', 'shop', 'shop')
    await expectRejected(whole, 'has another event 1 than the log.', append)
  })

  it('continues a file whose oldest events were removed from the log, while the log has one of the others', async () => {
    const database = await sqlite.open()
    await host.down()
    host = await openHost(database.storage)
    await host.router.migrate()
    await record('shop', 'blog', 'shop', 'shop')
    await run(append)
    const before = text()
    await database.knex('ffcr_events').where('id', '<', 4).delete()
    await host.router.events.recount()
    await record('blog')
    expect(await run(append)).toMatchObject(complete('5 events, 1 of them new.'))
    const { events } = rows()
    expect(before.startsWith(events.slice(0, -1).join(''))).toBe(true)
    await database.knex('ffcr_events').where('id', '<', 6).delete()
    await record('blog')
    await host.router.events.recount()
    await expectRejected(text(), 'cannot be compared: the log has none of its events any more.', append)
    await host.down()
    await database.close()
  })

  it('exports nothing for a key that cannot read events, and names the permission', async () => {
    expect(await run(args, 'blind')).toMatchObject(
      complete('0 events. Check that the key has the permission READ_EVENTS.'),
    )
  })

  it('keeps the events that it has if the connection breaks, and continues', async () => {
    await run(args)
    const whole = readFileSync(out)
    rmSync(out)
    host.before = (req, res) => {
      if (!req.url?.includes('after=0')) return host.pass(req, res)
      res.setHeader('Content-Type', format === 'csv' ? 'text/csv' : 'application/x-ndjson')
      res.write(whole.subarray(0, whole.length / 2), () => req.socket.destroy())
    }
    const { status, stderr } = await run(args)
    expect([status, stderr]).toEqual([1, expect.not.stringMatching(/\bat .*\.js/)])
    expect(whole.toString().startsWith(text())).toBe(true)
    host.before = undefined
    expect(await run(args)).toMatchObject(complete('4 events.'))
    expect(text()).toBe(whole.toString())
  })
})

describe('export --change-requests', () => {
  const out = join(folder, 'requests.ndjson')
  const args = ['--change-requests', '--out', out]
  const append = [...args, '--append']
  const complete = (text: string) => ({ status: 0, stdout: `${out} is complete: ${text}\n`, stderr: '' })
  const text = () => readFileSync(out, 'utf8')
  const rows = () => text().split(/(?<=\n)/)
  const exported = (more = args) => run(more, 'ben')

  async function cancel(): Promise<void> {
    const ben = host.as('ben')
    const changes = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } } as const
    const { body } = await ben.propose({ project: 'shop', environment: 'production' }, changes)
    await ben.setState({ project: 'shop', id: body.id }, { state: 'Cancelled' })
  }

  beforeEach(async () => {
    rmSync(out, { force: true })
    for (let n = 0; n < 3; n += 1) await cancel()
  })

  it('has change requests by id; --append adds new ids and renews nothing', async () => {
    expect(await exported()).toMatchObject(complete('3 change requests.'))
    const whole = rows()
    expect(whole.map((row) => JSON.parse(row).id)).toEqual([1, 2, 3, undefined])
    await host.as('ben').comment({ project: 'shop', id: 1 }, { text: 'After the export.' })
    await cancel()
    const newer = 'Newer change requests: 1. Add them with --append.'
    expect(await exported([...args, '--format', 'ndjson'])).toMatchObject(complete(`3 change requests. ${newer}`))
    expect(rows()).toEqual(whole)
    expect(await exported(append)).toMatchObject(complete('4 change requests, 1 of them new.'))
    expect(rows().slice(0, 3)).toEqual(whole.slice(0, 3))
    expect(JSON.parse(rows()[4] ?? '')).toEqual({ trailer: { count: 4, firstId: 1, lastId: 4, filter: {} } })
    expect(await exported(append)).toMatchObject(complete('4 change requests, 0 of them new.'))
  })

  it('continues a file that was cut off, also where the next change request has changed since', async () => {
    await exported()
    const whole = text()
    const [first = ''] = rows()
    writeFileSync(out, whole.slice(0, first.length + 90))
    await host.as('ben').comment({ project: 'shop', id: 2 }, { text: 'After the export.' })
    expect(await exported()).toMatchObject(complete('3 change requests.'))
    expect(rows().map((row) => JSON.parse(row).id)).toEqual([1, 2, 3, undefined])
    expect(rows()[1]).toContain('After the export.')
  })

  it('rejects a file of events or of another filter, CSV, and says which permission is missing', async () => {
    await run(['--out', out, '--format', 'ndjson'])
    const events = text()
    expect(await exported()).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is no export of change requests.'),
    })
    expect(text()).toBe(events)
    rmSync(out)
    await exported([...args, '--project', 'shop'])
    expect(await exported(append)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('was exported with the filter'),
    })
    const requests = text()
    expect(await run(['--out', out, '--format', 'ndjson'])).toMatchObject({ status: 2 })
    expect(text()).toBe(requests)
    expect(await exported([...args, '--format', 'csv'])).toMatchObject({
      ...{ status: 2, stderr: expect.stringContaining('--format must be ndjson for change requests.') },
    })
    expect(await exported([...args, '--out', join(folder, 'other'), '--project', 'none'])).toMatchObject({
      stdout: expect.stringContaining('0 change requests. Check that the key has the permission READ_CHANGE_REQUEST.'),
    })
  })
})

it('exports the events of an apply, which have a group', async () => {
  const scene = await openScene()
  try {
    await scene.applied()
    const out = join(folder, 'grouped.ndjson')
    const args = ['export', '--out', out, '--format', 'ndjson', '--append']
    const env = { CHANGE_REQUESTS_URL: scene.host.url, CHANGE_REQUESTS_KEY: auditorKey('auditor') }
    for (const text of ['7 events.', '7 events, 0 of them new.']) {
      expect(await runCli(args, { env }).exit).toMatchObject({ status: 0, stdout: `${out} is complete: ${text}\n` })
    }
    expect(readFileSync(out, 'utf8')).toContain('"groupType":"change-request"')
  } finally {
    await scene.close()
  }
})
