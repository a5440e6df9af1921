import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toApprovalCount } from '../../../src/domain/approval/check-rules'
import { maxTitleLength } from '../../../src/domain/content/title'
import { root } from '../support/folders'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const descriptionIn = (file: string, property: string): string =>
  JSON.parse(read(`schemas/${file}`)).properties[property].description

describe('limits of the domain that are also written elsewhere', () => {
  it('approvals, in the schema of settings', () => {
    const [min, max] = [toApprovalCount(Number.NEGATIVE_INFINITY), toApprovalCount(Number.POSITIVE_INFINITY)]
    const sentence = `clamped to ${min} to ${max}.`
    expect(descriptionIn('settings-update.json', 'requiredApprovals')).toContain(sentence)
  })

  it('the length of a title, in its schema', () => {
    expect(descriptionIn('title.json', 'title')).toMatch(
      new RegExp(`^The title, of 1 to ${maxTitleLength} characters `),
    )
  })
})
