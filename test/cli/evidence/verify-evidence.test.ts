import { createHash, generateKeyPairSync } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEventChain, fileLedger, memoryStorage } from '../../../src'
import { derive } from '../../../src/cli/api/evidence/derive'
import { folderSink } from '../../../src/cli/api/evidence/folder'
import { toPeriod } from '../../../src/cli/api/evidence/period'
import {
  filesOf,
  jsonLines,
  july,
  type Made,
  makeExceptions,
  openScene,
  removeFolders,
  temporaryFolder,
  verify,
} from './support'

// biome-ignore lint/suspicious/noExplicitAny: the lies change any part of a line.
type Line = any

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const pem = publicKey.export({ type: 'spki', format: 'pem' })
const derived = /^(?:exceptions\.csv|people\.csv|settings\.ndjson|report\.html|requests-\d+\.html)$/

let original: string
let made: Made
let keyFile: string
/** The id of an ordinary change request. */
let applied: number

beforeAll(async () => {
  const storage = memoryStorage()
  const scene = await openScene(storage)
  try {
    made = await makeExceptions(scene)
    const folder = temporaryFolder()
    const ledger = fileLedger(join(folder, 'events.ledger'))
    await createEventChain({ storage, ledger, privateKey }).seal()
    keyFile = join(folder, 'key.pem')
    writeFileSync(keyFile, pem)
    original = join(folder, 'q3')
    const args = ['--ledger', join(folder, 'events.ledger'), '--public-key', keyFile, '--out', original]
    expect(await scene.run([...july, ...args])).toMatchObject({ status: 0, stderr: '' })
    applied = jsonLines(original, 'requests.ndjson')[0].id
  } finally {
    await scene.close()
  }
})
afterAll(removeFolders)

/** A copy of the folder that a test can change. */
class Folder {
  readonly path = join(temporaryFolder(), 'q3')

  constructor() {
    cpSync(original, this.path, { recursive: true })
  }

  edit(name: string, change: (text: string) => string): void {
    const path = join(this.path, name)
    const text = readFileSync(path, 'utf8')
    const changed = change(text)
    expect(changed).not.toBe(text)
    writeFileSync(path, changed)
  }

  /** Changes the lines of a file; `change` returns undefined to remove one. */
  lines(name: string, change: (line: Line) => Line | undefined): void {
    const changed = jsonLines(this.path, name).flatMap((line) => change(line) ?? [])
    this.edit(name, () => changed.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }

  request(id: number, change: (line: Line) => void): void {
    this.lines('requests.ndjson', (line) => {
      if (line.id === id) change(line)
      return line
    })
  }

  event(isMeant: (event: Line) => boolean, change: (event: Line) => void): void {
    this.lines('events.ndjson', (event) => {
      if (isMeant(event)) change(event)
      return event
    })
  }

  manifest(change: (manifest: Line) => void): void {
    const path = join(this.path, 'manifest.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8'))
    change(manifest)
    writeFileSync(path, JSON.stringify(manifest, null, 2))
  }

  /** Makes the hashes right again. */
  hash(): void {
    this.manifest((manifest) => {
      const names = readdirSync(this.path).filter((name) => name !== 'manifest.json')
      manifest.files = Object.fromEntries(
        names.map((name) => [
          name,
          createHash('sha256')
            .update(readFileSync(join(this.path, name)))
            .digest('hex'),
        ]),
      )
    })
  }

  /** Makes the tables, the report, the counts and the hashes fit the lie. */
  async derive(): Promise<void> {
    for (const name of readdirSync(this.path)) if (derived.test(name)) rmSync(join(this.path, name))
    const manifest = JSON.parse(readFileSync(join(this.path, 'manifest.json'), 'utf8'))
    const { from, to, zone } = manifest.query
    const counts = await derive(this.path, manifest, toPeriod(from, to, zone), folderSink(this.path))
    this.manifest((one) => {
      one.counts = counts
    })
    this.hash()
  }
}

const isApply = (request: number) => (event: Line) =>
  event.type === 'change-request-applied' && event.data.changeRequestId === request
