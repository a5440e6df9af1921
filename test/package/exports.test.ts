import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entryFile, exportsOf } from './support/declarations'
import { root } from './support/folders'

type Manifest = Record<'types' | 'default', string>

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, Manifest | string>
  bin: object
  dependencies: object
}

/** What a host gets from `require`, asked of a Node of its own. */
function values(entry: string): string[] {
  const name = entry.replace(/^\./, 'express-change-requests')
  const script = `process.stdout.write(JSON.stringify(Object.keys(require('${name}'))))`
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: root }).toString()).sort()
}

/** What a host gets from `import type`. */
function types(entry: string): string[] {
  const declarations = exportsOf(entryFile(entry)).values()
  const onlyTypes = [...declarations].filter(({ node }) => /^Ts(?:Interface|TypeAlias)Declaration$/.test(node.type))
  return onlyTypes.map(({ name }) => name).sort()
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
    [
      '.',
      ['ChangeRequestError', 'apiKeys', 'createChangeRequestRouter', 'createEventChain', 'fileLedger', 'memoryStorage'],
    ],
    ['./knex', ['knexMigrationSource', 'knexStorage', 'migrationSql']],
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
        'AddDependencyChange',
        'AddReleasePlanChange',
        'AddStrategyChange',
        'ApiKey',
        'ApplicableChange',
        'Application',
        'ApplyContext',
        'ApproversUpdate',
        'ArchiveFeatureChange',
        'Authenticate',
        'Author',
        'Authorize',
        'Change',
        'ChangeFeatureEnvSafeguardChange',
        'ChangeMilestoneProgressionChange',
        'ChangeReleasePlanSafeguardChange',
        'ChangeRequest',
        'ChangeRequestCountsView',
        'ChangeRequestErrorOptions',
        'ChangeRequestFilter',
        'ChangeRequestListView',
        'ChangeRequestRouter',
        'ChangeRequestRouterOptions',
        'ChangeRequestSearchItemView',
        'ChangeRequestSearchView',
        'ChangeRequestSummary',
        'ChangeRequestView',
        'ChangeSafeguardChange',
        'ChangeView',
        'CloseOptions',
        'ClosedStrategyVariant',
        'Comment',
        'CommentSubmission',
        'CommentView',
        'Constraint',
        'Constraints',
        'CurrentOptions',
        'DefaultChangeView',
        'DeleteDependencyChange',
        'DeleteFeatureEnvSafeguardChange',
        'DeleteMilestoneProgressionChange',
        'DeleteReleasePlanChange',
        'DeleteReleasePlanSafeguardChange',
        'DeleteSafeguardChange',
        'DeleteSegmentChange',
        'DeleteStrategyChange',
        'Directory',
        'Environment',
        'EnvironmentSettingsView',
        'ErrorDetail',
        'ErrorDetailsView',
        'ErrorName',
        'ErrorView',
        'EventChain',
        'EventChainOptions',
        'EventCheckpoint',
        'EventCount',
        'EventCreator',
        'EventCreatorsView',
        'EventCursor',
        'EventData',
        'EventFilter',
        'EventHead',
        'EventLedger',
        'EventListView',
        'EventLog',
        'EventPage',
        'EventRow',
        'EventScope',
        'EventSearchView',
        'EventType',
        'EventView',
        'FailedScheduleView',
        'FeatureEventListView',
        'FeatureGroupView',
        'FeatureState',
        'FlagEvent',
        'FlagGateway',
        'FlagState',
        'FlagVariant',
        'Grant',
        'IdempotencyKey',
        'IdempotencyRecord',
        'JsonValue',
        'Limits',
        'ListCursor',
        'ListPage',
        'ListedChangeRequestView',
        'ListedPage',
        'Logger',
        'Name',
        'NewChange',
        'OpenApiDocument',
        'OpenApiOptions',
        'OpenKey',
        'Operator',
        'PatchVariantChange',
        'PendingScheduleView',
        'Permission',
        'Person',
        'PersonView',
        'PlanSafeguard',
        'PlanSafeguardRemoval',
        'ProblemView',
        'RecordOptions',
        'RecordedEvent',
        'ReorderStrategyChange',
        'ResumeMilestoneProgressionChange',
        'ReviewerView',
        'ReviewersView',
        'Safeguard',
        'Schedule',
        'ScheduleConflictsView',
        'ScheduleView',
        'ScheduledChangeRequestItemView',
        'ScheduledChangeRequestView',
        'ScheduledChangeRequestsView',
        'ScheduledSearchItemView',
        'ScheduledStateUpdate',
        'Scope',
        'SegmentChangeView',
        'SegmentId',
        'SegmentState',
        'Settings',
        'SettingsListView',
        'SettingsPlace',
        'SettingsUpdate',
        'SettingsWrite',
        'Settlement',
        'StartMilestoneChange',
        'State',
        'StateTimestampsView',
        'StateUpdate',
        'Storage',
        'StorageFailure',
        'StorageHealth',
        'StoredChangeRequest',
        'StoredSettings',
        'StrategyParameters',
        'StrategyState',
        'StrategyUpdate',
        'StrategyVariant',
        'Subjects',
        'SubmittedChange',
        'SummaryPage',
        'SuspendedScheduleView',
        'Tag',
        'Tags',
        'TitleUpdate',
        'TransactionStorage',
        'UnscheduledChangeRequestView',
        'UnscheduledSearchItemView',
        'UnscheduledStateUpdate',
        'UpdateEnabledChange',
        'UpdateMilestoneStrategyChange',
        'UpdateSegmentChange',
        'UpdateStrategyChange',
        'User',
        'UserDirectory',
        'VariantPayload',
        'Verification',
        'Vote',
        'VoteView',
        'VoterView',
        'Write',
      ],
    ],
    [
      './knex',
      [
        'Durability',
        'KnexMigration',
        'KnexMigrationSourceOptions',
        'KnexStorage',
        'KnexStorageOptions',
        'MigrationSqlOptions',
      ],
    ],
    ['./testing', ['Callers', 'Credentials', 'Expectation', 'HttpHost', 'OpenStorage', 'Runner']],
  ])('has these types in %s', (entry, names) => {
    expect(types(entry)).toEqual(names)
  })

  it('has one command', () => {
    expect(manifest.bin).toEqual({ 'express-change-requests': 'dist/cli.js' })
    expect(readFileSync(join(root, 'dist/cli.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it('brings three packages along, and no more', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(['ajv', 'ajv-formats', 'fresh'])
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
      /^docs\/(?:decisions\/)?[\w-]+\.md$/,
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
    expect(files).toEqual(
      expect.arrayContaining([...plain, 'dist/cli.js', 'schemas/error.json', 'README.md', 'LICENSE']),
    )
  })
})
