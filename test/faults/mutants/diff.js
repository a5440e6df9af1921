// Faults of bases, diffs, overwrites and rebases (extensions 5).
const unit = (test, only) => ({ project: 'unit', test, only })
// The store of the example takes its errors from the built package.
const store = (part, only) => ({ project: 'storage', test: `test/examples/flag-store-${part}`, only, build: true })
const edit = (file, text, by) => ({ edits: [{ file, text, by }] })

module.exports = [
  {
    id: 'T57-order',
    fault: 'a change is shown on what was there before the others',
    ...edit('src/domain/diff/diff.ts', 'present = next', 'present = state'),
    ...unit('test/domain/diff/diff.test', 'what the one before it leaves'),
  },
  {
    id: 'T57-after',
    fault: 'the shown state after a reordering is the state before',
    ...edit('src/domain/diff/after.ts', 'given.get(id) ??', '0 ??'),
    ...store('diff', 'is what the flags are after the application'),
  },
  {
    id: 'T57-overwrites',
    fault: 'an application silently undoes what somebody else altered',
    ...edit('src/domain/steps/state-rules.ts', 'facts.options.overwrites ||', '!facts.options.overwrites ||'),
    ...store('diff', 'nothing is overwritten before its author decides'),
  },
  {
    id: 'T57-base',
    fault: 'a proposal keeps no base',
    ...edit('src/domain/flags/base.ts', 'const base = flags && targetPart(change, flags)', 'const base = undefined'),
    ...store('diff', 'nothing is overwritten before its author decides'),
  },
  {
    id: 'T57-digest',
    fault: 'the digest of a vote leaves out the bases of the changes',
    ...edit('src/operations/flags/digest.ts', 'baseHash === undefined ?', 'baseHash !== null ?'),
    project: 'storage',
    test: 'test/storage/router/rebase-race',
  },
  {
    id: 'T57-hash',
    fault: 'a rebase keeps the hash of the base before',
    ...edit('src/domain/diff/rebase.ts', '...base, rebasedAt }', 'base: base.base, rebasedAt }'),
    ...unit('test/operations/change-requests/facts-first', 'with the digest of before is refused'),
  },
  {
    id: 'T57-cause',
    fault: 'the review names who changed a segment from a project that its caller may not read',
    ...edit(
      'src/operations/diff/causes.ts',
      'if (project === null || project === own.project) return true',
      'if (project !== own.environment) return true',
    ),
    ...unit('test/operations/review/review.test', 'says nothing of who did it'),
  },
  {
    id: 'T57-dropped',
    fault: 'the 409 for a variant that is dropped shows the beginning of the variant alone',
    ...edit('src/domain/diff/overwrites.ts', 'fields.flatMap(differingFields).map(', 'fields.map('),
    ...unit('test/domain/diff/diff.test', 'that the change drops, and somebody else altered'),
  },
  {
    id: 'T57-votes',
    fault: 'a rebase keeps the approvals',
    ...edit('src/domain/diff/rebase.ts', '...votesAfterEdit(), ', ''),
    ...unit('test/domain/diff/rebase.test', 'voids all approvals'),
  },
  {
    id: 'T57-moved',
    fault: 'a rebase applies what it edited after what came behind it',
    ...edit('src/domain/diff/rebase.ts', '&& !moved.has(subject)', ''),
    ...unit('test/domain/diff/rebase.test', 'keeps the order of the changes of a flag'),
  },
  {
    id: 'T57-unnamed',
    fault: 'a rebase takes the proposal where nobody decided',
    ...edit('src/domain/steps/rebase-rules.ts', 'unnamed.map(', 'unnamed.slice(1).map('),
    ...unit('test/domain/diff/rebase.test', 'refuses an overwrite that is not named'),
  },
  {
    id: 'T57-inverse',
    fault: 'the inverse of a dependency forgets its conditions',
    ...edit('src/domain/diff/inverse.ts', 'earlier.length > 0 ?', 'earlier.length > 1 ?'),
    ...unit('test/domain/diff/inverse.test', 'leads back to the state before'),
  },
  {
    id: 'T57-lost',
    fault: 'a change that was proposed on an older value is applied when its approver looked away',
    ...edit('src/domain/diff/overwrites.ts', 'isAltered(base, current) &&', 'false &&'),
    ...store('overwrites', 'lose no update that was not shown to the approver'),
  },
  {
    id: 'T57-scheduled',
    fault: 'what is due overwrites what somebody else altered',
    ...edit('src/domain/steps/state-rules.ts', '(facts.overwrites ?? [])', '(facts.overwrites ?? []).slice(1)'),
    ...unit('test/domain/schedule/obstacles', 'an overwrite'),
  },
  {
    id: 'T57-created',
    fault: 'what was added is not remembered',
    ...edit('src/domain/diff/traces.ts', 'return found === undefined ? {} : { created: found.id }', 'return {}'),
    ...store('revert', 'takes back the strategy that came along unasked'),
  },
  {
    id: 'T57-reverse',
    fault: 'the first change is taken back first',
    ...edit('src/domain/diff/revert.ts', 'applied.toReversed()', 'applied'),
    ...unit('test/domain/diff/revert.test', 'takes the last change back first'),
  },
  {
    id: 'T57-irreversible',
    fault: 'a revert leaves out in silence what nothing takes back',
    ...edit('src/domain/steps/revert-rules.ts', 'irreversible.length > 0 &&', 'irreversible.length > 9 &&'),
    ...store('revert', 'names what nothing takes back'),
  },
]
