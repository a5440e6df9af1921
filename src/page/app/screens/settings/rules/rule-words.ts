import { percentages } from '../../../../../domain/content/reach'
import type { ApprovalRuleView, ApprovalRuleWhenView, FreezeView } from '../../../../../generated'
import { fieldOf } from '../../../words/fields/path'
import { count, counted, percent } from '../../../words/numbers'
import { joined, listed, type Words } from '../../../words/spans'

/**
 * Which changes a rule is for: `A change of a flag named pay* or a segment`. Its environments are listed next to it, so projects
 * and environments are not repeated.
 */
export function ruleWords(when: ApprovalRuleView['when'] | FreezeView['when']): Words {
  const rule: ApprovalRuleWhenView = when ?? {}
  const { actions, features, segments, tags, authors, fields } = rule
  const targets = [
    ...(features === undefined ? [] : [['a flag named ', ...either(features)]]),
    ...(segments === undefined ? [] : [segmentWords(segments)]),
  ]
  const owners = tags === undefined ? [] : either(tags.map(({ type, value }) => `${type}:${value}`))
  const about = targets.length > 0 ? targets : tags === undefined ? [] : [['a flag']]
  const narrowed = [actions, authors, fields].some((one) => one !== undefined) || about.length > 0
  return [
    narrowed ? 'A change' : 'Every change',
    ...(authors === undefined
      ? []
      : [
          ` by ${listed(
            authors.map((one) => authorWords[one]),
            'or',
          )}`,
        ]),
    ...(actions === undefined ? [] : [' to ', listed(actions.map(actionWords), 'or')]),
    ...(about.length === 0 ? [] : [actions === undefined ? ' of ' : ', of ']),
    ...about.flatMap((words, index) => (index === 0 ? words : [' or ', ...words])),
    ...(owners.length === 0 ? [] : [' tagged ', ...owners]),
    actions !== undefined && about.length > 0 ? ',' : '',
    ...(fields === undefined ? [] : [' that alters ', ...joined(fields.map(alteredWords), ' or ')]),
  ]
}

const authorWords = { person: 'a person', service: 'a service', agent: 'an agent' } as const

type FieldCondition = NonNullable<ApprovalRuleWhenView['fields']>[number]

/** `the rollout by more than 25 points and to above 90 %` */
function alteredWords({ path, by, above, below }: FieldCondition): Words {
  const isShare = [...percentages].some((name) => path === `/parameters/${name}`)
  const [distance, value] = isShare ? [(points: number) => counted(points, 'point'), percent] : [count, count]
  const sizes = [
    ...(by === undefined ? [] : [`by more than ${distance(by)}`]),
    ...(above === undefined ? [] : [`to above ${value(above)}`]),
    ...(below === undefined ? [] : [`to below ${value(below)}`]),
  ]
  return [fieldOf(path), ...(sizes.length > 0 ? [` ${listed(sizes, 'and')}`] : [])]
}

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
