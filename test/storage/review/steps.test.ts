import fc from 'fast-check'
import { ChangeRequestError, type Validate } from '../../../src'
import { settleOnRequest } from '../../../src/capabilities/apply/routes'
import { copy } from '../../../src/capabilities/copy/routes'
import {
  dismissObjection,
  liftObjection,
  object,
  takeBackApproval,
} from '../../../src/capabilities/objections/objections'
import { discardDraft, editChange } from '../../../src/capabilities/proposals/changes'
import { rebase } from '../../../src/capabilities/rebase/routes'
import { revert } from '../../../src/capabilities/revert/routes'
import { review } from '../../../src/capabilities/review/review'
import { acknowledge } from '../../../src/capabilities/review/routes'
import { presetSchedule, withdrawPresetSchedule } from '../../../src/capabilities/schedule/schedule'
import { changeState } from '../../../src/capabilities/state/change-state'
import { openObjections } from '../../../src/domain/content/objections'
import { closedStates } from '../../../src/domain/lifecycle'
import type { stepNames } from '../../../src/generated/lists'
import { entityTag } from '../../../src/kernel/etag'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import type { Storage } from '../../../src/ports/storage/storage'
import { createFixture, enable, type Fixture, inAnHour } from '../../kernel/support/fixture'
import { runs, seed } from '../../support/random'
import { fewStores, write } from '../fixtures'
import { changeRequestOf, flagsOf, type Situation, situations } from './situations'

type ReviewStep = (typeof stepNames)[number]

/** The missing requirements of a step as `code: sentence`, or the error if the caller cannot see the change request. */
type Verdict = readonly string[]

const targets = {
  submit: 'In review',
  approve: 'Approved',
  reject: 'Rejected',
  cancel: 'Cancelled',
  schedule: 'Scheduled',
  apply: 'Applied',
  applyInEmergency: 'Applied',
} as const

/** The rejection of the step; nothing if it succeeded. */
async function verdictOf(work: () => Promise<unknown>): Promise<Verdict> {
  try {
    await work()
    return []
  } catch (error) {
    if (!ChangeRequestError.is(error)) throw error
    return error.details.map(({ code = error.name, message }) => `${code}: ${message}`)
  }
}

/** A router with the options of the situation, and its caller. */
function hostOf(situation: Situation, storage: Storage) {
  const {
    recordOnly,
    adminSelfApproval,
    requireRevision,
    emergency,
    schedule,
    held,
    admin,
    caller,
    callerGroups,
    invalid,
    throws,
  } = situation
  const { rules: approvalRules, checks, reviewers, expires } = situation
  const flags = flagsOf(situation)
  const options = {
    recordOnly,
    adminSelfApproval,
    requireRevision,
    emergency,
    schedule,
    recheckApprovers: reviewers !== null,
    objections: true,
    approvalsExpireAfterMs: expires ? 2 * 60 * 60_000 : null,
  } as const
  const listed = (ids: readonly number[]) => ids.map((id) => ({ id }))
  const users = reviewers && { find: listed, reviewers: () => listed(reviewers) }
  const validate: Validate = (_, { when }) => {
    if (!invalid.includes(when)) return []
    const details = [{ message: `no ${when}`, path: '/body/0' }]
    if (throws) throw new ChangeRequestError('ConflictError', 'Refused.', { details })
    return details
  }
  const fixture = createFixture({
    storage: () => storage,
    flags,
    users,
    approvalRules,
    checks,
    validate,
    ...options,
  })
  fixture.host.allows = (_, permission) => (permission === 'ADMIN' ? admin : held[permission] === true)
  return { fixture, flags, actor: { id: caller, username: 'someone', groups: callerGroups } }
}

