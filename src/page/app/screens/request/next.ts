import type { MeView, RequirementView, ReviewView, StepName } from '../../../../generated'
import type { Missing } from '../../core/api/answers'
import * as times from '../../core/tools/times'
import { missingChecks } from '../../words/checks'
import { counted } from '../../words/numbers'
import { joined, plainText, strong, type Words } from '../../words/spans'
import { isEnforced, isMissing } from '../../words/waits'
import { countsFor, isAllowed, needsAcknowledgement, openObjections, stepOf } from './review'

/** What happens next, and who must act. */
export interface Next {
  readonly words: Words
  /** The step that the sentence is about, if only the server's messages list what it lacks. */
  readonly blocked?: StepName
  /** Whether the sentence says whose approvals are missing. */
  readonly namesApprovers?: true
}

/** Names of users in requirements. */
type NameOf = (id: number) => string | undefined

export function nextOf(review: ReviewView, me: MeView, nameOf: NameOf): Next {
  const { state, applying, changes, flags, freezes, follows, requirements, changeRequest } = review
  const can = (step: StepName) => isAllowed(review, step)
  const isMine = me.id === changeRequest.createdBy.id
  const apply = stepOf(review, 'apply')
  if (applying) {
    const { since, by, interrupted } = applying
    const what = interrupted ? ' was interrupted; the flags may be changed.' : ' is running.'
    return { words: ['The apply that ', name(by), ` began on ${times.dayAndTime(since)}${what}`] }
  }
  if (state === 'Draft') {
    if (!isMine) return { words: [author(), ' has to send it to review.'] }
    if (!can('submit')) return { words: ["It can't be sent to review yet:"], blocked: 'submit' }
    return { words: ['Send it to review. Until then, others see its changes only in the event log.'] }
  }
  if (needsAcknowledgement(review)) {
    if (can('acknowledge')) return { words: ['Acknowledge it, or revert it if something is wrong.'] }
    return { words: ['Needs acknowledgement by anyone who can approve, and neither applied nor changed it.'] }
  }
  if (state === 'Applied') return { words: ['It is applied. Nobody has to act.'] }
  if (state === 'Rejected' || state === 'Cancelled')
    return { words: [`It is closed, and nothing was applied.${can('copy') ? ' You can propose it again.' : ''}`] }
  if (flags === 'unavailable') return { words: ['It can be approved and applied once flags can be read again.'] }
  if (changes.some(({ conflict }) => conflict !== null))
    return {
      words: isMine
        ? ["Resolve the conflict. Until then, it can't be applied."]
        : [author(), ' has to resolve the conflict.'],
    }
  if (isOverwriteRefused())
    return {
      words: isMine
        ? ['Rebase it: it would undo a newer change.']
        : [author(), ' has to rebase it: it would undo a newer change.'],
    }
  const unmet = requirements.filter(isMissing)
  const stopped = stoppedWords(review, me)
  if (unmet.length > 0) {
    const needs = needsWords(requirements, unmet, me, can('approve'), nameOf)
    return { words: stopped.length === 0 ? needs : [...stopped, ' ', ...needs], namesApprovers: true }
  }
  if (stopped.length > 0) return { words: stopped }
  const checks = missingChecks(review).map(({ name }) => [strong(name)])
  if (checks.length > 0) return { words: ['Waits for checks: ', ...joined(checks, ', '), '.'] }
  if (state === 'Scheduled' && 'schedule' in changeRequest && changeRequest.schedule.status === 'pending') {
    const at = times.dayAndTime(changeRequest.schedule.scheduledAt)
    if (freezes.scheduled.some(isEnforced)) return { words: [`It is scheduled for ${at}, in a freeze.`] }
    const after = follows?.status === 'pending' ? `, after #${follows.id}` : ''
    return { words: [`It is applied on ${at}${after}. Nobody has to act.`] }
  }
  if (can('apply')) return { words: [`You can apply it now${can('schedule') ? ', or schedule it' : ''}.`] }
  if (freezes.now.some(isEnforced))
    return { words: [`It can be applied after the freeze.${can('schedule') ? ' You can schedule it.' : ''}`] }
  if (!apply || isDenied(apply.missing))
    return { words: ['Anyone who can apply changes in ', plainText(changeRequest.environment), ' can apply it now.'] }
  return { words: ["It can't be applied yet:"], blocked: 'apply' }

  function author(): Words[number] {
    return name(review.author)
  }

  /** The option `overwrites` of the router can allow them; callers without the permission cannot see that. */
  function isOverwriteRefused(): boolean {
    if (!changes.some(({ fields }) => fields?.some(({ overwrites }) => overwrites))) return false
    return !apply || isDenied(apply.missing) || apply.missing.some(({ code }) => code === 'overwrite')
  }
}

