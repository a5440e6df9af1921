// Faults of approval rules and emergencies (extensions 3 and 4).
const model = { project: 'storage', test: 'test/storage/model/approval-rules', only: 'on memory' }
const unit = (test, only) => ({ project: 'unit', test, only })
const edit = (file, text, by) => ({ edits: [{ file, text, by }] })
const requirements = 'src/domain/steps/requirements.ts'
const reach = 'src/operations/change-requests/reach.ts'
const gated = 'src/operations/change-requests/gated-environments.ts'
const strictest = unit('test/operations/change-requests/strictest-environment')
const projectWide = (only) => unit('test/operations/change-requests/project-wide', only)

module.exports = [
  {
    id: 'T56-ignored',
    fault: 'the first approval rule is ignored',
    ...edit(requirements, '...(facts.rules ?? []).map(', '...(facts.rules ?? []).slice(1).map('),
    ...model,
  },
  {
    id: 'T56-group',
    fault: 'a vote of another group counts for a rule',
    ...edit(requirements, 'groups.some((group) => from.groups.includes(group))', 'groups.length > 0'),
    ...model,
  },
  {
    id: 'T56-own',
    fault: 'an approval of who made it counts for a rule',
    ...edit(requirements, 'counted.filter(({ createdBy }) => !isOwn(current, createdBy.id))', 'counted'),
    ...unit('test/domain/requirements', 'counts for no rule who made or changed it'),
  },
  {
    id: 'T56-again',
    fault: 'the rules are not asked again at an application',
    ...edit(
      'src/operations/apply/apply.ts',
      'const { outlook, policy } = await prospectOf(services, found.changeRequest)',
      'const { outlook, policy } = { ...(await prospectOf(services, found.changeRequest)), policy: { rules: [], recheck: false } }',
    ),
    ...model,
  },
  {
    id: 'T56-tags',
    fault: 'the rules are those of the flags before the transaction of an application',
    ...edit(
      'src/operations/apply/apply-in-transaction.ts',
      '...outlookFacts(changeRequest, outlook, policy) }',
      '...outlookFacts(changeRequest, outlook, policy), rules: occasion.facts.rules ?? [] }',
    ),
    ...unit('test/operations/apply/in-transaction', 'by tags'),
  },
  {
    id: 'T56-permission',
    fault: 'an emergency needs no SKIP_CHANGE_REQUEST',
    ...edit('src/domain/steps/table.ts', "      caller.permissionThroughout('SKIP_CHANGE_REQUEST'),\n", ''),
    ...model,
  },
  {
    id: 'T56-trace',
    fault: 'an emergency leaves no trace',
    ...edit('src/domain/apply.ts', 'return missing.length === 0 ? undefined : { reason, missing }', 'return undefined'),
    ...model,
  },
  {
    id: 'T56-settled',
    fault: 'an emergency that broke off leaves no trace',
    ...edit('src/operations/apply/settle.ts', 'comment, emergency, ...(scheduled', 'comment, ...(scheduled'),
    ...unit('test/operations/apply/emergency', 'keeps its trace when it breaks off'),
  },
  {
    id: 'T56-twice',
    fault: 'an emergency is acknowledged twice',
    ...edit('src/domain/steps/emergency-rules.ts', 'emergency.acknowledgement === null', 'emergency !== null'),
    ...model,
  },
  {
    id: 'T56-eyes',
    fault: 'who applied in an emergency acknowledges it',
    ...edit(
      'src/domain/steps/emergency-rules.ts',
      'current.emergency?.appliedBy.id === facts.caller.id',
      'current.emergency === null',
    ),
    ...model,
  },
  ...[
    ['memory', 'storage', 'src/storage/memory/rows.ts', '  if (filter.afterReview && !afterReview) return false\n'],
    [
      'sqlite',
      'storage',
      'src/storage/knex/shared/change-request-filter.ts',
      "  if (afterReview) must('after_review')\n",
    ],
    [
      'lmdb',
      'examples',
      'examples/custom-storage/lmdb-lists.ts',
      '  if (afterReview && !row.afterReview) return false\n',
    ],
  ].map(([store, project, file, text]) => ({
    id: `T56-filter-${store}`,
    fault: 'the search for what waits for a second look finds everything',
    ...edit(file, text, ''),
    project,
    test: project === 'storage' ? 'test/storage/contract.test' : 'custom-storage/lmdb-storage',
    only: 'finds by afterReview',
  })),
  ...[
    [
      'sqlite',
      'src/storage/knex/sqlite/write-entries.ts',
      'set state = ?, open = ?, after_review = ?, version',
      'set state = ?, open = ?, after_review = 0 * ?, version',
    ],
    ['postgres', 'src/storage/knex/postgres/commit.ts', 'after_review = w.after_review, version', 'version'],
  ].map(([store, file, text, by]) => ({
    id: `T56-column-${store}`,
    fault: 'a write does not say that it waits for a second look',
    ...edit(file, text, by),
    project: 'storage',
    test: 'test/storage/contract.test',
    only: 'finds by afterReview',
  })),
  {
    id: 'T58-scope',
    fault: 'archiving a flag affects the own environment alone',
    ...edit(
      'src/domain/actions.ts',
      "archiveFeature: {\n    target: 'flag',\n    scope: 'project'",
      "archiveFeature: {\n    target: 'flag',\n    scope: 'environment'",
    ),
    ...strictest,
  },
  {
    id: 'T58-minimum',
    fault: 'the minimum is that of the own environment, whatever the changes',
    ...edit(reach, 'Math.max(0, ...gated.map(({ requiredApprovals }) => requiredApprovals))', '0'),
    ...strictest,
  },
  {
    id: 'T58-own',
    fault: 'the minimum stays high once no change affects the whole project',
    ...edit('src/domain/approval/minimum.ts', 'return { ...others, minApprovals: own }', 'return others'),
    ...projectWide('is its own one again'),
  },
  {
    id: 'T58-submit',
    fault: 'submitting does not look at the minimum of other environments again',
    ...edit(
      'src/domain/review.ts',
      'withMinimum(commented, own, occasion.gatedMinimum)',
      'withMinimum(commented, own, current.minApprovals)',
    ),
    ...projectWide('is computed again at submit'),
  },
  {
    id: 'T58-permission',
    fault: 'permissions are asked in the own environment alone',
    ...edit(
      'src/domain/steps/caller-rules.ts',
      'elsewhere.map(({ environment }) =>',
      'elsewhere.slice(0, 0).map(({ environment }) =>',
    ),
    ...strictest,
  },
  {
    id: 'T58-further',
    fault: 'environments that nobody named are not gated',
    ...edit(
      gated,
      'const all = complete ? settings : [...settings, [undefined, defaults] as const]',
      'const all = settings',
    ),
    ...strictest,
  },
  {
    id: 'T58-empty',
    fault: 'a directory that names no environment names all',
    ...edit(
      gated,
      'const complete = known.length > 0',
      'const complete = services.directory.environments !== undefined',
    ),
    ...strictest,
  },
  {
    id: 'T58-disabled',
    fault: 'environments count in which change requests are disabled',
    ...edit(gated, 'isEnabled(one))', 'isEnabled(one) || true)'),
    ...strictest,
  },
  {
    id: 'T58-rules',
    fault: 'the rules of other environments are not asked',
    ...edit(
      'src/operations/review/policy.ts',
      'Promise.all(environments.map(',
      'Promise.all(environments.slice(0, 1).map(',
    ),
    ...projectWide('approval rules'),
  },
  {
    id: 'T58-people',
    fault: 'people count who may approve in the own environment alone',
    ...edit('src/operations/people/find-users.ts', 'ids.every((known) => known.has(id))', 'ids.length >= 0 || id > 0'),
    ...projectWide('people'),
  },
  {
    id: 'T58-lists',
    fault: 'what waits for somebody is decided by the own environment alone',
    ...edit(
      'src/operations/review/actionable.ts',
      "if (scope === 'environment') return []",
      'if (scope !== undefined) return []',
    ),
    ...projectWide('decide which change requests wait'),
  },
  {
    id: 'T58-content',
    fault: 'the minimum is that of the new changes, not of those that are there',
    ...edit(
      'src/operations/change-requests/edit-changes.ts',
      'changes: [...othersOf(changeRequest, changeId), change]',
      'changes: [change]',
    ),
    ...projectWide('computed again'),
  },
  {
    id: 'T58-segments',
    fault: 'segments of all projects are changed by one',
    ...edit('src/domain/flags/foreign-segments.ts', 'owner === undefined ||', 'owner == null ||'),
    ...projectWide('segments of other projects'),
  },
]
