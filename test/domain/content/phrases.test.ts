import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allActions } from '../../../src/domain/actions/table'
import type { JsonValue, NewChange } from '../../../src/domain/change-request'
import { fieldName, fieldPhrase, phraseOf } from '../../../src/domain/content/phrases'

const ofFlag = (action: NewChange['action'], payload: JsonValue = {}): NewChange => ({
  action,
  feature: 'checkout',
  payload,
})

describe('phraseOf(change)', () => {
  it('names the flag and what the change does to it', () => {
    expect(phraseOf(ofFlag('updateEnabled', { enabled: true }))).toBe('Switching checkout on')
    expect(phraseOf(ofFlag('updateEnabled', { enabled: false }))).toBe('Switching checkout off')
    expect(phraseOf(ofFlag('addDependency', { feature: 'payments' }))).toBe('Adding the parent payments to checkout')
    expect(phraseOf(ofFlag('deleteDependency'))).toBe('Removing all parents of checkout')
  })

  it('names a strategy by its title, else by its kind', () => {
    const base = { id: 's1', name: 'flexibleRollout', title: 'Beta users' }
    const change = ofFlag('updateStrategy', { id: 's1' })
    expect(phraseOf({ ...change, base })).toBe('Editing “Beta users” of checkout')
    expect(phraseOf({ ...change, base: { ...base, title: ' Beta ' } })).toBe('Editing “ Beta ” of checkout')
    expect(phraseOf({ ...change, base: { ...base, title: ' ' } })).toBe('Editing “Gradual rollout” of checkout')
    expect(phraseOf({ ...change, base: { ...base, title: 'b'.repeat(51) } })).toBe(
      `Editing “${'b'.repeat(49)}…” of checkout`,
    )
    expect(phraseOf(change)).toBe('Editing a strategy of checkout')
  })

  it('names a segment', () => {
    const change: NewChange = { action: 'deleteSegment', feature: null, payload: { id: 4 } }
    expect(phraseOf({ ...change, base: { id: 4, name: 'Beta testers' } })).toBe('Deleting the segment “Beta testers”')
    expect(phraseOf(change)).toBe('Deleting the segment 4')
  })

  it.each(allActions)('never shows the action or an id: %s', (action) => {
    const schema = readFileSync(join(__dirname, `../../../schemas/changes/${action}.json`), 'utf8')
    const [example] = JSON.parse(schema).examples as [Pick<NewChange, 'action'> & Partial<NewChange>]
    const phrase = phraseOf({ feature: null, payload: {}, ...example })
    expect(phrase).toMatch(/^[A-Z][a-z]+ing /)
    expect(phrase).not.toContain(action)
    expect(phrase).not.toMatch(/undefined|null/)
  })
})

describe('fieldName(path)', () => {
  it.each([
    ['/parameters/rollout', 'the rollout'],
    ['/parameters', 'the parameters'],
    ['/enabled', 'the state'],
    ['/variants/blue', 'the variant “blue”'],
    ['/variants/blue/payload/value', 'the value of the variant “blue”'],
    ['/constraints/0/values', 'the values of a constraint'],
    ['/order/s1/sortOrder', 'the position of a strategy'],
    ['/dependencies/a~1b', 'the parent “a/b”'],
    ['/overrides/0', 'an element of the overrides'],
    ['', null],
  ])('%s', (path, words) => {
    expect(fieldName(path)).toBe(words)
  })
})

describe('fieldPhrase(change, path)', () => {
  it('names the field and its target', () => {
    const change = { ...ofFlag('updateStrategy', { id: 's1' }), base: { name: 'default', title: 'Beta users' } }
    expect(fieldPhrase(change, '/parameters/rollout')).toBe('the rollout of “Beta users” of checkout')
    expect(fieldPhrase(change, '')).toBe('“Beta users” of checkout')
    expect(fieldPhrase(ofFlag('patchVariant', { variants: [] }), '/variants/blue/weight')).toBe(
      'the weight of the variant “blue” of checkout',
    )
  })
})