const name = ({ username }: { readonly username: string | null }) => strong(username || 'its author')

/** `Ben objected. It can't be applied until the objection is lifted or dismissed.`; empty without an open objection. */
function stoppedWords(review: ReviewView, me: MeView): Words {
  const [first, ...others] = openObjections(review)
  if (first === undefined) return []
  const until = others.length === 0 ? 'the objection is' : 'all objections are'
  return [
    strong(first.person.id === me.id ? 'You' : first.person.username || 'A reviewer'),
    others.length === 0 ? '' : ` and ${counted(others.length, 'other')}`,
    ` objected. It can't be applied until ${until} lifted or dismissed.`,
  ]
}

const callerCodes: ReadonlySet<string | undefined> = new Set([
  'missing-permission',
  'no-user-id',
  'own-change-request',
  'not-the-author',
  'not-for-machines',
])

/** Whether the step lacks something that depends on the caller; the server then lists nothing else. */
const isDenied = (missing: readonly Missing[]): boolean => missing.some(({ code }) => callerCodes.has(code))

/**
 * `Needs 1 more approval: anyone in payments.` An approval counts for each requirement that it fits, so the minimum is only
 * named where the rules do not already need as many.
 */
function needsWords(
  all: readonly RequirementView[],
  unmet: readonly RequirementView[],
  me: MeView,
  canApprove: boolean,
  nameOf: NameOf,
): Words {
  const left = ({ approvals, given }: RequirementView) => approvals - (given ?? 0)
  const minimum = unmet.find((one) => one.name === 'minimum')
  const rules = unmet.filter((one) => one !== minimum)
  const isMore = all.some(({ given }) => given !== null && given > 0)
  const number = (count: number) => counted(count, isMore ? 'more approval' : 'approval')
  const total = minimum && rules.every((one) => left(one) < left(minimum)) ? left(minimum) : undefined
  const [only, ...others] = total === undefined ? rules : rules.length === 0 && minimum ? [minimum] : []
  if (only && others.length === 0) return [`Needs ${number(left(only))}: `, ...from(only), '.']
  const parts = rules.map((one) => [`${left(one)} ${total === undefined ? '' : 'of them '}from `, ...from(one)])
  return [`Needs ${total === undefined ? 'approvals: ' : `${number(total)}, `}`, ...joined(parts, ', '), '.']

  function from(one: RequirementView): Words {
    const isMine = canApprove && countsFor(one, me)
    const others = (one.from?.users ?? []).filter((id) => !isMine || id !== me.id)
    const who: Words[] = [
      ...(isMine ? [[strong('you')]] : []),
      ...(one.from === null ? [[isMine ? 'anyone else who can approve' : 'anyone who can approve']] : []),
      ...(one.from?.groups ?? []).map((group): Words => [isMine ? 'anyone else in ' : 'anyone in ', strong(group)]),
      ...others.map((id): Words => [strong(nameOf(id) ?? `user ${id}`)]),
    ]
    return joined(who, ' or ')
  }
}