/** Takes the step with a valid request; undefined for a step without a request. */
function take(
  { services }: Fixture,
  call: {
    readonly actor: { readonly id: number | null }
    readonly id: number
    readonly digest: string | null
    readonly invalid: readonly string[]
  },
  step: ReviewStep,
  stored: StoredChangeRequest,
): (() => Promise<unknown>) | undefined {
  const caller = { actor: call.actor, ip: undefined, ifMatch: undefined, project: 'shop', id: call.id }
  const changeId = stored.changeRequest.changes[0]?.id
  if (step === 'discard') return () => discardDraft(services, caller)
  if (step === 'edit') {
    // The replacement changes depend on the body.
    return changeId === undefined || call.invalid.includes('propose')
      ? undefined
      : () => editChange(services, { ...caller, changeId, change: enable('basket') })
  }
  const preset = { ...caller, digest: call.digest, scheduledAt: null }
  if (step === 'presetSchedule') return () => presetSchedule(services, preset)
  if (step === 'withdrawPresetSchedule') return () => withdrawPresetSchedule(services, caller)
  if (step === 'rebase') return () => rebase(services, caller, { named: new Map(), others: 'ours' })
  if (step === 'revert') return () => revert(services, caller, false)
  if (step === 'copy') return () => copy(services, caller)
  if (step === 'settle') return () => settleOnRequest(services, caller)
  if (step === 'acknowledge') return () => acknowledge(services, caller, null)
  if (step === 'object') return () => object(services, { ...caller, text: 'Not yet.', digest: null })
  if (step === 'liftObjection') return () => liftObjection(services, caller)
  if (step === 'dismissObjection') {
    const other = openObjections(stored.changeRequest).find(({ by }) => by.id !== call.actor.id)
    const dismissal = { ...caller, objectionId: other?.id ?? 1, reason: 'It was solved.' }
    return other === undefined ? undefined : () => dismissObjection(services, dismissal)
  }
  if (step === 'takeBackApproval') return () => takeBackApproval(services, caller)
  const reason = step === 'applyInEmergency' ? 'It cannot wait.' : null
  return () =>
    changeState(services, {
      ...caller,
      // With a digest alone, the caller has perhaps not seen the preset schedule. Without the flags there is no digest.
      ifMatch: step === 'approve' || call.digest === null ? entityTag(stored) : undefined,
      state: targets[step],
      comment: null,
      digest: call.digest,
      reason,
      scheduledAt: inAnHour,
    })
}

/** @see contract 12: the review and the rejection agree. */
describe.each(fewStores)('the review of a change request on $name', ({ open }) => {
  it('allows a step exactly if it then succeeds, and lists exactly the requirements of its rejection', async () => {
    const { storage, close } = await open()
    const count = runs(5)
    const seen = { allowed: 0, refused: 0, hidden: 0 }
    // Ids that the storage assigns are smaller.
    let id = 1_000_000
    const property = fc.asyncProperty(situations, async (situation) => {
      id += 1
      const { fixture, flags, actor } = hostOf(situation, storage)
      const current = await changeRequestOf(situation, id)
      expect(await storage.commit(write(current))).toBe(true)
      for (const step of situation.steps) {
        const stored = await storage.find({ project: 'shop' }, id)
        // The review of a closed change request does not read the flags, so it cannot know.
        const isFailing = situation.failing && !closedStates.includes(stored?.changeRequest.state ?? 'Draft')
        if (flags !== null) flags.instead = isFailing ? () => Promise.reject(new Error('down')) : null
        const reference = { actor, project: 'shop', id }
        const shown = await review(fixture.services, reference).catch((error: unknown) => error)
        if (stored === undefined || ChangeRequestError.is(shown)) {
          expect(await verdictOf(() => review(fixture.services, reference))).toEqual([
            `NotFoundError: There is no change request ${id} in the project.`,
          ])
          seen.hidden += 1
          return
        }
        const { digest, steps } = shown as Awaited<ReturnType<typeof review>>
        const missing = steps
          .find((one) => one.step === step)
          ?.missing.map(({ code, message }) => `${code}: ${message}`)
        const taking = take(fixture, { actor, id, digest, invalid: situation.invalid }, step, stored)
        if (taking === undefined) continue
        const verdict = await verdictOf(taking)
        expect([step, missing]).toEqual([step, verdict])
        if (verdict.length === 0) seen.allowed += 1
        else seen.refused += 1
      }
    })
    await fc.assert(property, { numRuns: count, seed, endOnFailure: true })
    const fewest = Math.min(seen.allowed, seen.refused, seen.hidden)
    if (count >= 100) expect(fewest).toBeGreaterThan(count >= 1_000 ? 100 : 0)
    await close()
  })
})
