import { parseChange } from '../../../src/capabilities/proposals/changes-body'
import { parseRecordedEvent } from '../../../src/validation/check-body'
import { type FeatureNames, featureNameRules, isName, placeNames } from '../../../src/validation/core/names'
import { problemOfName } from '../../../src/validation/core/problems'
import { rejection } from '../rejection'

const urlFriendly = ['a', 'a'.repeat(100), '...', '..a', "aZ09-_.!~*'()", '__proto__', 'constructor', 'a*', '*']

/** Names that only `any` accepts. */
const others = [
  'team/checkout',
  'organization:create',
  'a,b',
  'a%2Fb',
  'a?b#c',
  'a b',
  'a  b',
  'a\u00a0b',
  'ä',
  'a\u0308',
  '日本',
  'תשלום',
  '<b>',
  'a\\b',
  '"a"',
  '/',
  './..',
  '🚩'.repeat(100),
  // A joiner inside, and a selector at the end.
  '👩\u200d🚀 ❤\ufe0f',
  'می\u200cخواهم',
]

/** Names that nobody accepts. */
const malformed = [
  '',
  '.',
  '..',
  'a'.repeat(101),
  '🚩'.repeat(101),
  // Control characters and separators of lines.
  'a\0',
  'a\tb',
  'a\nb',
  'a\x7fb',
  'a\x85b',
  'a\u2028b',
  'a\u2029b',
  // Lone surrogates.
  'a\ud800',
  '\udc00b',
  // Blanks at an end.
  ' a',
  'a ',
  ' ',
  '\u00a0a',
  'a\u3000',
  '\u2009a',
  // Invisible characters, and marks of direction.
  'a\u200bb',
  'a\u2060b',
  '\ufeffa',
  'a\u00adb',
  '\u3164',
  'a\u200eb',
  'a\u061cb',
  'a\u202eb',
  'a\u2066b\u2069',
  'a\u{e0041}',
  '\u200da',
  'a\u200c',
]

describe.each<[FeatureNames, readonly string[], readonly string[]]>([
  ['url', urlFriendly, [...others, ...malformed]],
  ['any', [...urlFriendly, ...others], malformed],
])('a name of a flag with featureNames: %p', (featureNames, accepted, rejected) => {
  const change = (feature: string) => ({ action: 'archiveFeature', feature })
  const dependency = (feature: string) => ({ action: 'addDependency', feature: 'checkout', payload: { feature } })
  const event = (featureName: string) => ({ type: 'feature-archived', featureName })

  it.each(accepted.map((name) => [name]))('can be %j, in paths, changes and events', (name) => {
    expect(isName(featureNameRules[featureNames], name)).toBe(true)
    expect(parseChange(change(name), { featureNames }).feature).toBe(name)
    expect(parseChange(dependency(name), { featureNames }).payload).toEqual({ feature: name })
    expect(parseRecordedEvent(event(name), featureNames).featureName).toBe(name)
  })

  it.each(rejected.map((name) => [name]))('cannot be %j, in paths, changes and events', (name) => {
    expect(isName(featureNameRules[featureNames], name)).toBe(false)
    expect(rejection(() => parseChange(change(name), { featureNames })).details[0]?.path).toBe('/body/feature')
    const nested = rejection(() => parseChange(dependency(name), { featureNames }))
    expect(nested.details[0]?.path).toBe('/body/payload/feature')
    expect(rejection(() => parseRecordedEvent(event(name), featureNames)).details[0]?.path).toBe('/event/featureName')
  })
})

it.each([...others, ...malformed].map((name) => [name]))('a project cannot be named %j, with any option', (project) => {
  expect(isName(placeNames, project)).toBe(false)
  const event = { type: 'feature-archived', project }
  expect(rejection(() => parseRecordedEvent(event, 'any')).details[0]?.path).toBe('/event/project')
})

describe('the message for a malformed name', () => {
  const rule = `must have 1 to 100 characters, only A-Z, a-z, 0-9 and - _ . ! ~ * ' ( ), and must not be "." or ".."`
  const change = (feature: string) => ({ action: 'archiveFeature', feature })

  it('states the rule for flags, and which option accepts more', () => {
    const message = `${rule}, got "a/b"; for other names of flags, set the option featureNames of the router to "any"`
    expect(rejection(() => parseChange(change('a/b'))).details).toEqual([{ path: '/body/feature', message }])
    expect(problemOfName(featureNameRules.url, 'a/b')).toBe(message)
  })

  it('states the rule for flags with featureNames: any', () => {
    const message =
      'must have 1 to 100 characters, no control or invisible characters, no blank at either end, and must not be "." or ' +
      '"..", got "a\\t"'
    const { details } = rejection(() => parseChange(change('a\t'), { featureNames: 'any' }))
    expect(details).toEqual([{ path: '/body/feature', message }])
  })

  it('states the rule for projects and environments', () => {
    const event = { type: 'feature-archived', environment: 'pre production' }
    const { details } = rejection(() => parseRecordedEvent(event, 'any'))
    expect(details).toEqual([{ path: '/event/environment', message: `${rule}, got "pre production"` }])
  })
})