const isApproval = (request: number) => (event: Line) =>
  event.type === 'change-request-approval-added' && event.data.changeRequestId === request

it('a folder as it was made is consistent', async () => {
  expect(await verify(original, '--public-key', keyFile)).toMatchObject({ status: 0, stderr: '' })
  const copy = new Folder()
  await copy.derive()
  expect(filesOf(copy.path)).toEqual({ ...filesOf(original), 'manifest.json': expect.any(String) })
  expect(await verify(copy.path)).toMatchObject({ status: 0 })
})

/** Lies in files that follow from others. The hashes are right. */
const tableLies: readonly (readonly [name: string, lie: (folder: Folder) => void, finding: string])[] = [
  [
    'an exception is removed',
    (one) => one.edit('exceptions.csv', (text) => text.replace(/^own-approval.*\r\n/m, '')),
    'exceptions.csv: line 5 does not follow from requests.ndjson and events.ndjson',
  ],
  [
    'an exception is added',
    (one) => one.edit('exceptions.csv', (text) => `${text}settled,2026-07-30T08:00:00.000Z,ben (2),,1,9\r\n`),
    'exceptions.csv: line 14 does not',
  ],
  [
    'the reason of an emergency is another one',
    (one) => one.edit('exceptions.csv', (text) => text.replace('Payments fail', 'The shop fails')),
    'exceptions.csv: line 2 does not',
  ],
  [
    'an emergency looks acknowledged by another user',
    (one) => one.edit('exceptions.csv', (text) => text.replace('000Z by ben (2).', '000Z by cleo (3).')),
    'exceptions.csv: line 2 does not',
  ],
  [
    'a user approved less often',
    (one) => one.edit('people.csv', (text) => text.replace('2,person,ben,1,8,', '2,person,ben,1,7,')),
    'people.csv: line 3 does not',
  ],
  [
    'a machine looks like a person',
    (one) => one.edit('people.csv', (text) => text.replace('service', 'person')),
    'people.csv: line 5 does not',
  ],
  [
    'a change of settings is removed',
    (one) => one.lines('settings.ndjson', (event) => (event.data.changeRequestsEnabled ? event : undefined)),
    'settings.ndjson: line 3 does not',
  ],
  [
    'the report lacks an exception',
    (one) => one.edit('report.html', (text) => text.replace(/<tr><td><span class="kind">Approved own.*\n/, '')),
    'report.html: line ',
  ],
  [
    'the report has another approver',
    (one) => one.edit('requests-001.html', (text) => text.replace('ben (2)', 'cleo (3)')),
    'requests-001.html: line ',
  ],
  [
    'the counts of the manifest are lower',
    (one) =>
      one.manifest(({ counts }) => {
        counts.exceptions.emergency = 0
      }),
    'manifest.json: its counts are not those of the files',
  ],
  ['a file is missing', (one) => rmSync(join(one.path, 'settings.ndjson')), 'settings.ndjson: it is missing'],
  ['a file is no evidence', (one) => writeFileSync(join(one.path, 'note.txt'), 'All is well.'), 'note.txt: it is no'],
]

