import type { ApprovalRuleView, ApprovalRuleWhenView } from '../../../../../generated'
import { listed, type Words } from '../../../words/spans'

/**
 * Which changes a rule is for: `A change of a flag named pay* or a segment`. Its environments are listed next to it, so projects
 * and environments are not repeated.
 */
export function ruleWords(when: ApprovalRuleView['when']): Words {
  const { actions, features, segments, tags, authors, fields } = when ?? {}
  const targets = [
    ...(features === undefined ? [] : [['a flag named ', ...either(features)]]),
    ...(segments === undefined ? [] : [segmentWords(segments)]),
  ]
  const owners = tags === undefined ? [] : either(tags.map(({ type, value }) => `${type}:${value}`))
  const about = targets.length > 0 ? targets : tags === undefined ? [] : [['a flag']]
  const narrowed = about.length > 0 || [actions, authors, fields].some((one) => one !== undefined)
  return [
    narrowed ? 'A change' : 'Every change',
    ...(actions === undefined ? [] : [' to ', listed(actions.map(actionWords), 'or')]),
    ...(about.length === 0 ? [] : [actions === undefined ? ' of ' : ', of ']),
    ...about.flatMap((words, index) => (index === 0 ? words : [' or ', ...words])),
    ...(owners.length === 0 ? [] : [' tagged ', ...owners]),
    ...(authors === undefined ? [] : [` by ${listed(authors.map(authorWords), 'or')}`]),
    ...(fields === undefined ? [] : [' that alters ', ...fields.flatMap(fieldWords)]),
    (actions !== undefined && about.length > 0) || fields !== undefined ? ',' : '',
  ]
}

function authorWords(kind: 'person' | 'service' | 'agent'): string {
  return kind === 'agent' ? 'an agent' : `a ${kind}`
}

/** `/parameters/rollout by more than 25`; all fields are alternatives. */
function fieldWords({ path, by, above, below }: Field, index: number): Words {
  const numbers = [
    ...(by === undefined ? [] : [`by more than ${by}`]),
    ...(above === undefined ? [] : [`to more than ${above}`]),
    ...(below === undefined ? [] : [`to less than ${below}`]),
  ]
  const limits = numbers.length === 0 ? '' : ` ${listed(numbers, 'and')}`
  return [index === 0 ? '' : ' or ', { text: path, as: 'value' }, limits]
}

type Field = NonNullable<ApprovalRuleWhenView['fields']>[number]

function segmentWords(segments: NonNullable<ApprovalRuleWhenView['segments']>): Words {
  return segments === true ? ['a segment'] : [`segment ${listed(segments.map(String), 'or')}`]
}

/** Patterns and tags are highlighted and unchanged: `a*` or `b`. */
function either(names: readonly string[]): Words {
  return names.flatMap((text, index) => [
    ...(index === 0 ? [] : [index === names.length - 1 ? ' or ' : ', ']),
    { text, as: 'value' as const },
  ])
}

const said: Readonly<Record<string, string>> = {
  updateEnabled: 'switch a flag on or off',
  patchVariant: 'replace variants',
  reorderStrategy: 'reorder strategies',
}

/** `deleteStrategy` is `delete a strategy`, and so is an unknown action. */
function actionWords(action: string): string {
  if (Object.hasOwn(said, action)) return said[action] ?? action
  const [verb = action, ...what] = wordsIn(action.replace('FeatureEnv', ''))
  return [verb, 'a', ...what.map((word) => (word === 'feature' ? 'flag' : word))].join(' ')
}

/** `deleteReleasePlan` is `delete`, `release`, `plan`. */
function wordsIn(camelCase: string): string[] {
  const spaced = [...camelCase].map((one) => (one === one.toLowerCase() ? one : ` ${one.toLowerCase()}`))
  return spaced.join('').trim().split(' ')
}
