import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { changeSchemas } from '../../../src/validation/core/registry'
import { entryFile, exportsOf } from '../support/declarations'
import { root } from '../support/folders'

type Manifest = Record<'types' | 'default', string>

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, Manifest | string>
  bin: object
  dependencies: object
}

const entryNames = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'))

/** The exports that `require` returns for each entry, in a Node process of its own. */
const values: Readonly<Record<string, string[]>> = JSON.parse(
  execFileSync(
    process.execPath,
    [
      '-e',
      `const namesOf = (entry) => Object.keys(require('express-change-requests' + entry.slice(1))).sort()
       console.log(JSON.stringify(Object.fromEntries(process.argv.slice(1).map((entry) => [entry, namesOf(entry)]))))`,
      ...entryNames,
    ],
    { cwd: root, encoding: 'utf8' },
  ),
)

/** The exports that `import type` finds. */
function types(entry: string): string[] {
  const declarations = exportsOf(entryFile(entry)).values()
  const onlyTypes = [...declarations].filter(({ node }) => /^Ts(?:Interface|TypeAlias)Declaration$/.test(node.type))
  return onlyTypes.map(({ name }) => name).sort()
}

const readSchema = (file: string) => readFileSync(join(root, 'schemas', file), 'utf8')

/** The types of the changes that can be proposed, which come and go with the actions. */
const changeTypes = [...changeSchemas.keys()].map((action) => JSON.parse(readSchema(`changes/${action}.json`)).title)

