import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020'
import type {
  ChangeRequestCountsView,
  ChangeRequestSearchItemView,
  EnvironmentSettingsView,
  ListedChangeRequestView,
  ReviewerView,
} from '../../../src/generated'
import { addFormats } from '../../../src/validation/core/formats'

const root = join(__dirname, '../../../schemas')
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
ajv.addVocabulary(['discriminator'])
addFormats(ajv)
for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
  if (file.endsWith('.json')) ajv.addSchema(JSON.parse(readFileSync(join(root, file), 'utf8')), file)
}

const valid = (schema: string, answer: unknown) => ajv.validate(`${schema}.json`, answer)

const at = '2030-01-01T00:00:00.000Z'
const ann = { id: 1, username: 'ann', imageUrl: null }
const pending = { scheduledAt: at, status: 'pending' } as const
const listed = {
  id: 7,
  title: 'Change request #7',
  environment: 'production',
  project: 'web',
  minApprovals: 1,
  features: [],
  segments: [],
  approvals: [],
  rejections: [],
  comments: [],
  createdBy: ann,
  createdAt: at,
}
const inReview: ListedChangeRequestView = { ...listed, state: 'In review' }
const scheduled: ListedChangeRequestView = { ...listed, state: 'Scheduled', schedule: pending }
const found = {
  id: 7,
  environment: 'production',
  project: 'web',
  createdBy: { id: 1 },
  createdAt: at,
  features: ['checkout'],
  segments: ['Beta testers'],
}
const foundDraft: ChangeRequestSearchItemView = { ...found, state: 'Draft' }
const foundScheduled: ChangeRequestSearchItemView = { ...found, state: 'Scheduled', schedule: pending }
const setting: EnvironmentSettingsView = {
  environment: 'production',
  type: 'production',
  changeRequestEnabled: true,
  requiredApprovals: 2,
}
const counts: ChangeRequestCountsView = {
  total: 9,
  applied: 1,
  rejected: 1,
  reviewRequired: 1,
  approved: 1,
  scheduled: 1,
}
const reviewer: ReviewerView = { id: 2, email: 'bob@example.com' }
const without = (object: object, key: string) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))

describe('the list of change requests', () => {
  it('has both variants, completely', () => {
    expect(valid('change-request-list', [])).toBe(true)
    expect(valid('change-request-list', [inReview, scheduled])).toBe(true)
  })

  const stateTimestamps = { Draft: at }

  it('has no stateTimestamps, unlike a single change request', () => {
    expect(valid('change-request', { ...inReview, stateTimestamps })).toBe(true)
    expect(valid('change-request-list', [{ ...inReview, stateTimestamps }])).toBe(false)
    expect(valid('change-request-list', [{ ...scheduled, stateTimestamps }])).toBe(false)
  })

  it.each<readonly [string, object]>([
    ['another property', { ...inReview, requestedApprovers: [] }],
    ['a schedule before Scheduled', { ...inReview, schedule: pending }],
    ['Scheduled without a schedule', { ...listed, state: 'Scheduled' }],
    ['an unknown state', { ...listed, state: 'Open' }],
    ...Object.keys(inReview).map((key) => [`no ${key}`, without(inReview, key)] as const),
  ])('rejects %s', (_, item) => {
    expect(valid('change-request-list', [item])).toBe(false)
  })
})

describe('the response of the search', () => {
  const answer = (item: object) => ({ changeRequests: [item], total: 12 })

  it.each<readonly [string, object]>([
    ['a draft', foundDraft],
    ['a scheduled one', foundScheduled],
    ['a title of its own', { ...foundDraft, title: 'Checkout' }],
    ['the name and picture of its author', { ...foundDraft, createdBy: { ...ann, imageUrl: 'https://example.com/a' } }],
  ])('can have %s', (_, item) => {
    expect(valid('change-request-search', answer(item))).toBe(true)
  })

  it.each<readonly [string, object]>([
    ['another property', { ...foundDraft, minApprovals: 1 }],
    ['null for a title', { ...foundDraft, title: null }],
    ['null for a picture', { ...foundDraft, createdBy: ann }],
    ['a schedule before Scheduled', { ...foundDraft, schedule: pending }],
    ['Scheduled without a schedule', { ...found, state: 'Scheduled' }],
    ...Object.keys(foundDraft).map((key) => [`no ${key}`, without(foundDraft, key)] as const),
  ])('rejects %s', (_, item) => {
    expect(valid('change-request-search', answer(item))).toBe(false)
  })

  it('has no other properties, and lacks none', () => {
    expect(valid('change-request-search', { ...answer(foundDraft), offset: 0 })).toBe(false)
    expect(valid('change-request-search', { total: 0 })).toBe(false)
    expect(valid('change-request-search', { changeRequests: [] })).toBe(false)
  })
})

describe('the short responses', () => {
  it.each<readonly [string, object]>([
    ['settings-list', []],
    ['settings-list', [setting, { ...setting, changeRequestEnabled: false, requiredApprovals: null }]],
    ['change-request-counts', counts],
    ['actionable', { total: 0 }],
    ['reviewers', { reviewers: [] }],
    ['reviewers', { reviewers: [{ ...reviewer, email: '' }] }],
    ['reviewers', { reviewers: [reviewer, { ...reviewer, username: null, name: null, imageUrl: null }] }],
    ['reviewers', { reviewers: [{ ...reviewer, username: 'bob', name: 'Bob', imageUrl: 'https://example.com/b' }] }],
  ])('%s may be %j', (schema, answer) => {
    expect(valid(schema, answer)).toBe(true)
  })

  it.each<readonly [string, object]>([
    ['settings-list', [{ ...setting, changeRequestsEnabled: true }]],
    ['settings-list', [{ ...setting, requiredApprovals: 1.5 }]],
    ['settings-list', [{ ...setting, requiredApprovals: 0 }]],
    ['settings-list', [{ ...setting, requiredApprovals: 11 }]],
    ...Object.keys(setting).map((key) => ['settings-list', [without(setting, key)]] as const),
    ['change-request-counts', { ...counts, draft: 1 }],
    ['change-request-counts', { ...counts, total: -1 }],
    ...Object.keys(counts).map((key) => ['change-request-counts', without(counts, key)] as const),
    ['actionable', {}],
    ['actionable', { total: 1, approved: 1 }],
    ['actionable', { total: 0.5 }],
    ['reviewers', {}],
    ['reviewers', { reviewers: [], total: 0 }],
    ['reviewers', { reviewers: [{ ...reviewer, email: null }] }],
    ['reviewers', { reviewers: [{ ...reviewer, permissions: [] }] }],
    ['reviewers', { reviewers: [without(reviewer, 'id')] }],
    ['reviewers', { reviewers: [without(reviewer, 'email')] }],
  ])('%s must not be %j', (schema, answer) => {
    expect(valid(schema, answer)).toBe(false)
  })
})
