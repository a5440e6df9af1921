import type { ApprovalRuleView } from '../../../src/generated'
import { ruleWords } from '../../../src/page/app/screens/settings/rules/rule-words'
import { fieldOf } from '../../../src/page/app/words/fields/path'
import { textOf } from '../../../src/page/app/words/spans'

describe('the field of a rule', () => {
  it.each([
    ['anything', ''],
    ['whether a strategy is on', '/disabled'],
    ['the constraints', '/constraints'],
    ['the order of strategies', '/order'],
    ['the parents', '/dependencies/*/enabled'],
    ['any parameter', '/parameters/*'],
    ['the group id', '/parameters/groupId'],
    ['the variants', '/variants'],
    ['variant “a/b”', '/variants/a~1b'],
    ['the payload › value of any variant', '/variants/*/payload/value'],
    ['the safeguard › triggerCondition › threshold', '/safeguard/triggerCondition/threshold'],
  ])('is “%s”', (words, path) => {
    expect(fieldOf(path)).toBe(words)
  })
})

describe('the changes of a rule', () => {
  it.each<[words: string, when: ApprovalRuleView['when']]>([
    ['Every change', null],
    ['Every change', { projects: ['shop'], environments: ['production'] }],
    ['A change of a flag named pay* or checkout', { features: ['pay*', 'checkout'] }],
    ['A change of a flag tagged area:consent', { tags: [{ type: 'area', value: 'consent' }] }],
    ['A change of a segment', { segments: true }],
    ['A change of a flag named a, b or c or segment 4 or 5', { features: ['a', 'b', 'c'], segments: [4, 5] }],
    [
      'A change to delete a strategy, archive a flag or switch a flag on or off',
      { actions: ['deleteStrategy', 'archiveFeature', 'updateEnabled'] },
    ],
    [
      'A change to delete a release plan, of a flag named pay* tagged team:shop,',
      { actions: ['deleteReleasePlan'], features: ['pay*'], tags: [{ type: 'team', value: 'shop' }] },
    ],
    ['A change by a person or an agent', { authors: ['person', 'agent'] }],
    [
      'A change of a flag named pay* that alters whether the flag is on or the rollout by more than 25 points and to below 90 %',
      { features: ['pay*'], fields: [{ path: '/enabled' }, { path: '/parameters/rollout', by: 25, below: 90 }] },
    ],
    ['A change that alters the rollout to above 90 %', { fields: [{ path: '/parameters/rollout', above: 90 }] }],
    [
      'A change by an agent to delete a strategy, of a segment, that alters the share of any variant by more than 100',
      {
        ...{ authors: ['agent'], actions: ['deleteStrategy'], segments: true },
        fields: [{ path: '/variants/*/weight', by: 100 }],
      },
    ],
  ])('is “%s”', (words, when) => {
    expect(textOf(ruleWords(when)).replaceAll('\u00a0', ' ')).toBe(words)
  })
})