/** Lies about change requests, events and the query. All other files fit them. */
const contentLies: readonly (readonly [name: string, lie: (folder: Folder) => void, finding: string | RegExp])[] = [
  [
    'a change request is removed',
    (one) => one.lines('requests.ndjson', (line) => (line.id === made.emergency ? undefined : line)),
    /events.ndjson: no change request of the folder has event \d+/,
  ],
  [
    'a change request is there twice',
    (one) => one.edit('requests.ndjson', (text) => `${text + text.split('\n')[0]}\n`),
    /change request 1: it is behind change request \d+/,
  ],
  [
    'an applied one looks cancelled',
    (one) =>
      one.request(applied, (line) => {
        line.state = 'Cancelled'
      }),
    'its state is Cancelled, by its events Applied',
  ],
  [
    'a vote is added',
    (one) => one.request(applied, ({ votes }) => votes.push({ ...votes[0], person: { ...votes[0].person, id: 3 } })),
    'no event has the vote of user 3',
  ],
  [
    'a vote is that of another user',
    (one) =>
      one.request(applied, ({ votes }) => {
        votes[0].person.id = 3
      }),
    'no event has the vote of user 3',
  ],
  [
    'a vote is removed',
    (one) => one.request(applied, ({ votes }) => votes.pop()),
    'its votes are of users , by its events 2',
  ],
  [
    'a vote is for other content',
    (one) =>
      one.request(applied, ({ votes }) => {
        votes[0].digest = `sha256:${'0'.repeat(64)}`
      }),
    'the vote of user 2 is for other content than event',
  ],
  [
    'the author is another user',
    (one) =>
      one.request(made.own, ({ author }) => {
        author.id = 1
      }),
    'its author is not that of event',
  ],
  [
    'a change has another payload',
    (one) =>
      one.request(applied, ({ changes }) => {
        changes[0].payload.enabled = false
      }),
    'is not that of its event',
  ],
  [
    'it was applied by another user',
    (one) =>
      one.request(applied, ({ ended }) => {
        ended.by.id = 3
      }),
    'its end is not that of event',
  ],
  [
    'an emergency looks like an ordinary apply',
    (one) =>
      one.request(made.emergency, (line) => {
        line.emergency = null
      }),
    'its emergency is not that of its events',
  ],
  [
    'an emergency looks acknowledged earlier',
    (one) =>
      one.request(made.emergency, ({ emergency }) => {
        emergency.acknowledgedAt = '2026-07-10T12:00:00.000Z'
      }),
    'its acknowledgement is not that of its events',
  ],
  [
    'a requirement looks lower',
    (one) =>
      one.request(applied, ({ requirements }) => {
        requirements[0].approvals = 0
      }),
    'its requirements are not those of its apply',
  ],
  [
    'a dismissed objection looks lifted',
    (one) =>
      one.request(made.dismissed, ({ objections }) => {
        objections[0].ended.how = 'lifted'
      }),
    'its objections are not those of event',
  ],
  [
    'an approval that was taken back is removed',
    (one) =>
      one.request(made.takenBack, (line) => {
        line.voidedApprovals = []
      }),
    'its approvals that were taken back are not those of event',
  ],
  [
    'an event is left out of its change request',
    (one) => one.request(applied, ({ events }) => events.splice(1, 1)),
    /no change request of the folder has event \d+/,
  ],
  [
    'an approval is removed from the log',
    (one) => one.lines('events.ndjson', (event) => (isApproval(applied)(event) ? undefined : event)),
    /change request 1: event \d+ is missing/,
  ],
  [
    'an approval is added to the log',
    (one) => {
      const last = jsonLines(one.path, 'events.ndjson').at(-1).id
      one.lines('events.ndjson', (event) =>
        event.id === last ? [event, { ...event, id: last + 1, createdByUserId: 3 }] : event,
      )
      one.manifest((manifest) => {
        manifest.asOf = last + 1
      })
    },
    /no change request of the folder has event \d+/,
  ],
  [
    'an apply counted an approval that nobody gave',
    (one) =>
      one.event(isApply(applied), ({ data }) =>
        data.approvals.push({ by: { id: 3, username: 'cleo' }, at: '2026-07-10T09:00:30.000Z', rules: [] }),
      ),
    'no event has the approval of user 3 2026-07-10T09:00:30.000Z',
  ],
  [
    'an apply is not in the log',
    (one) => {
      const apply = jsonLines(one.path, 'events.ndjson').find(isApply(applied)).id
      one.lines('events.ndjson', (event) => (event.id === apply ? undefined : event))
      one.request(applied, (line) => {
        line.events = line.events.filter((id: number) => id !== apply)
      })
    },
    'it has 0 events change-request-applied instead of 1',
  ],
  [
    'an own approval is not marked',
    (one) =>
      one.event(isApproval(made.own), ({ data }) => {
        delete data.selfApproval
      }),
    'is an approval by an author, and not marked as one',
  ],
  [
    'a machine approved',
    (one) =>
      one.event(isApproval(applied), ({ data }) => {
        data.actor = { kind: 'service' }
      }),
    'is an approval by a machine',
  ],
  [
    'events are in another order',
    (one) => one.edit('events.ndjson', (text) => `${text.split('\n').filter(Boolean).reverse().join('\n')}\n`),
    /The folder cannot be read to its end: event \d+ is behind event \d+/,
  ],
  [
    'a step is that of another change request',
    (one) =>
      one.event(isApproval(applied), ({ data }) => {
        data.changeRequestId = made.emergency
      }),
    /change request 1: event \d+ is about another one/,
  ],
  [
    'the folder looks older than its events',
    (one) =>
      one.manifest((manifest) => {
        manifest.asOf = 10
      }),
    /event \d+ is newer than event \d+ of the manifest/,
  ],
  [
    'the period looks shorter',
    (one) =>
      one.manifest(({ query }) => {
        query.to = '2026-07-09'
      }),
    'it has no event in the period',
  ],
  [
    'it looks like the evidence of another project',
    (one) =>
      one.manifest(({ query }) => {
        query.projects = ['blog']
      }),
    /event \d+ is of another project/,
  ],
  [
    'the checkpoint of the ledger is another one',
    (one) =>
      one.manifest(({ ledger }) => {
        ledger.hash = '0'.repeat(64)
      }),
    'has no valid signature of the key',
  ],
]

