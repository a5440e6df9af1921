import { copyTitle, maxTitleLength, revertTitle } from '../../../src/domain/content/title'
import { changeRequest } from '../support/change-requests'

describe('revertTitle(changeRequest)', () => {
  it.each<[string, string | null, string]>([
    ['quotes the title', 'Half of them', 'Revert "Half of them"'],
    ['names one without a title by its number', null, 'Revert "Change request #7"'],
    ['keeps a long one that fits', 'a'.repeat(191), `Revert "${'a'.repeat(191)}"`],
    ['is cut where it would be too long', '\u{1F600}'.repeat(100), `Revert "${'\u{1F600}'.repeat(95)}…"`],
  ])('%s', (_, title, expected) => {
    expect(revertTitle(changeRequest({ title }))).toBe(expected)
    expect(expected.length).toBeLessThanOrEqual(maxTitleLength)
  })
})

describe('copyTitle(changeRequest)', () => {
  it('quotes the title', () => {
    expect(copyTitle(changeRequest({ title: 'Half of them' }))).toBe('Copy of "Half of them"')
  })
})
