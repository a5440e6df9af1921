import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { migrations } from '../../../../src/storage/sql/migrations'

const root = resolve(__dirname, '../../../..')
const folder = join(root, 'src/storage/sql/migrations')

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, '.ci/migrations'), ...args], {
    encoding: 'utf8',
  })
  return { status, output: `${stdout}${stderr}` }
}

describe('the migrations', () => {
  it('are unchanged since their release', () => {
    expect(run('check')).toEqual({ status: 0, output: '' })
  })

  it('each come from a file that imports nothing and exports one text', () => {
    const files = readdirSync(folder).filter((name) => /^\d{4}-/.test(name))
    const texts = files.map((name) => {
      expect([name, /\bimport\b|\brequire\b|\$\{/.test(readFileSync(join(folder, name), 'utf8'))]).toEqual([
        name,
        false,
      ])
      return Object.values(require(join(folder, name)))
    })
    const used = migrations.flatMap(({ postgres, sqlite }) => [[postgres], [sqlite]])

    expect(texts).toEqual(used)
  })
})

describe('.ci/migrations', () => {
  let made = ''
  const file = (name: string) => join(made, name)
  const pins = () => JSON.parse(readFileSync(file('published.json'), 'utf8'))

  beforeEach(() => {
    made = mkdtempSync(join(tmpdir(), 'change-requests-migrations-'))
    writeFileSync(file('0001-first-sqlite.ts'), 'first')
    writeFileSync(file('index.ts'), 'not a migration')
    expect(run('pin', '1.2.3', made)).toEqual({ status: 0, output: '' })
    writeFileSync(file('0002-second-sqlite.ts'), 'second')
  })
  afterEach(() => rmSync(made, { recursive: true }))

  it('records the hash and the version of a release, and does not change existing records', () => {
    const first = { version: '1.2.3', sha256: 'a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e' }
    expect(pins()).toEqual({ '0001-first-sqlite.ts': first })
    run('pin', '1.3.0', made)
    expect(pins()).toEqual({
      '0001-first-sqlite.ts': first,
      '0002-second-sqlite.ts': { version: '1.3.0', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
  })

  it('allows changes to a migration until it is released', () => {
    appendFileSync(file('0002-second-sqlite.ts'), ' altered')
    expect(run('check', made)).toEqual({ status: 0, output: '' })
  })

  it.each(['check', 'released', 'pin'])('rejects an altered migration: %s', (command) => {
    appendFileSync(file('0001-first-sqlite.ts'), ' altered')
    const { status, output } = run(command, ...(command === 'pin' ? ['1.3.0'] : []), made)
    expect(status).toBe(1)
    expect(output).toContain('0001-first-sqlite.ts was released with 1.2.3 and has been altered')
    expect(Object.keys(pins())).toEqual(['0001-first-sqlite.ts'])
  })

  it('rejects a removed migration', () => {
    rmSync(file('0001-first-sqlite.ts'))
    expect(run('check', made)).toEqual({
      status: 1,
      output: '0001-first-sqlite.ts was released with 1.2.3 and is missing: restore it.\n',
    })
  })

  it('rejects a release with a migration that has no hash', () => {
    expect(run('released', made)).toEqual({
      status: 1,
      output: '0002-second-sqlite.ts has no hash: run .ci/migrations pin <version>, and commit.\n',
    })
    run('pin', '1.3.0', made)
    expect(run('released', made)).toEqual({ status: 0, output: '' })
  })

  it.each([[[]], [['seal']], [['pin']], [['pin', 'next']]])('explains its usage: %j', (args) => {
    expect(run(...args)).toEqual({ status: 2, output: 'usage: .ci/migrations check | released | pin <version>\n' })
  })
})
