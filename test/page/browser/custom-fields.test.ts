import type { Page } from 'playwright-core'
import type { CustomFields } from '../../../src'
import type { ReviewView } from '../../../src/generated'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import type { PersonName } from '../support/people'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost

const customFields: CustomFields = {
  schema: {
    type: 'object',
    properties: {
      ticket: { type: 'string', title: 'Ticket', maxLength: 20, pattern: '^[A-Z]+-[0-9]+$', description: 'Like ABC-1' },
      risk: { type: 'string', title: 'Risk', maxLength: 10, enum: ['low', 'high'], default: 'low' },
      tested: { type: 'boolean', title: 'Tested on staging' },
      points: { type: 'integer', title: 'Points', maximum: 100 },
      until: { type: 'string', title: 'Remove by', maxLength: 10, format: 'date' },
      // Names of a prototype.
      constructor: { type: 'string', maxLength: 500, format: 'uri' },
    } as CustomFields['schema']['properties'],
    required: ['ticket', 'tested'],
    additionalProperties: false,
  },
}
const complete = { ticket: 'ABC-1', tested: true }

beforeEach(async () => {
  host = await startHost({ customFields })
  await host.recordFlag('default', 'checkout')
})
afterEach(() => host.close())

const reviewOf = (id: number) => host.call<ReviewView>('ann', 'GET', `${requestPath(id)}/review`)
const setFields = (id: number, values: object) => host.call('ann', 'PUT', `${requestPath(id)}/custom-fields`, values)
const open = (who: PersonName, id: number) => browser.visit(host.as(who, requestPath(id)))
const head = (page: Page) => page.locator('.req-head')
const dialog = (page: Page) => page.getByRole('dialog')
const field = (page: Page, name: string) => dialog(page).getByLabel(name)

describe('custom fields', () => {
  it('are in the window of the editor: what is missing is marked before the submit', async () => {
    const page = await browser.visit(host.as('ann', '/projects/default/flags/checkout?environment=production'))
    const { button } = requestScreen(page)
    await page.locator('.flag-fields').getByLabel('Rollout', { exact: true }).fill('75')
    await page.getByRole('complementary').getByRole('button', { name: 'Propose…' }).click()
    await field(page, 'Ticket').waitFor()
    expect(await field(page, 'Risk').inputValue()).toBe('low')
    expect(await findings(page)).toEqual([])
    await button('Send to review').click()
    await expectText(dialog(page), /Ticket.*Needed for the review\..*Tested on staging.*Needed for the review\./s)

    // The server returns what does not fit; then only the fields are sent again.
    await field(page, 'Ticket').fill('none')
    await field(page, 'Tested on staging').selectOption('Yes')
    await field(page, 'Points').fill('many')
    await button('Send to review').click()
    await expectText(dialog(page), /must match .*got "none".*must be integer, got "many"/s)
    await field(page, 'Ticket').fill('ABC-1')
    await field(page, 'Points').fill('7')
    await button('Send to review').click()
    await expectText(head(page), /Ticket\s*ABC-1\s*Risk\s*low\s*Tested on staging\s*Yes\s*Points\s*7/)
    await expectText(requestScreen(page).state, 'In review')
    const { customFields: stored, state } = await reviewOf(1)
    expect([state, stored?.values]).toEqual(['In review', { ...complete, risk: 'low', points: 7 }])
  })

  it('are set on the draft, whose next step names what is missing', async () => {
    const id = await host.propose(enable('checkout'))
    const page = await open('ann', id)
    const { button } = requestScreen(page)
    await expectText(
      page.getByRole('complementary'),
      /It can't be sent to review yet:.*"ticket" is required.*"tested"/s,
    )
    await button('Fill in the fields…').click()
    expect(await field(page, 'Risk').inputValue()).toBe('low')
    await field(page, 'Ticket').fill('ABC-1')
    await field(page, 'Tested on staging').selectOption('No')
    await field(page, 'constructor').fill('javascript:alert(1)')
    expect(await findings(page)).toEqual([])
    await button('Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    await expectText(head(page), /Tested on staging\s*No\s*.*javascript:alert/s)
    expect(
      await head(page)
        .getByRole('link', { name: /javascript/ })
        .count(),
    ).toBe(0)
    expect((await reviewOf(id)).customFields?.values).toEqual({
      ...{ ticket: 'ABC-1', risk: 'low', tested: false },
      constructor: 'javascript:alert(1)',
    })
    await button('Send to review').click()
    await expectText(requestScreen(page).state, 'In review')
    await button('Edit the fields…').click()
    await field(page, 'Ticket').fill('')
    await button('Save').click()
    await expectText(dialog(page), /"ticket" is required/)
  })

  it('are part of what a reviewer has seen: a changed one is shown before the vote', async () => {
    const id = await host.propose(enable('checkout'))
    await setFields(id, complete)
    await host.setState('ann', id, 'In review')
    const page = await open('ben', id)
    const { button } = requestScreen(page)
    await expectText(head(page), /Ticket\s*ABC-1/)
    expect(await button(/the fields…/).count()).toBe(0)
    await setFields(id, { ...complete, ticket: 'XYZ-9' })
    // Setting fields writes no event; any other one of the flag lets the page ask again.
    await host.recordFlag('default', 'checkout')
    await expectText(page.locator('body'), /Ticket ABC-1 → XYZ-9/)
    await expectText(head(page), /Ticket\s*ABC-1/)
    await button('Show what changed').first().click()
    await expectText(head(page), /Ticket\s*XYZ-9/)
    await button('Approve').first().click()
    await expectText(page.locator('body'), /Approved/)
    await page.emulateMedia({ media: 'print' })
    await expectText(page.getByRole('region', { name: 'Record' }), /ticket: XYZ-9, set by Ann Lee \(user 1\)/)
  })
})