async function expectFound(folder: Folder, finding: string | RegExp): Promise<void> {
  const { status, stdout, stderr } = await verify(folder.path, '--public-key', keyFile)
  expect({ status, stderr }).toEqual({ status: 6, stderr: '' })
  expect(stdout).toMatch(finding)
  expect(stdout).toMatch(/: \d+ findings?\n/)
}

describe('verify-evidence finds a lie', () => {
  it.each(tableLies)('%s', async (_name, lie, finding) => {
    const folder = new Folder()
    lie(folder)
    folder.hash()
    await expectFound(folder, finding)
  })

  it.each(contentLies)('%s', async (_name, lie, finding) => {
    const folder = new Folder()
    lie(folder)
    // The liar makes all other files fit.
    await folder.derive().catch(() => folder.hash())
    await expectFound(folder, finding)
  })

  it.each([
    'requests.ndjson',
    'events.ndjson',
    'exceptions.csv',
    'settings.ndjson',
    'people.csv',
    'report.html',
    'requests-001.html',
  ])('%s is not the file of the manifest', async (name) => {
    const folder = new Folder()
    folder.edit(name, (text) => `${text} `)
    await expectFound(folder, `${name}: its SHA-256 is not that of the manifest`)
  })
})

describe('verify-evidence', () => {
  it('prints what it could not check', async () => {
    const { stdout } = await verify(original)
    expect(stdout.match(/^Not checked: .*/gm)).toEqual([
      'Not checked: titles, comments, custom fields and checks: the log has no event for them',
      'Not checked: the events against the ledger: the folder does not have all events of the log',
      'Not checked: the signature of the checkpoint in the manifest: set --public-key',
    ])
  })

  it('does not compare the report of another release', async () => {
    const folder = new Folder()
    folder.manifest((manifest) => {
      manifest.release = '0.0.1'
    })
    const { status, stdout } = await verify(folder.path)
    expect(status).toBe(0)
    expect(stdout).toContain('Not checked: the report, which release 0.0.1 made')
  })

  it.each([
    ['{"query":', 'manifest.json: '],
    ['{"query":{"from":"2026-07-01","to":"2026-07-31","zone":"UTC"}}', 'manifest.json: it is malformed'],
  ])('a manifest that is %s is a finding', async (text, finding) => {
    const folder = new Folder()
    writeFileSync(join(folder.path, 'manifest.json'), text)
    expect(await verify(folder.path)).toMatchObject({ status: 6, stdout: expect.stringContaining(finding) })
  })

  it('without the folder is exit 1, without an argument exit 2', async () => {
    expect(await verify(`${original}-none`)).toMatchObject({
      status: 1,
      stderr: `The folder ${original}-none does not exist.\n`,
    })
    expect(await verify()).toMatchObject({ status: 2 })
  })
})