/** The files that a schema refers to, directly or through others. */
function referredFrom(file: string, seen = new Set<string>()): Set<string> {
  for (const [, target = ''] of readSchema(file).matchAll(/"\$ref": "([^"#]+)/g)) {
    const path = posix.join(posix.dirname(file), target)
    if (seen.has(path)) continue
    seen.add(path)
    referredFrom(path, seen)
  }
  return seen
}

const words = (text: string) => text.match(/\S+/g) ?? []

describe('what the package exports', () => {
  it.each([
    [
      '.',
      'ChangeRequestError ConsumerRetry ConsumerStop apiKeys createChangeRequestRouter createEventChain diffOf fileLedger memoryStorage sameOrigin unleashRules verifyStorage',
    ],
    ['./knex', 'applyRecords knexMigrationSource knexStorage migrationSql plainFlags'],
    ['./postgres', 'applyRecords migrationSql plainFlags postgresStorage'],
    ['./sqlite', 'applyRecords migrationSql plainFlags sqliteStorage'],
    ['./handles', 'fromDrizzle fromKysely fromPostgresJs fromPrisma fromTypeorm'],
    ['./testing', 'describeHttp describeStorage nodeTestRunner opaqueHandlers ungatedRoutes'],
    ['./client', 'ClientError createClient'],
    ['./page', 'reviewPage'],
    ['./webhooks', 'webhooks'],
    ['./types', ''],
  ])('has these values in %s', (entry, names) => {
    expect(values[entry]).toEqual(words(names))
  })

  it.each([
    [
      '.',
      `
      ConsumerGauge CountedChangeRequests StoredGauges
      TelemetryMeter TelemetryObserver TelemetryOptions TelemetryTracer
      Check CheckReport CheckStatus Checks MissingCheck RecordedCheck TracedCheck
      Action Actor ApiKey ApplicableChange AppliedDefault ApplyAttempt ApplyContext ApplyTrace ApprovalRecord ApprovalRule ApprovalRules Authenticate Author Authorize BypassedFreeze BypassedObjection Change ChangeDiff
      ChangeRequest ChangeRequestErrorOptions ChangeRequestFilter ChangeRequestGroup ChangeRequestRouter ChangeRequestRouterOptions
      ChangeRequestStorage ChangeRequestSummary CloseOptions Comment Consumer ConsumerContext ConsumerPosition ConsumerStart ConsumerStatus
      ConsumerStorage ConsumerWrite ConsumersHealth ContextField CountedApproval CurrentOptions CustomField CustomFieldSchema CustomFields Directory Emergency EmergencyTrace Ending Environment EnvironmentWithoutSettings ErrorDetail ErrorName
      EventChain EventChainOptions EventCheckpoint EventCreator EventCursor EventFilter EventHead
      EventFollowOptions EventLedger EventLog EventPage EventReadOptions EventReadPage EventRow EventScope EventSearch EventsOfDay EventStorage EventType FeatureState FieldDiff FlagEvent FlagGateway FlagState
      FoundEvents FoundReviews Freeze Freezes Hold HoldWrite MissingApprovals DescribeWrite GatedPlace GateOptions Proposed
      Grant GroupFilter GroupKey IdempotencyKey IdempotencyRecord JsonValue Limits LinkTemplates IdPage ListCursor ListPage ListedById ListedPage LoggedChangeRequest UpdatedFilter LoadedProposal LogFilter Logger Machine MachineKind Mentions NamedSegment NewChange Objection ObjectionEnding
      OpenApiDocument OpenApiOptions OpenKey OverwrittenField Permission Person Playground RecordOptions RecordedEvent RecordedRequirement RecordedRule RouterHealth RuleCondition RuleMode FieldCondition TrialResult Schedule PresetSchedule ScheduleHealth ScheduleRun Scheduling
      ReviewCase ReviewCursor ReviewSearch DueChangeRequest DueCursor DuePage DueTimes InterruptedApply InterruptedPage Scope
      SameOriginOptions SegmentState SettingOrFunction Settings SettingsPlace SettingsStorage SettingsWrite Settlement State StepCode Storage StorageFailure StorageHealth StorageProblem StorageReplication
        StoredChangeRequest StoredConsumer StoredSettings StrategyState SubjectRange Subjects SummaryPage SupportedActions SyncFlagGateway TransactionStorage User
        UserDirectory Validate ValidationContext Verification VoidedApproval Vote VotedChange VotedContent WithdrawnSchedule Write WriteBefore
      ChangeRequestColumns Inspected InspectedChangeRequest InspectedConsumer InspectedCounts InspectedEvent InspectionPage
      InspectionPart MissingTable StorageInspection VerifyCode VerifyFinding VerifyLedger VerifyOptions VerifyProgress VerifyResult
      `,
    ],
    [
      './knex',
      `
      ApplyRecords ApplyRecordsOptions CommonPostgresOptions CommonSqliteOptions Durability KnexMigration KnexMigrationSourceOptions KnexStorage KnexStorageOptions
      MigrationSqlOptions PlainFlags PlainFlagsColumns PlainFlagsOptions PlainFlagsTable
      `,
    ],
    [
      './postgres',
      `
      ApplyRecords ApplyRecordsOptions CommonPostgresOptions MigrationSqlOptions PlainFlags PlainFlagsColumns PlainFlagsOptions
      PlainFlagsTable PostgresAccess PostgresClient PostgresPool PostgresStorage PostgresStorageOptions
      `,
    ],
    [
      './sqlite',
      `
      ApplyRecords ApplyRecordsOptions CommonSqliteOptions Durability MigrationSqlOptions PlainFlags PlainFlagsColumns
      SyncApplyRecords SyncPlainFlags
      PlainFlagsOptions PlainFlagsTable SqliteDatabase SqliteStorage SqliteStorageOptions
      `,
    ],
    [
      './handles',
      'DrizzleDatabase KyselyDatabase KyselyTransactionBuilder PostgresClient PostgresJs PrismaDatabase PrismaTransactionOptions TypeormDataSource',
    ],
    ['./testing', 'Callers Credentials Expectation HttpHost OpaqueHandler OpenStorage Runner UngatedOptions'],
    [
      './client',
      `
      Answer CallOptions ChangeRequestExportOptions ChangeRequestExportQuery ChangeRequestFilter ChangeRequestPlace Client ExportedChangeRequestView ClientErrorOptions ClientOptions EventPageAnswer
      EventPageOptions EventQuery EventView ExportOptions ExportProgress FollowOptions ReviewFilter WriteOptions
      `,
    ],
    ['./page', 'ReviewPageOptions'],
    ['./webhooks', 'WebhookTarget WebhooksOptions'],
  ])('has these types in %s', (entry, names) => {
    expect(types(entry)).toEqual(words(names).sort())
  })

  it('has one type and one schema for each change', () => {
    expect(changeTypes).toHaveLength(changeSchemas.size)
    expect(types('./types')).toEqual(expect.arrayContaining(changeTypes))
  })

  it('has no schema that no body, answer or change refers to', () => {
    const schemas = readdirSync(join(root, 'schemas'), { recursive: true, encoding: 'utf8' })
    const all = schemas.map((file) => file.replaceAll('\\', '/')).filter((file) => file.endsWith('.json'))
    const reached = new Set(
      all.filter((file) => !file.startsWith('shared/')).flatMap((file) => [...referredFrom(file)]),
    )
    expect(all.filter((file) => file.startsWith('shared/') && !reached.has(file))).toEqual([])
  })

  it('has one command', () => {
    expect(manifest.bin).toEqual({ 'express-change-requests': 'dist/cli.js' })
    expect(readFileSync(join(root, 'dist/cli.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })
})

describe('npm pack', () => {
  let files: string[]
  let packed: { size: number; unpackedSize: number; files: { path: string }[] }

  beforeAll(() => {
    const answer = execFileSync('npm', ['pack', '--dry-run', '--json'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    ;[packed] = JSON.parse(answer.toString()) as [typeof packed]
    files = packed.files.map(({ path }) => path)
  })

  it('is a small tarball', () => {
    expect(packed.size).toBeLessThan(1_750_000)
    expect(packed.unpackedSize).toBeLessThan(5_700_000)
  })

  it('contains the build, the schemas, openapi.json, the documents and ten examples, and nothing else', () => {
    const wanted = [
      /^dist\/(?:[\w-]+\/)*[\w-]+\.(?:js|d\.ts)$/,
      /^dist\/page\/app\/(?:manifest\.json|assets\/[\w-]+-[\w-]{8}\.(?:js|css|svg)(?:\.gz|\.br)?)$/,
      /^schemas\/(?:[\w-]+\/)*[\w-]+\.json$/,
      /^(?:openapi\.json|package\.json|README\.md|llms\.txt|LICENSE)$/,
      /^skills\/express-change-requests\/SKILL\.md$/,
      /^docs\/(?:decisions\/)?[\w-]+\.md$/,
      /^docs\/telemetry-dashboard\.json$/,
      /^CHANGELOG\.md$/,
      /^examples\/mount\/express-[45]\.[cm]js$/,
      /^examples\/nestjs\/(?:tsconfig\.json|src\/[\w.-]+\.ts)$/,
      /^examples\/own-gateway\/[\w-]+\.ts$/,
      /^examples\/remote-gateway\/gateway\.js$/,
      /^examples\/server\/(?:people\.json|(?:flags\/(?:actions\/)?)?[\w-]+\.js)$/,
      /^examples\/init\/change-requests\.mjs$/,
      /^examples\/ci\/(?:(?:action|gitlab-ci|changes)\.(?:yml|json)|(?:policy|receiver|run-check)\.js)$/,
      /^examples\/slack\/[\w-]+\.js$/,
      /^examples\/webhooks\/(?:receiver\.js|verify\.(?:js|py))$/,
      /^examples\/mcp\/(?:package\.json|(?:tools\/)?[\w-]+\.js)$/,
      /^examples\/server\/static\/flags\/[\w-]+\.(?:css|js|html)$/,
    ]
    expect(files.filter((file) => !wanted.some((pattern) => pattern.test(file)))).toEqual([])
  })

  it('contains every file that an entry point names', () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    )
    const plain = targets.map((target) => target.replace(/^\.\//, '')).filter((target) => !target.includes('*'))
    expect(files).toEqual(
      expect.arrayContaining([...plain, 'dist/cli.js', 'schemas/error.json', 'README.md', 'llms.txt', 'LICENSE']),
    )
  })
})

describe('the calls of the client', () => {
  const declared = (name: string) => readFileSync(join(root, `dist/client/${name}.d.ts`), 'utf8')

  it.each([
    'review-calls',
    'authoring-calls',
    'change-request-calls',
    'event-calls',
    'program-calls',
    'calls',
    'create-client',
  ])('have a comment each, which editors show: %s', (name) => {
    const lines = declared(name).split('\n')
    const calls = lines.flatMap((line, at) => (/^ {4}\w+\(/.test(line) ? [at] : []))
    expect(calls.length).toBeGreaterThan(0)
    expect(calls.filter((at) => !lines[at - 1]?.endsWith('*/')).map((at) => lines[at])).toEqual([])
  })

  // A type that is inferred from a spread loses the comments.
  it('are those of an interface', () => {
    expect(declared('create-client')).toContain(
      'interface Client extends ReturnType<typeof callsOf>, ReturnType<typeof authoringCalls>, ReturnType<typeof programCalls> {',
    )
  })
})
