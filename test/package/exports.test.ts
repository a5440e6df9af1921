import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './support/folders'

// Processes are started, and the machine may have others to serve.
jest.setTimeout(30_000)

type Manifest = Record<'types' | 'default', string>

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, Manifest | string>
  dependencies: object
}

/** What a host gets from `require`, asked of a Node of its own. */
function values(entry: string): string[] {
  const name = entry.replace(/^\./, 'express-change-requests')
  const script = `process.stdout.write(JSON.stringify(Object.keys(require('${name}'))))`
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: root }).toString()).sort()
}

/** The names in the declaration file of an entry that are no values. */
function types(entry: string): string[] {
  const { types: file } = manifest.exports[entry] as Manifest
  const text = readFileSync(join(root, file), 'utf8')
  const lists = [...text.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, onlyTypes, list = '']) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && (onlyTypes !== undefined || name.startsWith('type ')))
      .map((name) => name.replace(/^type /, '')),
  )
  const own = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name)
  return [...lists, ...own].sort()
}

describe('what the package exports', () => {
  it('has these entries', () => {
    expect(Object.keys(manifest.exports)).toEqual([
      '.',
      './knex',
      './testing',
      './schemas/*.json',
      './openapi.json',
      './package.json',
    ])
  })

  it.each([
    ['.', ['ChangeRequestError', 'apiKeys', 'createChangeRequestRouter', 'memoryStorage']],
    ['./knex', ['knexStorage']],
    ['./testing', ['describeHttp', 'describeStorage']],
  ])('has these values in %s', (entry, names) => {
    expect(values(entry)).toEqual(names)
  })

  it.each([
    [
      '.',
      [
        'Action',
        'ActionableView',
        'Actor',
        'AnswerKey',
        'ApiKey',
        'ApplicableChange',
        'Application',
        'ApplyContext',
        'Authenticate',
        'Author',
        'Authorize',
        'Change',
        'ChangeRequest',
        'ChangeRequestCountsView',
        'ChangeRequestErrorOptions',
        'ChangeRequestFilter',
        'ChangeRequestListView',
        'ChangeRequestRouter',
        'ChangeRequestRouterOptions',
        'ChangeRequestSearchView',
        'ChangeRequestView',
        'Comment',
        'DefaultChange',
        'Directory',
        'Environment',
        'ErrorDetail',
        'ErrorName',
        'ErrorView',
        'EventCursor',
        'EventHead',
        'EventListView',
        'EventLog',
        'EventPage',
        'EventRow',
        'EventScope',
        'EventType',
        'EventView',
        'FeatureState',
        'FlagEvent',
        'FlagGateway',
        'FlagState',
        'Grant',
        'JsonValue',
        'KeyedAnswer',
        'Limits',
        'Logger',
        'NewChange',
        'OpenKey',
        'Permission',
        'Person',
        'ProblemView',
        'RecordOptions',
        'RecordedEvent',
        'ReviewersView',
        'Schedule',
        'Scope',
        'SegmentState',
        'Settings',
        'SettingsListView',
        'SettingsPlace',
        'SettingsWrite',
        'State',
        'StateUpdate',
        'Storage',
        'StorageHealth',
        'StoredChangeRequest',
        'StoredSettings',
        'StrategyState',
        'Subjects',
        'SubmittedChange',
        'TransactionStorage',
        'User',
        'UserDirectory',
        'Vote',
        'Write',
      ],
    ],
    ['./knex', ['Durability', 'KnexStorage', 'KnexStorageOptions']],
    ['./testing', ['Callers', 'Credentials', 'Expectation', 'HttpHost', 'OpenStorage', 'Runner']],
  ])('has these types in %s', (entry, names) => {
    expect(types(entry)).toEqual(names)
  })

  it('brings two packages along, and no more', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(['ajv', 'ajv-formats'])
  })
})

describe('npm pack', () => {
  let files: string[]

  beforeAll(() => {
    const answer = execFileSync('npm', ['pack', '--dry-run', '--json'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [packed] = JSON.parse(answer.toString()) as [{ files: { path: string }[] }]
    files = packed.files.map(({ path }) => path)
  })

  it('takes the build, the schemas, the description and the papers, and nothing else', () => {
    const wanted = [
      /^dist\/(?:[\w-]+\/)*[\w-]+\.(?:js|d\.ts)$/,
      /^schemas\/(?:[\w-]+\/)?[\w-]+\.json$/,
      /^(?:openapi\.json|package\.json|README\.md|LICENSE)$/,
    ]
    expect(files.filter((file) => !wanted.some((pattern) => pattern.test(file)))).toEqual([])
  })

  it('takes no tests along', () => {
    expect(files.filter((file) => /\.test\.|^test\//.test(file))).toEqual([])
  })

  it('takes everything that an entry leads to', () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    )
    const plain = targets.map((target) => target.replace(/^\.\//, '')).filter((target) => !target.includes('*'))
    expect(files).toEqual(expect.arrayContaining([...plain, 'schemas/error.json', 'README.md', 'LICENSE']))
  })
})
