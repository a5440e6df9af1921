import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Exit, runNode } from './support/child'
import { removeFolders, root, temporaryFolder } from './support/folders'

interface Checkout {
  readonly manifest?: object
  readonly changelog?: string
  readonly readme?: string
  readonly dirty?: boolean
  /** The files in the folder of the migrations. */
  readonly migrations?: Readonly<Record<string, string>>
  readonly gate?: string
  readonly env?: Readonly<Record<string, string>>
}

const repository = { type: 'git', url: 'git+https://example.com/flags/change-requests.git' }
const complete = { name: 'released', version: '1.2.3', repository }
const inCi = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://example.com/token', GITHUB_REF_NAME: 'v1.2.3' }
const dated = '# Changelog\n\n## 1.2.3 (2026-11-20)\n\n- Something.\n'

/** Runs `.ci/release` in a repository with a gate and an npm that only write down that they were called. */
async function release(checkout: Checkout, ...args: string[]): Promise<Exit & { readonly calls: string[] }> {
  const { manifest = complete, changelog = dated, dirty = false, gate = 'exit 0', env = inCi } = checkout
  const { migrations: files = {}, readme = '![Licence](https://example.com/licence.svg) A text.\n' } = checkout
  const repo = temporaryFolder()
  const outside = temporaryFolder()
  const log = join(outside, 'calls')
  mkdirSync(join(repo, '.ci'))
  for (const file of ['.ci/release', '.ci/migrations']) cpSync(join(root, file), join(repo, file))
  const migrations = join(repo, 'src/storage/sql/migrations')
  mkdirSync(migrations, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(migrations, file), text)
  script(join(repo, '.ci/run'), `echo gate >>${log}; ${gate}`)
  script(join(outside, 'npm'), `echo "npm $*" >>${log}; [[ $1 != pack ]] || touch "\${@: -1}/released-1.2.3.tgz"`)
  writeFileSync(join(repo, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(repo, 'CHANGELOG.md'), changelog)
  writeFileSync(join(repo, 'README.md'), readme)
  writeFileSync(join(repo, '.gitignore'), '.cache/\n')
  const git = (...words: string[]) => execFileSync('git', words, { cwd: repo, stdio: 'ignore' })
  git('init')
  git('add', '.')
  git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', 'commit', '-m', 'Release')
  if (dirty) writeFileSync(join(repo, 'left-over.txt'), '')
  const PATH = `${outside}:${process.env.PATH}`
  const { exit } = runNode(['.ci/release', ...args], { command: 'bash', cwd: repo, env: { ...env, PATH } })
  const ended = await exit
  return { ...ended, calls: existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [] }
}

function script(file: string, text: string): void {
  writeFileSync(file, `#!/usr/bin/env bash\n${text}\n`)
  chmodSync(file, 0o755)
}

const prepared = [
  'gate',
  'npm sbom --omit dev --sbom-format cyclonedx',
  'npm pack --silent --pack-destination .cache/release',
]

describe('.ci/release', () => {
  afterEach(removeFolders)

  it('runs the gate, lists what is inside, packs, and publishes that tarball with its provenance', async () => {
    const { status, calls, stderr } = await release({})
    expect([status, stderr]).toEqual([0, ''])
    const published = 'npm publish .cache/release/released-1.2.3.tgz --provenance --access public'
    expect(calls).toEqual([...prepared, published])
  })

  it('publishes nothing if the gate fails', async () => {
    const { status, calls, stderr } = await release({ gate: 'exit 1' })
    expect([status, calls, stderr]).toEqual([1, ['gate'], 'failed: the gate\n'])
  })

  it('does everything except publish with --dry-run', async () => {
    const { status, calls, stdout } = await release({}, '--dry-run')
    expect([status, calls, stdout]).toEqual([0, prepared, 'not published: .cache/release/released-1.2.3.tgz\n'])
  })

  it('lists everything that is missing with --dry-run, and exits with 1', async () => {
    const { status, calls, stderr } = await release({ env: {}, dirty: true, changelog: '' }, '--dry-run')
    expect([status, calls]).toEqual([1, prepared])
    expect(stderr.match(/^missing: /gm)).toHaveLength(3)
  })

  it.each<[why: string, checkout: Checkout, message: string]>([
    ['a tree with changes', { dirty: true }, 'the tree has changes'],
    ['no entry in the changelog', { changelog: '# Changelog\n' }, 'CHANGELOG.md has no heading "## 1.2.3 ('],
    ['an entry of another version', { changelog: dated.replace('1.2.3', '1.213') }, 'CHANGELOG.md has no heading'],
    [
      'a relative picture',
      { readme: '![A](docs/a.svg) ![B](https://example.com/b.svg)\n\n![C: (c)](docs/c.png)\n' },
      'README.md has pictures without https://, which npm does not show: docs/a.svg docs/c.png\n',
    ],
    [
      'a migration without a hash',
      { migrations: { '0001-new.ts': '' } },
      '0001-new.ts has no hash: run .ci/migrations',
    ],
    [
      'an altered migration',
      {
        migrations: {
          '0001-old.ts': '',
          'published.json': '{ "0001-old.ts": { "version": "1.0.0", "sha256": "0" } }',
        },
      },
      '0001-old.ts was released with 1.0.0 and has been altered',
    ],
    ['no repository', { manifest: { ...complete, repository: undefined } }, 'package.json has no "repository"'],
    ['no CI', { env: {} }, 'no CI with an OIDC token is running this'],
    [
      'a tag of another version',
      { env: { ...inCi, GITHUB_REF_NAME: 'v2.0.0' } },
      'the tag is v2.0.0, the version is 1.2.3',
    ],
  ])('rejects %s before it does anything', async (_, checkout, message) => {
    const { status, stdout, stderr, calls } = await release(checkout)
    expect([status, stdout, calls]).toEqual([1, '', []])
    expect(stderr).toMatch(/^missing: [^\n]+\n$/)
    expect(stderr).toContain(`missing: ${message}`)
  })
})
