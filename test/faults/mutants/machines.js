// Faults in what machines may do, and in who counts as an author (contract 23).
const callerRules = 'src/domain/steps/caller-rules.ts'
const authors = 'src/domain/content/authors.ts'
const rules = { project: 'unit', test: 'test/domain/steps/machines.test' }

/** A step that is not denied to machines any more. */
const allowed = (what) => [
  {
    file: callerRules,
    text: "facts.callerKind === 'person'",
    by: `facts.callerKind === 'person' || what === '${what}'`,
  },
]

module.exports = [
  { id: 'M60-approve', fault: 'a machine may approve', edits: allowed('approve'), ...rules },
  {
    id: 'M60-emergency',
    fault: 'a machine may apply in an emergency',
    edits: allowed('bypass the approvals of'),
    ...rules,
  },
  { id: 'M60-acknowledge', fault: 'a machine may acknowledge', edits: allowed('acknowledge'), ...rules },
  {
    id: 'M60-reject',
    fault: 'a machine may reject',
    edits: [
      {
        file: callerRules,
        text: "  if (callerKind !== 'person') return notForMachines('reject', callerKind)\n",
        by: '',
      },
    ],
    ...rules,
  },
  {
    id: 'M60-principal',
    fault: 'the person for whom a machine acts may approve',
    edits: [{ file: authors, text: '[id, ...(onBehalfOf === undefined ? [] : [onBehalfOf.id])]', by: '[id]' }],
    ...rules,
  },
  {
    id: 'M60-property',
    fault: 'the person for whom a machine acts may approve, and what was applied shows it',
    edits: [{ file: authors, text: '[id, ...(onBehalfOf === undefined ? [] : [onBehalfOf.id])]', by: '[id]' }],
    project: 'storage',
    test: 'test/storage/machines.test',
  },
  {
    id: 'M60-directory',
    fault: 'the user directory is called with machines',
    edits: [{ file: 'src/kernel/host/find-users.ts', text: 'if (kind === undefined) yield id', by: 'yield id' }],
    project: 'unit',
    test: 'test/capabilities/machines/machines.test',
  },
]
